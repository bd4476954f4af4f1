import { type DemandKindName, isDeal, type SupplyKind } from '../../entities/kinds.ts';
import { fillMacros, type PartialMacroValues, unfilled } from '../../protocols/openrtb/macros.ts';
import type { AdFacts, Traffic } from '../../reference/cubes.ts';
import type { FloorUse, LocalRate } from '../../statistics/events.ts';
import { type Auction, adIdOf, promisedIn, type RankedBid } from '../auction/auction.ts';
import { adFactsOf, auctionTraffic, placementName } from '../auction/counted-facts.ts';
import { floorUsesOf } from '../auction/floor-rules.ts';
import { limitedBy } from '../auction/reserve.ts';
import { currencyAt } from '../currency.ts';
import { adLifeMinutesMax } from '../demand/ad-life.ts';
import { auctionMacros } from '../demand/auction-macros.ts';
import { minutesAtAddress, minutesFor, type Promised } from '../limits/promised.ts';
import { type CpmMicros, impressionNanos, millionthsOf, type Nanos } from '../money.ts';
import { textHash } from './text-hash.ts';

/** All that its trackers must know: the token carries it, because no server remembers it. */
export interface TrackedAd {
  readonly auctionId: string;
  readonly supply: { readonly kind: SupplyKind; readonly id: number };
  readonly demand: { readonly kind: DemandKindName; readonly id: number };
  readonly clearingCpmMicros: CpmMicros;
  readonly payoutCpmMicros: CpmMicros;
  /** Millionths of an impression that one showing counts for in money. */
  readonly multiplierMillionths: number;
  readonly auctionMs: number;
  /** From then on its trackers count nothing. */
  readonly expiresMs: number;
  /** From then on it cannot be won, shown or billed (`exp`, or a promise's end). 0 = as long as its trackers count. */
  readonly standsUntilMs: number;
  readonly subId: string;
  /** App bundle or site domain, for referers and the inventory's quality. */
  readonly place: string;
  readonly isApp: boolean;
  /** For statistics, besides `place` and `subId`. */
  readonly traffic: Omit<Traffic, 'site'>;
  readonly facts: AdFacts;
  /** Of the ad request; impressions per address count by it. `""` = unknown. */
  readonly ip: string;
  /** Of the ad request; 0 = unknown. */
  readonly userAgentHash: number;
  /** For the billable event, all macros filled but its time; `""` = none. */
  readonly billingNotice: string;
  /** Which tracker reports an offer's billable event (`RevenueCountingMethod`). `""` = no offer: its impression. */
  readonly offer: OfferBilling | '';
  /** For offers that win or lose, and fallbacks that are shown. Filled except for the loss reason; `""` = none. */
  readonly winNotice: string;
  readonly lossNotice: string;
  /** Where a pop leads once `/click/` or, if offered, its tracker is opened. `""` for other ads. */
  readonly landing: string;
  /** Referer flags were checked before a page of ours was served; that page's calls have no referer. */
  readonly isRefererChecked: boolean;
  /** Behind the winner of a waterfall: wins only when shown. */
  readonly isFallback: boolean;
  /** Of supply, demand, its deal, and the demand of the answer's other ads: one is billed at most, which ends all. */
  readonly promises: readonly Promised[];
  readonly localRates: readonly LocalRate[];
  /** The floor rules that its auction met. */
  readonly floors: readonly FloorUse[];
}

/** In the order of `RevenueCountingMethod`. */
export const offerBillings = ['win', 'billing', 'impression'] as const;

export type OfferBilling = (typeof offerBillings)[number];

/** What the advertiser pays at the billable event, and what the publisher gets. */
export function priceOf(ad: TrackedAd): { readonly spentNanos: Nanos; readonly revenueNanos: Nanos } {
  const { payoutCpmMicros, clearingCpmMicros, multiplierMillionths } = ad;
  return {
    spentNanos: impressionNanos(payoutCpmMicros, multiplierMillionths),
    revenueNanos: impressionNanos(clearingCpmMicros, multiplierMillionths),
  };
}

const minuteMs = 60_000;
/** An ad's events must be remembered, and its token is read, as long (reference, "Trackers"). */
export const adLifeMsMax = adLifeMinutesMax * minuteMs;

const noticeBytesMax = 2048;
/** Statistics cut there as well (reference, S10). */
const subIdCharactersMax = 128;
/** No domain or bundle is longer. */
const placeCharactersMax = 255;

/** Its macros filled, without consent if that makes it too long; `""` if it is too long anyway. */
function noticeOf(url: string, macros: PartialMacroValues): string {
  if (url === '') return '';
  const filled = [{}, { GDPR_CONSENT: '', GPP_STRING: '' }].map((privacy) =>
    fillMacros(url, { ...macros, ...privacy }),
  );
  return filled.find((notice) => Buffer.byteLength(notice) <= noticeBytesMax) ?? '';
}

