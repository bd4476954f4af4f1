import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { auctionMacros, lossCodeOf } from '../../../src/exchange/demand/auction-macros.ts';
import type { Bid } from '../../../src/exchange/demand/demand-kind.ts';
import type { Reason } from '../../../src/exchange/reasons.ts';
import { demandWith } from './dsp-rtb-ep/solicitations.ts';

const bid: Bid = {
  id: 'b1',
  demand: demandWith(),
  priceCpmMicros: 2_000_000,
  media: 'video',
  markup: undefined,
  adDomains: [],
  appBundle: '',
  categories: [],
  attributes: [],
  creativeId: '',
  seat: 's1',
  width: 0,
  height: 0,
  expiryMinutes: 60,
  validSeconds: 0,
  notices: { win: '', billing: '', loss: '' },
  impId: '1',
  bidId: 'r1',
  adId: 'ad1',
  creativeUrls: [],
};

const opportunity = { auctionId: 'a1' };

describe('values of macros', () => {
  test('of a winner', () => {
    const settlement = { clearingCpmMicros: 1_510_000, minToWinCpmMicros: 1_500_000 };
    assert.deepEqual(auctionMacros(opportunity, bid, settlement), {
      GDPR: '',
      GDPR_CONSENT: '',
      US_PRIVACY: '',
      GPP_STRING: '',
      GPP_SID: '',
      ID: 'a1',
      BID_ID: 'r1',
      IMP_ID: '1',
      SEAT_ID: 's1',
      AD_ID: 'ad1',
      PRICE: '1.51',
      MULTIPLIER: '1',
      CURRENCY: 'USD',
      MBR: '0.755',
      LOSS: '0',
      MIN_TO_WIN: '1.5',
      IMP_TS: '',
    });
  });

  test('of a loser, who is told no price', () => {
    assert.partialDeepStrictEqual(
      auctionMacros(opportunity, bid, { reason: 'lost', minToWinCpmMicros: 2_010_000 }),
      {
        PRICE: '',
        MULTIPLIER: '',
        MBR: '',
        LOSS: '102',
        MIN_TO_WIN: '2.01',
      },
    );
  });
});

const codes: readonly (readonly [reason: Reason | undefined, code: number])[] = [
  [undefined, 0],
  ['lost', 102],
  ['below_floor', 100],
  ['domain_blocked', 205],
  ['category_blocked', 209],
  ['attribute_blocked', 210],
  ['not_secure', 207],
  ['size_not_allowed', 203],
  ['not_inline', 204],
  ['seat_listed', 104],
  ['invalid_price', 3],
  ['impressions_daily_limit', 1],
];

describe('loss codes', () => {
  for (const [reason, code] of codes) {
    test(`${reason ?? 'won'} is ${code}`, () => assert.equal(lossCodeOf(reason), code));
  }
});
