import type { ExchangeView } from '../../src/management/exchange/exchange-view.ts';

/** For a management API that is tested or measured without an exchange beside it: it serves the empty configuration. */
export const noExchange: ExchangeView = {
  usdPerUnit: (currency) => (currency === 'USD' ? 1 : undefined),
  judgePair: () => undefined,
  explain: () => Promise.resolve(undefined),
  readConsent: () => ({ State: 'not_required', Signals: [], Vendors: [] }),
  testPass: () => undefined,
  runTest: () => Promise.resolve('unknown'),
  fireTracker: () => Promise.resolve('expired'),
  servedRevisions: () => Promise.resolve([0]),
  auctions: () => Promise.resolve([]),
  publishedLines: () => Promise.resolve({ system: '', lines: [] }),
  health: () => Promise.resolve([]),
};
