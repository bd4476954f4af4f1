import { dealTerms } from '../../deal-terms.ts';
import type { Bid } from '../../demand/demand-kind.ts';
import { seatOf } from '../../demand/seat-of.ts';
import { memoizeWeak } from '../../memoize-weak.ts';
import { cpmUsdOf } from '../../money.ts';
import type { OfferedDeal } from '../../offered-deal.ts';
import { type Refusal, refuse } from '../../reasons.ts';
import type { Deal } from '../../snapshot/deal.ts';
import { blockedParent, hostOf } from './ad-domains.ts';
import type { BidCheck, BidRule } from './bid-rule.ts';
import { listedSize } from './size.ts';

const metCharactersMax = 100;

type DealCheck = (bid: Bid, offer: OfferedDeal) => Refusal | undefined;

const adType: DealCheck = ({ media: met }, { deal }) => {
  const { media } = dealTerms(deal);
  if (media === undefined || media.has(met)) return undefined;
  return refuse('ad_type_not_in_deal', { field: 'AdTypes', wanted: media, met });
};

const sizesOf = memoizeWeak((deal: Deal) => listedSize(deal));

/** Of the impression for that medium, then of the ad. */
const size: DealCheck = (bid, { deal, refusedMedia }) => {
  const { field, wanted, met } = refusedMedia.get(bid.media) ?? {};
  return field ? refuse('size_not_allowed', { field, wanted, met }) : sizesOf(deal)?.(bid);
};

const seat: DealCheck = (bid, { seats, blockedSeats }) => {
  const met = seatOf(bid);
  if (seats ? seats.has(met) : !blockedSeats.has(met)) return undefined;
  return refuse('seat_not_in_deal', { field: 'SeatList', wanted: seats ?? `not ${met}`, met });
};

/** An ad that names no domain is none of them. */
const advertiser: DealCheck = ({ adDomains }, { domains }) => {
  if (domains === undefined) return undefined;
  const other = adDomains.find((domain) => blockedParent(hostOf(domain), domains) === undefined);
  if (adDomains.length > 0 && other === undefined) return undefined;
  return refuse('domain_not_in_deal', { field: 'AdvertiserDomains', wanted: domains, met: other ?? '' });
};

const price: DealCheck = ({ priceCpmMicros }, { floorCpmMicros }) =>
  priceCpmMicros >= floorCpmMicros
    ? undefined
    : refuse('below_deal_floor', {
        field: 'Price',
        wanted: cpmUsdOf(floorCpmMicros),
        met: cpmUsdOf(priceCpmMicros),
      });

const checks: readonly DealCheck[] = [adType, size, seat, advertiser, price];

/** The first of a deal's terms that a bid does not meet. */
export function dealRefusal(bid: Bid, offer: OfferedDeal): Refusal | undefined {
  for (const check of checks) {
    const refusal = check(bid, offer);
    if (refusal) return refusal;
  }
  return undefined;
}

/** A bid under a deal meets its terms. Others name none, and are for auctions that are open. */
export const deal: BidCheck = (bid, { original }) => {
  if (bid.deal !== undefined) return dealRefusal(bid, bid.deal);
  if (bid.dealId) {
    return refuse('deal_not_offered', { field: 'dealid', met: bid.dealId.slice(0, metCharactersMax) });
  }
  const isPrivate = original?.imp.pmp?.private_auction === 1;
  return isPrivate ? refuse('private_auction', { field: 'pmp', met: 1 }) : undefined;
};

/** A block that does not hold for bids under a deal with `OverrideBlocks`. */
export const unlessOverridden =
  (rule: BidRule): BidRule =>
  (object) => {
    const check = rule(object);
    if (check === undefined) return undefined;
    return (bid, opportunity) =>
      bid.deal?.deal.settings.OverrideBlocks === 1 ? undefined : check(bid, opportunity);
  };
