import type { Bid } from './demand-kind.ts';

export const bidDefaults = {
  adDomains: [],
  appBundle: '',
  categories: [],
  attributes: [],
  creativeId: '',
  seat: '',
  width: 0,
  height: 0,
  expiryMinutes: 0,
  validSeconds: 0,
  notices: { win: '', billing: '', loss: '' },
  impId: '',
  bidId: '',
  creativeUrls: [],
} as const satisfies Partial<Bid>;
