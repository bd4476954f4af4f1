import type { DemandKindName, SupplyKind } from '../../entities/kinds.ts';
import { fillMacros, type PartialMacroValues, unfilled } from '../../protocols/openrtb/macros.ts';
import type { AdFacts, Traffic } from '../../reference/cubes.ts';
import { type Auction, promisedIn, type RankedBid } from '../auction/auction.ts';
import { adFactsOf, opportunityTraffic, placementName } from '../auction/counted-facts.ts';
import { adLifeMinutesMax } from '../demand/ad-life.ts';
import { auctionMacros } from '../demand/auction-macros.ts';
import { minutesAtAddress, minutesFor, type Promised } from '../limits/promised.ts';
import { type CpmMicros, impressionNanos, millionthsOf, type Nanos } from '../money.ts';
import { textHash } from './text-hash.ts';

/** An ad that was handed out: all that its trackers must know. The token carries it, because no server remembers it. */
export interface TrackedAd {
  readonly auctionId: string;
  readonly supply: { readonly kind: SupplyKind; readonly id: number };
  readonly demand: { readonly kind: DemandKindName; readonly id: number };
  readonly clearingCpmMicros: CpmMicros;
  readonly payoutCpmMicros: CpmMicros;
  /** How many millionths of an impression the showing of the ad counts for in money. */
  readonly multiplierMillionths: number;
  readonly auctionMs: number;
  /** From this time on the ad's trackers count nothing. */
  readonly expiresMs: number;
  /**
   * From this time on the ad can be neither won nor shown, nor billed: its bidder or the request wants no later
   * impression (`exp`), or what limits have promised it ends before its trackers do. 0 = it stands as long as its
   * trackers count.
   */
  readonly standsUntilMs: number;
  readonly subId: string;
  /**
   * The app's bundle or the site's domain. Referers are compared with it, and the inventory's quality is counted by it.
   */
  readonly place: string;
  readonly isApp: boolean;
  /** What statistics count of the auction's traffic beside `place` and `subId`, and of the ad. */
  readonly traffic: Omit<Traffic, 'site'>;
  readonly facts: AdFacts;
  /** The visitor's address as the ad request gave it, for which impressions are counted; `""` = unknown. */
  readonly ip: string;
  /** Hash of the user agent that the ad request gave; 0 = unknown. */
  readonly userAgentHash: number;
  /** URL to call at the billable event, with all macros filled but that event's time; `""` = none. */
  readonly billingNotice: string;
  /**
   * Which tracker reports the billable event of an ad that was offered in somebody else's auction, by
   * `RevenueCountingMethod`. `""` = the ad was handed out to be shown, and its impression is the billable event.
   */
  readonly offer: OfferBilling | '';
  /**
   * URLs to call when an offer has won or lost, or when a fallback is shown and so has won. All macros are filled but
   * those that say why an offer lost; `""` = none.
   */
  readonly winNotice: string;
  readonly lossNotice: string;
  /** Where a pop leads once `/click/` is opened, or its tracker where the pop was offered. `""` for all other ads. */
  readonly landing: string;
  /**
   * The match flags of the referer were checked before a page of ours was served; calls from that page have no referer.
   */
  readonly isRefererChecked: boolean;
  /** The ad stands behind the winner of a waterfall, and wins only when it is shown. */
  readonly isFallback: boolean;
  /**
   * What limits have promised: those of supply and demand, and those of the demand of the other ads in the answer. At
   * most one ad of an answer is billed, and all of the promises end then.
   */
  readonly promises: readonly Promised[];
}

/** Which tracker of an offer tells of its billable event, in the order of `RevenueCountingMethod`. */
export const offerBillings = ['win', 'billing', 'impression'] as const;

/** Which tracker of an offer tells of its billable event. */
export type OfferBilling = (typeof offerBillings)[number];

