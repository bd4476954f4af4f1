import type { BuiltBid, BuiltResponse } from '../../../protocols/openrtb/built-response.ts';
import { macroOf } from '../../../protocols/openrtb/macros.ts';
import type { Auction, Ranked } from '../../auction/auction.ts';
import { popLanding } from '../../auction/pop-landing.ts';
import { withdraw } from '../../auction/withdraw.ts';
import { seatOf } from '../../demand/seat-of.ts';
import { cpmUsdOf } from '../../money.ts';
import type { Media } from '../../opportunity.ts';
import type { Supply } from '../../snapshot/supply.ts';
import { type OfferBilling, offerNotices, type TrackedAd, trackedAd } from '../../trackers/tracked-ad.ts';
import { trackerUrl } from '../../trackers/tracker-url.ts';
import type { DoorContext } from '../door.ts';
import { offeredMarkup } from './offered-markup.ts';

/** An auction that was held for an impression. */
export interface ImpAuction {
  /** ID of the impression, as the request has it. */
  readonly impId: string;
  readonly auction: Auction;
}

/** `RevenueCountingMethod` (decisions, "Values"): who tells us of the billable event. */
const billings: readonly OfferBilling[] = ['win', 'billing', 'impression'];
const billingOf = ({ document }: Supply) => billings[Number(document.RevenueCountingMethod)] ?? 'win';

const mtypes: Readonly<Record<Media, number | undefined>> = {
  banner: 1,
  video: 2,
  audio: 3,
  native: 4,
  pop: undefined,
};

/** What the caller fills in for us; the other macros tell us nothing that our token does not. */
const price = `&price=${macroOf('PRICE')}&cur=${macroOf('CURRENCY')}`;
const loss = `&loss=${macroOf('LOSS')}&mtw=${macroOf('MIN_TO_WIN')}`;
const toldByNotice = { win: price, billing: price, loss } as const;

/** Trackers of an offer. Each token carries only the notices that its tracker sends on, as they are long. */
function offerTrackers(auction: Auction, ranked: Ranked, { tokens }: DoorContext) {
  const billing = billingOf(auction.supply);
  const landing = auction.opportunity.media === 'pop' ? (popLanding(auction, ranked) ?? '') : '';
  const ad: TrackedAd = { ...trackedAd(auction, ranked), offer: billing };
  const { winNotice, lossNotice } = offerNotices(auction, ranked);
  const base = auction.services.baseUrl();
  const carried = (event: OfferBilling) => ({
    winNotice: event === billing || event !== 'impression' ? winNotice : '',
    billingNotice: event === billing ? ad.billingNotice : '',
  });
  const signed = (members: Partial<TrackedAd>) => tokens.sign({ ...ad, ...members });
  const url = (event: 'win' | 'billing' | 'loss', token: string) =>
    trackerUrl({ base, token }, event) + toldByNotice[event];
  return {
    billing,
    notice: (event: 'win' | 'billing') => url(event, signed(carried(event))),
    loss: () => url('loss', signed({ billingNotice: '', lossNotice })),
    inMarkup: { base, token: signed({ ...carried('impression'), landing }) },
  };
}

const textIfAny = (text: string | undefined) => text || undefined;
const listIfAny = <T>(list: readonly T[]) => (list.length > 0 ? list : undefined);

/** Minutes that a bid lives where its demand does not say. */
const expiryMinutes = 60;

function bidOf({ impId, auction }: ImpAuction, ranked: Ranked, context: DoorContext): BuiltBid | undefined {
  const { opportunity } = auction;
  const { bid } = ranked;
  const trackers = offerTrackers(auction, ranked, context);
  const adm = offeredMarkup(auction, ranked, trackers.inMarkup);
  if (adm === undefined) return undefined;
  const isBilled = !opportunity.isTest;
  return {
    id: opportunity.auctionId,
    impid: impId,
    price: cpmUsdOf(ranked.payoutCpmMicros),
    adm,
    nurl: isBilled ? trackers.notice('win') : undefined,
    burl: isBilled && trackers.billing === 'billing' ? trackers.notice('billing') : undefined,
    lurl: isBilled ? trackers.loss() : undefined,
    adid: textIfAny(bid.adId),
    adomain: listIfAny(bid.adDomains),
    bundle: textIfAny(bid.appBundle),
    crid: textIfAny(bid.creativeId),
    cat: listIfAny(bid.categories),
    attr: listIfAny(bid.attributes),
    mtype: mtypes[opportunity.media],
    w: bid.width || opportunity.width || undefined,
    h: bid.height || opportunity.height || undefined,
    exp: (bid.expiryMinutes || expiryMinutes) * 60,
  };
}

/** The response with a bid for every impression that was won; undefined where none was. */
export function bidResponse(
  requestId: string,
  auctions: readonly ImpAuction[],
  context: DoorContext,
): BuiltResponse | undefined {
  const bySeat = new Map<string, BuiltBid[]>();
  for (const held of auctions) {
    const [winner] = held.auction.ranking;
    const bid = winner && bidOf(held, winner, context);
    // Nobody will be shown it.
    if (winner && (!bid || held.auction.opportunity.isTest)) withdraw(held.auction, winner);
    if (!bid) continue;
    const seat = seatOf(winner.bid);
    bySeat.set(seat, [...(bySeat.get(seat) ?? []), bid]);
  }
  const [first] = auctions;
  if (!first || bySeat.size === 0) return undefined;
  return {
    id: requestId,
    bidid: first.auction.opportunity.auctionId,
    cur: 'USD',
    seatbid: [...bySeat].map(([seat, bid]) => ({ seat, bid })),
  };
}
