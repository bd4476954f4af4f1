import fc from 'fast-check';
import { floorUsesMax } from '../../../src/exchange/auction/floor-rules.ts';
import type { TokenType } from '../../../src/exchange/trackers/token-type.ts';
import { adLifeMsMax, promisesMax, type TrackedAd } from '../../../src/exchange/trackers/tracked-ad.ts';
import { consentStateNames } from '../../../src/reference/consent-states.ts';

/** The time of every auction here: the start of an hour in 2026. */
export const auctionMs = 1_800_000_000_000;

const plain = { noNullPrototype: true };
const text = fc.oneof(fc.webUrl({ withQueryParameters: true }), fc.string({ unit: 'grapheme' }));
const price = fc.oneof(fc.integer({ min: 0, max: 1e12 }), fc.constantFrom(0, 1, 1e12));
const id = fc.oneof(fc.integer({ min: 1, max: 2 ** 31 - 1 }), fc.constantFrom(1, 2 ** 31 - 1));
const demand = fc.record(
  { kind: fc.constantFrom('Campaign', 'DspRtbEp', 'DspVastTag', 'DspPopFeed'), id },
  plain,
);
const promised = fc.record(
  {
    kind: fc.constantFrom('Campaign', 'DspPopFeed', 'VastTag', 'BannerEp'),
    id,
    nanos: price,
    isAtAddress: fc.boolean(),
  },
  plain,
);
const landing = fc.webUrl().map((url) => new URL(url).href);

/** What differs by type: whether an ad was offered, and whether it leads somewhere. */
const ofType: Readonly<Record<TokenType, Partial<Record<keyof TrackedAd, fc.Arbitrary<unknown>>>>> = {
  markup: { offer: fc.constantFrom('', 'win', 'billing', 'impression'), landing: fc.constant('') },
  notice: { offer: fc.constantFrom('win', 'billing', 'impression'), landing: fc.constant('') },
  click: { offer: fc.constant(''), landing },
  open: { offer: fc.constantFrom('win', 'billing', 'impression'), landing },
};

/** Ads that a token of that type may carry. */
export function adsOf(type: TokenType): fc.Arbitrary<TrackedAd> {
  const ad = fc.record(
    {
      auctionId: fc.uuid(),
      supply: fc.record({ kind: fc.constantFrom('VastTag', 'RtbEp', 'PopFeed', 'BannerEp'), id }, plain),
      demand,
      clearingCpmMicros: price,
      payoutCpmMicros: price,
      multiplierMillionths: fc.integer({ min: 1, max: 10_000_000_000 }),
      auctionMs: fc.constant(auctionMs),
      expiresMs: fc.integer({ min: auctionMs + 2, max: auctionMs + adLifeMsMax }),
      standsUntilMs: fc.constantFrom(0, auctionMs + 1),
      subId: text,
      place: text,
      isApp: fc.boolean(),
      traffic: fc.record(
        {
          country: text,
          deviceType: fc.nat({ max: 255 }),
          os: text,
          browser: text,
          medium: text,
          size: text,
          region: text,
          consent: fc.constantFrom('', ...consentStateNames),
        },
        plain,
      ),
      facts: fc.record({ seat: text, adDomain: text, creative: text, deal: text }, plain),
      ip: fc.oneof(fc.constant(''), fc.ipV4(), fc.ipV6()),
      userAgentHash: fc.nat({ max: 2 ** 32 - 1 }),
      billingNotice: text,
      winNotice: text,
      lossNotice: text,
      isRefererChecked: fc.boolean(),
      isFallback: fc.boolean(),
      promises: fc.array(promised, { maxLength: promisesMax }),
      floors: fc.array(
        fc.record({ ruleId: fc.integer({ min: 1, max: 2 ** 31 - 1 }), isControl: fc.boolean() }, plain),
        { maxLength: floorUsesMax },
      ),
      localRates: fc.array(
        fc.record(
          {
            side: fc.constantFrom('supply', 'demand'),
            currency: fc.constantFrom('EUR', 'JPY'),
            usdPerUnit: fc.double({ min: 1e-7, max: 100, noNaN: true }),
          },
          plain,
        ),
        { maxLength: 2 },
      ),
      ...ofType[type],
    },
    plain,
  );
  return ad as fc.Arbitrary<TrackedAd>;
}
