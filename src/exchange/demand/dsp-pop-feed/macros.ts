import type { Macros } from '../url-template.ts';

/** The macros of feed URLs and direct URLs (reference, "Values"). */
export const macros: Macros = {
  ip: ({ opportunity }) => opportunity.ip?.text ?? '',
  ua: ({ opportunity }) => opportunity.userAgent,
  url: ({ opportunity }) => opportunity.inventory.pageUrl,
  query: ({ opportunity }) => opportunity.query,
  subid: ({ opportunity }) => opportunity.subId,
  uid: ({ opportunity }) => opportunity.userId,
  country: ({ opportunity }) => opportunity.country,
  lang: ({ opportunity }) => opportunity.device.language,
  /** A cache buster has only to differ each time, and the auction's ID does. */
  cb: ({ opportunity }) => opportunity.auctionId,
};
