import type { BuiltBid, BuiltResponse } from '../../../protocols/openrtb/built-response.ts';
import { macroOf } from '../../../protocols/openrtb/macros.ts';
import { passedOfBid } from '../../../protocols/openrtb/passed-members.ts';
import type { Auction, Ranked } from '../../auction/auction.ts';
import { popLanding } from '../../auction/pop-landing.ts';
import { freePromises, withdraw } from '../../auction/withdraw.ts';
import { seatOf } from '../../demand/seat-of.ts';
import { cpmUsdOf } from '../../money.ts';
import type { Media } from '../../opportunity.ts';
import { refuse } from '../../reasons.ts';
import type { Supply } from '../../snapshot/supply.ts';
import { laterNotices, type OfferBilling, type TrackedAd, trackedAd } from '../../trackers/tracked-ad.ts';
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

/** Macros that the caller fills in our notices; what the other macros say is in our token already. */
const price = `&price=${macroOf('PRICE')}&cur=${macroOf('CURRENCY')}`;
const loss = `&loss=${macroOf('LOSS')}&mtw=${macroOf('MIN_TO_WIN')}`;
const noticeMacros = { win: price, billing: price, loss } as const;

/** Values that only some of an offer's tokens carry, to keep the others short; `""` and absent = none. */
type Carried = Partial<
  Pick<TrackedAd, 'winNotice' | 'billingNotice' | 'lossNotice' | 'landing' | 'isNotice'>
>;

/** Signs an offer with the values that a token carries. The same values are signed only once, because it takes time. */
function offerSigner(ad: TrackedAd, { tokens }: DoorContext): (carried: Carried) => string {
  const signed = new Map<string, string>();
  return ({ winNotice = '', billingNotice = '', lossNotice = '', landing = '', isNotice = false }) => {
    const key = [winNotice, billingNotice, lossNotice, landing, isNotice].join('\n');
    const known = signed.get(key);
    if (known !== undefined) return known;
    const token = tokens.sign({ ...ad, winNotice, billingNotice, lossNotice, landing, isNotice });
    signed.set(key, token);
    return token;
  };
}

/** Up to this length together, the bidder's notices go into one token, shared by `nurl`, `burl` and `lurl`. */
const sharedCharactersMax = 512;

/**
 * Trackers of an offer. The token in its markup, where it is repeated many times, carries only the notices that the
 * markup's trackers send. If the notices are long, the token of each notice carries only those that it sends, too.
 */
function offerTrackers(auction: Auction, ranked: Ranked, context: DoorContext) {
  const billing = billingOf(auction.supply);
  const landing = auction.opportunity.media === 'pop' ? (popLanding(auction, ranked) ?? '') : '';
  const ad: TrackedAd = { ...trackedAd(auction, ranked), offer: billing };
  const { billingNotice } = ad;
  const { winNotice, lossNotice } = laterNotices(auction, ranked);
  const signed = offerSigner(ad, context);
  const base = auction.services.baseUrl();
  const isShort = winNotice.length + billingNotice.length + lossNotice.length <= sharedCharactersMax;
  const billed = (event: OfferBilling): Carried => (event === billing ? { winNotice, billingNotice } : {});
  const notice = (event: 'win' | 'billing' | 'loss', own: Carried) => {
    const carried = isShort ? { winNotice, billingNotice, lossNotice } : own;
    const token = signed({ ...carried, isNotice: true });
    return trackerUrl({ base, token }, event) + noticeMacros[event];
  };
  return {
    billing,
    expirySeconds: ((ad.standsUntilMs || ad.expiresMs) - ad.auctionMs) / 1000,
    notice: (event: 'win' | 'billing') => notice(event, { winNotice, ...billed(event) }),
    loss: () => notice('loss', { lossNotice }),
    inMarkup: { base, token: signed({ ...billed('impression'), landing }) },
  };
}

const textIfAny = (text: string | undefined) => text || undefined;
const listIfAny = <T>(list: readonly T[]) => (list.length > 0 ? list : undefined);

function bidOf({ impId, auction }: ImpAuction, ranked: Ranked, context: DoorContext): BuiltBid | undefined {
  const { opportunity } = auction;
  const { bid } = ranked;
  const trackers = offerTrackers(auction, ranked, context);
  const adm = offeredMarkup(auction, ranked, trackers.inMarkup);
  if (adm === undefined) return undefined;
  const isBilled = !opportunity.isTest;
  return {
    ...(bid.received && passedOfBid(bid.received)),
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
    exp: trackers.expirySeconds,
  };
}

/** The response with a bid for every impression that has a winner; undefined if none has. */
export function bidResponse(
  requestId: string,
  auctions: readonly ImpAuction[],
  context: DoorContext,
): BuiltResponse | undefined {
  const bySeat = new Map<string, BuiltBid[]>();
  for (const held of auctions) {
    const [winner] = held.auction.ranking;
    const bid = winner && bidOf(held, winner, context);
    if (!bid) {
      withdraw(held.auction, refuse('invalid_creative'));
      continue;
    }
    // The ad of a test is shown to nobody.
    if (held.auction.opportunity.isTest) freePromises(held.auction);
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
