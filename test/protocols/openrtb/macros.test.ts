import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { fillMacros, unfilled } from '../../../src/protocols/openrtb/macros.ts';
import { seeded } from '../../support/seed.ts';

const values = {
  ID: 'a-1',
  BID_ID: 'r-1',
  IMP_ID: '1',
  SEAT_ID: 'seat 9',
  AD_ID: 'ad&1',
  PRICE: '1.23',
  CURRENCY: 'USD',
  MBR: '0.82',
  LOSS: '102',
  MIN_TO_WIN: '1.5',
  IMP_TS: '1700000000000',
  GDPR: '1',
  GDPR_CONSENT: 'CPxx.YA',
  GPP_SID: '7,8',
};

/** Macros are written `$[…]` here, which no linter takes for a template. */
const macros = (text: string) => text.replaceAll('$[', '${').replace(/(\$\{[^\]}]*)\]/g, '$1}');

const cases: readonly (readonly [text: string, filled: string])[] = [
  ['', ''],
  ['no macro', 'no macro'],
  ['https://d/?p=$[AUCTION_PRICE]&c=$[AUCTION_CURRENCY]', 'https://d/?p=1.23&c=USD'],
  [
    '$[AUCTION_ID] $[AUCTION_BID_ID] $[AUCTION_IMP_ID] $[AUCTION_SEAT_ID] $[AUCTION_AD_ID]',
    'a-1 r-1 1 seat 9 ad&1',
  ],
  ['$[AUCTION_MBR] $[AUCTION_LOSS] $[AUCTION_MIN_TO_WIN] $[AUCTION_IMP_TS]', '0.82 102 1.5 1700000000000'],
  ['$[AUCTION_PRICE]$[AUCTION_PRICE]', '1.231.23'],
  ['$[AUCTION_PRICE:B64]', 'MS4yMw=='],
  ['$[AUCTION_PRICE:AES]', ''],
  ['$[AUCTION_MULTIPLIER]$[AUCTION_DISCOUNT_PCT]$[AUCTION_DISCOUNT_CPM]', ''],
  [
    '$[AUCTION_FOO] $[AUCTION_] $[PRICE] $AUCTION_PRICE',
    '$[AUCTION_FOO] $[AUCTION_] $[PRICE] $AUCTION_PRICE',
  ],
  ['$[AUCTION_CONSTRUCTOR] $[AUCTION_TO_STRING]', '$[AUCTION_CONSTRUCTOR] $[AUCTION_TO_STRING]'],
  [
    'https://d/?u=https%3A%2F%2Fe%2F%3Fp%3D%24%7BAUCTION_PRICE%7D',
    'https://d/?u=https%3A%2F%2Fe%2F%3Fp%3D1.23',
  ],
  ['$%7bAUCTION_SEAT_ID%7d', 'seat%209'],
  ['%24%7BAUCTION_PRICE%3AB64%7D', 'MS4yMw%3D%3D'],
  ['$[AUCTION_PRICE', '$[AUCTION_PRICE'],
  ['$[GDPR] $[GDPR_CONSENT] $[GDPR_CONSENT_755] $[GPP_SID]', '1 CPxx.YA CPxx.YA 7%2C8'],
  ['$[US_PRIVACY]$[GPP_STRING]$[GPP_STRING_12]', ''],
  ['u=%24%7BGDPR_CONSENT_1%7D&v=$%7bGDPR%7d', 'u=CPxx.YA&v=1'],
  [
    '$[GDPR_1] $[US_PRIVACY_1] $[GPP_SID_1] $[GDPR_CONSENT_x] $[gdpr] $GDPR',
    '$[GDPR_1] $[US_PRIVACY_1] $[GPP_SID_1] $[GDPR_CONSENT_x] $[gdpr] $GDPR',
  ],
];

describe('macros', () => {
  for (const [text, filled] of cases) {
    test(`'${text}' becomes '${filled}'`, () =>
      assert.equal(fillMacros(macros(text), values), macros(filled)));
  }

  test('what is not known is removed', () => {
    assert.equal(fillMacros(macros('a$[AUCTION_PRICE]b$[AUCTION_PRICE:B64]c'), { ID: 'x' }), 'abc');
  });

  test('what is left open stays as it is written, and is filled in its encoding later', () => {
    const written = macros(
      '$[AUCTION_LOSS] $[AUCTION_LOSS:B64] %24%7BAUCTION_LOSS%3AB64%7D $[AUCTION_ID:B64]',
    );
    const first = fillMacros(written, { ID: 'x', LOSS: unfilled });
    assert.equal(first, written.replace(/\S+$/, 'eA=='));
    assert.equal(fillMacros(first, { LOSS: '102' }), '102 MTAy MTAy eA==');
  });

  test('values are not filled again, and their dollars mean nothing', () => {
    const value = macros('$&$[AUCTION_PRICE]$1');
    assert.equal(fillMacros(macros('$[AUCTION_ID]'), { ...values, ID: value }), value);
  });

  test('any text and any value is taken', () => {
    const text = fc.string({ unit: 'binary', maxLength: 20 });
    fc.assert(
      fc.property(text, text, text, (before, after, value) => {
        fc.pre(!/AUCTION_/.test(before + after));
        const filled = fillMacros(`${before}\${AUCTION_ID}%24%7BAUCTION_ID%7D${after}`, { ID: value });
        assert.equal(filled, before + value + encodeURIComponent(value.toWellFormed()) + after);
      }),
      seeded(150),
    );
  });
});
