import type { BuiltResponse } from '../../../protocols/openrtb/built-response.ts';
import { macroOf } from '../../../protocols/openrtb/macros.ts';
import type { SentBidObject } from '../../../protocols/openrtb/objects/bid.ts';
import { type Auction, adIdOf, adsOf, type RankedBid } from '../../auction/auction.ts';
import { popLanding } from '../../auction/pop-landing.ts';
import { freePromises, withdraw } from '../../auction/withdraw.ts';
import { amountIn, usd } from '../../currency.ts';
import { originalBid } from '../../demand/bid-vast.ts';
import { seatOf } from '../../demand/seat-of.ts';
import { cpmUsdOf } from '../../money.ts';
import type { Media, Opportunity } from '../../opportunity.ts';
import { refuse } from '../../reasons.ts';
import type { Supply } from '../../snapshot/supply.ts';
import { deferredNotices, offerBillings, type TrackedAd, trackedAd } from '../../trackers/tracked-ad.ts';
import { trackerUrl } from '../../trackers/tracker-url.ts';
import type { DeliveryContext } from '../delivery-endpoint.ts';
import { offeredMarkup } from './offered-markup.ts';

export interface ImpAuction {
  /** As in the request. */
  readonly impId: string;
  readonly auction: Auction;
}

/** Who reports the billable event, by `RevenueCountingMethod` (reference, "Values"). */
const billingOf = ({ settings }: Supply) => offerBillings[settings.RevenueCountingMethod ?? 0] ?? 'win';

const mtypes: Readonly<Record<Media, number | undefined>> = {
  banner: 1,
  video: 2,
  audio: 3,
  native: 4,
  pop: undefined,
};

/** The caller fills these in our notices; the rest is in our token. */
const price = `&price=${macroOf('PRICE')}&cur=${macroOf('CURRENCY')}`;
const loss = `&loss=${macroOf('LOSS')}&mtw=${macroOf('MIN_TO_WIN')}`;
const noticeMacros = { win: price, billing: price, loss } as const;

/**
 * Ours are about the offer, whose caller says what it pays and what would have won. In another currency than USD they
 * say at what rate, which is the auction's; what they say never makes the price greater.
 */
function currencyParameters({ answerIn }: Opportunity, { bid }: RankedBid) {
  const offered = answerIn ? `&offercur=${answerIn.currency}&offerrate=${answerIn.usdPerUnit}` : '';
  const ratio = (answerIn?.usdPerUnit ?? 1) / (bid.foreign?.usdPerUnit ?? 1);
  return { win: offered, billing: offered, loss: ratio === 1 ? '' : `&mtwrate=${ratio}` };
}

const noNotices = { winNotice: '', billingNotice: '', lossNotice: '' } as const;

/** Two tokens: one for the notices, one for the markup with only the notices that its trackers send. */
function offerTrackers(auction: Auction, ranked: RankedBid, { tokens }: DeliveryContext) {
  const billing = billingOf(auction.supply);
  const { opportunity } = auction;
  const landing = opportunity.media === 'pop' ? (popLanding(auction, ranked) ?? '') : '';
  const notices = deferredNotices(auction, ranked);
  const ad: TrackedAd = { ...trackedAd(auction, ranked), ...notices, offer: billing };
  const inMarkup: TrackedAd = billing === 'impression' ? { ...ad, lossNotice: '' } : { ...ad, ...noNotices };
  const base = auction.services.baseUrl();
  // Tests are not tracked.
  const sign: typeof tokens.sign = (type, carried) => (opportunity.isTest ? '' : tokens.sign(type, carried));
  const token = sign('notice', ad);
  const parameters = currencyParameters(opportunity, ranked);
  const notice = (event: keyof typeof noticeMacros) =>
    opportunity.isTest
      ? undefined
      : trackerUrl({ base, token }, event) + noticeMacros[event] + parameters[event];
  return {
    expirySeconds: ((ad.standsUntilMs || ad.expiresMs) - ad.auctionMs) / 1000,
    nurl: notice('win'),
    burl: billing === 'billing' ? notice('billing') : undefined,
    lurl: notice('loss'),
    inMarkup: {
      base,
      token: sign(landing === '' ? 'markup' : 'open', { ...inMarkup, landing }),
    },
  };
}

const textIfAny = (text: string | undefined) => text || undefined;
const listIfAny = <T>(list: readonly T[]) => (list.length > 0 ? list : undefined);

function bidOf(
  { impId, auction }: ImpAuction,
  ranked: RankedBid,
  context: DeliveryContext,
): SentBidObject | undefined {
  const { opportunity } = auction;
  const { bid } = ranked;
  const trackers = offerTrackers(auction, ranked, context);
  const adm = offeredMarkup(auction, ranked, trackers.inMarkup);
  if (adm === undefined) return undefined;
  const received = originalBid(bid);
  return {
    ...received,
    dealid: bid.deal?.deal.settings.UpstreamCode || undefined,
    id: adIdOf(opportunity),
    impid: impId,
    price: opportunity.answerIn
      ? amountIn(ranked.payoutCpmMicros, opportunity.answerIn)
      : cpmUsdOf(ranked.payoutCpmMicros),
    adm,
    nurl: trackers.nurl,
    burl: trackers.burl,
    lurl: trackers.lurl,
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

/** Undefined if no impression has a winner. */
export function bidResponse(
  requestId: string,
  auctions: readonly ImpAuction[],
  context: DeliveryContext,
): BuiltResponse | undefined {
  const bySeat = new Map<string, SentBidObject[]>();
  for (const { impId, auction } of auctions) {
    const ads = adsOf(auction).flatMap((ad) => ad.ranking.slice(0, 1).map((ranked) => ({ ad, ranked })));
    const bids = ads.map(({ ad, ranked }) => bidOf({ impId, auction: ad }, ranked, context));
    if (bids.length === 0 || bids.includes(undefined)) {
      withdraw(auction, refuse('invalid_creative'));
      continue;
    }
    // A test's ad is shown to nobody.
    if (auction.opportunity.isTest) freePromises(auction);
    for (const [place, { ranked }] of ads.entries()) {
      const [seat, bid] = [seatOf(ranked.bid), bids[place]];
      if (bid) bySeat.set(seat, [...(bySeat.get(seat) ?? []), bid]);
    }
  }
  const [first] = auctions;
  if (!first || bySeat.size === 0) return undefined;
  return {
    id: requestId,
    bidid: first.auction.opportunity.auctionId,
    cur: first.auction.opportunity.answerIn?.currency ?? usd,
    seatbid: [...bySeat].map(([seat, bid]) => ({ seat, bid })),
  };
}
