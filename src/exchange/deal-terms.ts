import { adTypes } from '../reference/ad-types.ts';
import { ownMember } from '../reference/own-member.ts';
import { memoizeWeak } from './memoize-weak.ts';
import type { CpmMicros } from './money.ts';
import { nonEmptyLines } from './non-empty-lines.ts';
import type { CurationFee } from './offered-deal.ts';
import type { Media } from './opportunity.ts';
import type { Deal } from './snapshot/deal.ts';

/** The part of a fee in what is paid, and its fixed part in the deal's currency. */
interface Fee {
  readonly share: number;
  readonly cpm: number;
}

/** By `CurationFeeType`: undisclosed, flat and no fees are not taken from the price. */
const feeOf = new Map<number, (fee: number) => Fee>([
  [1, (percent) => ({ share: percent / 100, cpm: 0 })],
  [3, (cpm) => ({ share: 0, cpm })],
]);

const noFee: Fee = { share: 0, cpm: 0 };

const isWhitelist = 1;
const fixedPrice = 3;
const auctionTypes = new Map<number, 1 | 2>([
  [1, 1],
  [2, 2],
]);

const setIfAny = <T>(values: readonly T[]) => (values.length > 0 ? new Set(values) : undefined);

/** A deal's settings, ready for use. */
export const dealTerms = memoizeWeak(({ settings }: Deal) => {
  const { PriceType, SeatListMode, SeatList, AdvertiserDomains } = settings;
  const seats = setIfAny(nonEmptyLines(SeatList));
  return {
    isFixed: PriceType === fixedPrice,
    /** Undefined: up to the auction. */
    auctionType: auctionTypes.get(PriceType),
    seats: SeatListMode === isWhitelist ? seats : undefined,
    blockedSeats: SeatListMode === isWhitelist ? new Set<string>() : (seats ?? new Set<string>()),
    domains: setIfAny(nonEmptyLines(AdvertiserDomains).map((domain) => domain.toLowerCase())),
    media: setIfAny<Media>(
      settings.AdTypes.flatMap((code) => ownMember(adTypes, String(code))?.medium ?? []),
    ),
    fee: feeOf.get(settings.CurationFeeType)?.(settings.CurationFee) ?? noFee,
  };
});

/** What is taken from a price; the publisher gets the rest. */
export function feeOn({ share, cpmMicros }: CurationFee, paidCpmMicros: CpmMicros): CpmMicros {
  return Math.min(paidCpmMicros, Math.ceil(paidCpmMicros * share) + cpmMicros);
}

/** The lowest price that leaves the publisher so much; infinite if none does. */
export function priceBeforeFee({ share, cpmMicros }: CurationFee, publisherCpmMicros: CpmMicros): CpmMicros {
  return Math.ceil((publisherCpmMicros + cpmMicros) / (1 - share));
}