/** What the billable event costs the advertiser, and what the publisher gets of it. */
export function priceOf(ad: TrackedAd): { readonly spentNanos: Nanos; readonly revenueNanos: Nanos } {
  const { payoutCpmMicros, clearingCpmMicros, multiplierMillionths } = ad;
  return {
    spentNanos: impressionNanos(payoutCpmMicros, multiplierMillionths),
    revenueNanos: impressionNanos(clearingCpmMicros, multiplierMillionths),
  };
}

const minuteMs = 60_000;
/**
 * How long the trackers of an ad may count: its events must be remembered as long. No token is read after that
 * (reference, "Trackers").
 */
export const adLifeMsMax = adLifeMinutesMax * minuteMs;

const noticeBytesMax = 2048;
/** Statistics cut there as well (reference, S10). */
const subIdCharactersMax = 128;
/** No domain or bundle is longer. */
const placeCharactersMax = 255;

/** A notice as the token carries it: its macros filled, or `""` where it would be too long. */
function noticeOf(url: string, macros: PartialMacroValues): string {
  const notice = url === '' ? '' : fillMacros(url, macros);
  return Buffer.byteLength(notice) > noticeBytesMax ? '' : notice;
}

/**
 * The notices of a bid that wins or loses later: an offer, whose loss notice learns the reason only then, or a
 * fallback.
 */
export function deferredNotices({ opportunity }: Auction, { bid, clearingCpmMicros }: RankedBid) {
  const won = auctionMacros(opportunity.auctionId, bid, { clearingCpmMicros });
  const lost = auctionMacros(opportunity.auctionId, bid, { reason: 'lost' });
  const later: PartialMacroValues = { ...lost, LOSS: unfilled, MIN_TO_WIN: unfilled };
  return { winNotice: noticeOf(bid.notices.win, won), lossNotice: noticeOf(bid.notices.loss, later) };
}

function billingNoticeOf({ opportunity }: Auction, { bid, clearingCpmMicros }: RankedBid): string {
  if (bid.notices.billing === '') return '';
  const macros = auctionMacros(opportunity.auctionId, bid, { clearingCpmMicros });
  return noticeOf(bid.notices.billing, { ...macros, IMP_TS: unfilled });
}

const minutesOf = ({ bid }: RankedBid) => bid.expiryMinutes || minutesFor.ad;

function standsUntilMsOf({ supply, opportunity, promises }: Auction, ranked: RankedBid): number {
  const held = [supply, ranked.candidate.demand].flatMap((object) => promises.get(object) ?? []);
  const minutes = minutesFor[promisedIn(opportunity).to];
  const promisedMs = held.map(
    ({ isAtAddress }) => (isAtAddress ? Math.min(minutesAtAddress, minutes) : minutes) * minuteMs,
  );
  const validMs = [ranked.bid.validSeconds, opportunity.validSeconds ?? 0].map((seconds) => seconds * 1000);
  const standsMs = Math.min(...[...promisedMs, ...validMs].filter((ms) => ms > 0));
  return standsMs < minutesOf(ranked) * minuteMs ? opportunity.timeMs + standsMs : 0;
}

/** Promises of further alternatives are not withdrawn; they end with time. */
const alternativesMax = 16;
/** Those of supply and demand are the other two. */
export const promisesMax = alternativesMax + 2;

function promisesTo({ supply, promises }: Auction, { candidate }: RankedBid): TrackedAd['promises'] {
  if (promises.size === 0) return [];
  const own = [supply, candidate.demand].flatMap((object) => promises.get(object) ?? []);
  const others = [...promises.values()].filter((promised) => !own.includes(promised));
  return [...own, ...others.slice(0, alternativesMax)];
}

/** What the trackers of a ranked bid have to know, for an ad that is shown: an offer's own values are added later. */
export function trackedAd(auction: Auction, ranked: RankedBid): TrackedAd {
  const { supply, opportunity, services } = auction;
  const { inventory, ip, userAgent, timeMs } = opportunity;
  const { demand } = ranked.candidate;
  return {
    auctionId: opportunity.auctionId,
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
    traffic: opportunityTraffic(opportunity, services.region),
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
  };
}