/** Of an offer or fallback, which wins or loses later; an offer's loss reason is unknown until then. */
export function deferredNotices({ opportunity }: Auction, { bid, clearingCpmMicros }: RankedBid) {
  const won = auctionMacros(opportunity, bid, { clearingCpmMicros });
  const lost = auctionMacros(opportunity, bid, { reason: 'lost' });
  const later: PartialMacroValues = { ...lost, LOSS: unfilled, MIN_TO_WIN: unfilled };
  return { winNotice: noticeOf(bid.notices.win, won), lossNotice: noticeOf(bid.notices.loss, later) };
}

function billingNoticeOf({ opportunity }: Auction, { bid, clearingCpmMicros }: RankedBid): string {
  if (bid.notices.billing === '') return '';
  const macros = auctionMacros(opportunity, bid, { clearingCpmMicros });
  return noticeOf(bid.notices.billing, { ...macros, IMP_TS: unfilled });
}

const minutesOf = ({ bid }: RankedBid) => bid.expiryMinutes || minutesFor.ad;

function standsUntilMsOf(auction: Auction, ranked: RankedBid): number {
  const { supply, opportunity, promises } = auction;
  const { candidate, bid } = ranked;
  const held = limitedBy(supply, candidate.demand, bid).flatMap((object) => promises.get(object) ?? []);
  const minutes = minutesFor[promisedIn(auction).to];
  const promisedMs = held.map(
    ({ isAtAddress, viewer }) =>
      (isAtAddress || viewer ? Math.min(minutesAtAddress, minutes) : minutes) * minuteMs,
  );
  const validMs = [ranked.bid.validSeconds, opportunity.validSeconds ?? 0].map((seconds) => seconds * 1000);
  const standsMs = Math.min(...[...promisedMs, ...validMs].filter((ms) => ms > 0));
  return standsMs < minutesOf(ranked) * minuteMs ? opportunity.timeMs + standsMs : 0;
}

/** Promises of further alternatives just expire. */
const alternativesMax = 16;
/** Supply, demand and deal are the other three. */
export const promisesMax = alternativesMax + 3;

/** Of deals only its own, which tells under which one it is. */
function promisesTo({ supply, promises }: Auction, { candidate, bid }: RankedBid): TrackedAd['promises'] {
  if (promises.size === 0) return [];
  const own = limitedBy(supply, candidate.demand, bid).flatMap((object) => promises.get(object) ?? []);
  const others = [...promises.values()].filter(
    (promised) => !own.includes(promised) && !isDeal(promised.kind),
  );
  return [...own, ...others.slice(0, alternativesMax)];
}

function localRatesOf({ supply, opportunity }: Auction, { candidate }: RankedBid): TrackedAd['localRates'] {
  const sides = [
    { side: 'supply', settings: supply.settings },
    { side: 'demand', settings: candidate.demand.settings },
  ] as const;
  return sides.flatMap(({ side, settings }) => {
    const foreign = currencyAt(settings.Currency, 'Currency', opportunity);
    return foreign && 'usdPerUnit' in foreign ? [{ side, ...foreign }] : [];
  });
}

/** For an ad that is shown; an offer's own values are added later. */
export function trackedAd(auction: Auction, ranked: RankedBid): TrackedAd {
  const { supply, opportunity } = auction;
  const { inventory, ip, userAgent, timeMs } = opportunity;
  const { demand } = ranked.candidate;
  return {
    auctionId: adIdOf(opportunity),
    supply: { kind: supply.kind, id: supply.id },
    demand: { kind: demand.kind, id: demand.id },
    clearingCpmMicros: ranked.clearingCpmMicros,
    payoutCpmMicros: ranked.payoutCpmMicros,
    multiplierMillionths: millionthsOf(opportunity.multiplier ?? 1),
    auctionMs: timeMs,
    expiresMs: timeMs + minutesOf(ranked) * minuteMs,
    standsUntilMs: standsUntilMsOf(auction, ranked),
    subId: opportunity.subId.slice(0, subIdCharactersMax),
    place: placementName(opportunity).slice(0, placeCharactersMax),
    isApp: inventory.appBundle !== '',
    traffic: auctionTraffic(auction),
    facts: adFactsOf(ranked.bid),
    ip: ip?.text ?? '',
    userAgentHash: textHash(userAgent),
    billingNotice: billingNoticeOf(auction, ranked),
    offer: '',
    winNotice: '',
    lossNotice: '',
    landing: '',
    isRefererChecked: false,
    isFallback: false,
    promises: promisesTo(auction, ranked),
    localRates: localRatesOf(auction, ranked),
    floors: floorUsesOf(auction),
  };
}
