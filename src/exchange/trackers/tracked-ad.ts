import { type Fillings, fillMacros, leftOpen } from '../../protocols/openrtb/macros.ts';
import { type Auction, promisedTo, type Ranked } from '../auction/auction.ts';
import type { DemandKindName, SupplyKind } from '../configuration.ts';
import { auctionMacros } from '../demand/auction-macros.ts';
import { minutesFor } from '../limits/limits.ts';
import type { CpmMicros } from '../money.ts';
import { textHash } from './text-hash.ts';

/** An ad that was handed out: all that its trackers must know, as no server remembers it. */
export interface TrackedAd {
  readonly auctionId: string;
  readonly supply: { readonly kind: SupplyKind; readonly id: number };
  readonly demand: { readonly kind: DemandKindName; readonly id: number };
  readonly clearingCpmMicros: CpmMicros;
  readonly payoutCpmMicros: CpmMicros;
  readonly auctionMs: number;
  /** From then on its trackers count nothing. */
  readonly expiresMs: number;
  /**
   * Of an ad that a daily limit of impressions has promised one to for less than its trackers live: from then on it can
   * be neither won nor shown, nor billed. 0 = as long as they count.
   */
  readonly standsUntilMs: number;
  readonly subId: string;
  /** The site's URL or the app's bundle, which referers and the inventory's quality are held against. */
  readonly place: string;
  readonly isApp: boolean;
  /** The address that the request told, which impressions are counted for; `""` = not told. */
  readonly ip: string;
  /** Hash of the user agent that the request told; 0 = not told. */
  readonly userAgentHash: number;
  /** What to call at the billable event, macros filled but for its time; `""` = nothing. */
  readonly billingNotice: string;
  /**
   * Of an ad that was offered in somebody else's auction: the tracker that tells of its billable event, as
   * `RevenueCountingMethod` says. `""` where it was handed out to be shown: the impression.
   */
  readonly offer: OfferBilling | '';
  /**
   * What to call when an offer has won or lost, or a fallback has won, as it is shown; macros filled but for those of
   * the loss; `""` = nothing.
   */
  readonly winNotice: string;
  readonly lossNotice: string;
  /** Where a pop leads once it is opened: through `/click/`, or where it was offered, its tracker. `""` for all else. */
  readonly landing: string;
  /** The referer was held against the match flags already, and a page of ours, which has none to tell, was sent. */
  readonly isRefererChecked: boolean;
  /**
   * Handed to the holder of the auction that an ad is offered in, to tell of what becomes of it; else to whoever is
   * shown the ad. Each opens its own trackers alone.
   */
  readonly isNotice: boolean;
  /** Of the ads behind the winner of a waterfall, of which one has won when it is shown. */
  readonly isFallback: boolean;
  /** Demand behind the other ads of its answer that has promised an impression, too: one of them at most is billed. */
  readonly alternatives: readonly { readonly kind: DemandKindName; readonly id: number }[];
}

/** Which tracker of an offer tells of its billable event. */
export type OfferBilling = 'win' | 'billing' | 'impression';

/** Whether a token is of a feed's click, which counts where its visitor is sent on (`/click/`), and nowhere else. */
export function isFeedClick({ landing, offer }: TrackedAd): boolean {
  return landing !== '' && offer === '';
}

const minuteMs = 60_000;
const noticeCharactersMax = 2048;
/** Statistics cut there as well (decisions, S10). */
const subIdCharactersMax = 128;
/** No domain or bundle is longer. */
const placeCharactersMax = 255;

/** A notice as it travels in a token; one that is too long does not. */
function noticeOf(url: string, macros: Fillings): string {
  const notice = url === '' ? '' : fillMacros(url, macros);
  return notice.length > noticeCharactersMax ? '' : notice;
}

/** The notices of a bid that wins or loses later: of an offer, about which whoever tells us says why, or a fallback. */
export function laterNotices({ opportunity }: Auction, { bid, clearingCpmMicros }: Ranked) {
  const won = auctionMacros(opportunity.auctionId, bid, { clearingCpmMicros });
  const lost = auctionMacros(opportunity.auctionId, bid, { reason: 'lost' });
  const later: Fillings = { ...lost, LOSS: leftOpen, MIN_TO_WIN: leftOpen };
  return { winNotice: noticeOf(bid.notices.win, won), lossNotice: noticeOf(bid.notices.loss, later) };
}

function billingNoticeOf({ opportunity }: Auction, { bid, clearingCpmMicros }: Ranked): string {
  if (bid.notices.billing === '') return '';
  const macros = auctionMacros(opportunity.auctionId, bid, { clearingCpmMicros });
  return noticeOf(bid.notices.billing, { ...macros, IMP_TS: leftOpen });
}

const minutesOf = ({ bid }: Ranked) => bid.expiryMinutes || minutesFor.ad;

function standsUntilMsOf({ supply, opportunity }: Auction, ranked: Ranked): number {
  const isHeld = [supply, ranked.candidate.demand].some(({ limits }) => limits.impressionsDaily > 0);
  const minutes = minutesFor[promisedTo(opportunity)];
  return isHeld && minutes < minutesOf(ranked) ? opportunity.timeMs + minutes * minuteMs : 0;
}

/** Promises beyond them end with time. */
const alternativesMax = 16;

function alternativesTo({ ranking }: Auction, { candidate }: Ranked): TrackedAd['alternatives'] {
  if (ranking.length < 2) return [];
  const others = ranking
    .map((ranked) => ranked.candidate.demand)
    .filter((demand) => demand !== candidate.demand);
  const limited = others.filter(({ limits }) => limits.impressionsDaily > 0);
  return limited.slice(0, alternativesMax).map(({ kind, id }) => ({ kind, id }));
}

/** What the trackers of a ranked bid have to know. */
export function trackedAd(auction: Auction, ranked: Ranked): TrackedAd {
  const { supply, opportunity } = auction;
  const { inventory, ip, userAgent, timeMs } = opportunity;
  const { demand } = ranked.candidate;
  return {
    auctionId: opportunity.auctionId,
    supply: { kind: supply.kind, id: supply.id },
    demand: { kind: demand.kind, id: demand.id },
    clearingCpmMicros: ranked.clearingCpmMicros,
    payoutCpmMicros: ranked.payoutCpmMicros,
    auctionMs: timeMs,
    expiresMs: timeMs + minutesOf(ranked) * minuteMs,
    standsUntilMs: standsUntilMsOf(auction, ranked),
    subId: opportunity.subId.slice(0, subIdCharactersMax),
    place: (inventory.appBundle || inventory.domain).slice(0, placeCharactersMax),
    isApp: inventory.appBundle !== '',
    ip: ip?.text ?? '',
    userAgentHash: textHash(userAgent),
    billingNotice: billingNoticeOf(auction, ranked),
    offer: '',
    winNotice: '',
    lossNotice: '',
    landing: '',
    isRefererChecked: false,
    isNotice: false,
    isFallback: false,
    alternatives: alternativesTo(auction, ranked),
  };
}
