import type { Bid } from './demand-kind.ts';

/** What a bid holds where its bidder tells nothing. */
export const untold = {
  adDomains: [],
  appBundle: '',
  categories: [],
  attributes: [],
  creativeId: '',
  seat: '',
  width: 0,
  height: 0,
  expiryMinutes: 0,
  notices: { win: '', billing: '', loss: '' },
  impId: '',
  bidId: '',
  creativeUrls: [],
} as const satisfies Partial<Bid>;
