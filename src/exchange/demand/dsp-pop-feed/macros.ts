import { privacyUrlMacros } from '../privacy-values.ts';
import type { Macros } from '../url-template.ts';

/** For feed and direct URLs (reference, "Values"). */
export const macros: Macros = {
  ip: ({ opportunity }) => opportunity.ip?.text ?? '',
  ua: ({ opportunity }) => opportunity.userAgent,
  url: ({ opportunity }) => opportunity.inventory.pageUrl,
  query: ({ opportunity }) => opportunity.query,
  subid: ({ opportunity }) => opportunity.subId,
  uid: ({ opportunity }, demand) => opportunity.userId || (opportunity.viewerIdsOf?.(demand)?.id ?? ''),
  country: ({ opportunity }) => opportunity.country,
  lang: ({ opportunity }) => opportunity.device.language,
  /** A cache buster only has to differ each time. */
  cb: ({ opportunity }) => opportunity.auctionId,
  buyeruid: ({ opportunity }, demand) => opportunity.viewerIdsOf?.(demand)?.buyeruid ?? '',
  ...privacyUrlMacros,
};
