import { type LossReason, lossReasons } from '../../protocols/openrtb/loss-reasons.ts';
import type { MacroValues, PrivacyValues } from '../../protocols/openrtb/macros.ts';
import { amountIn, usd } from '../currency.ts';
import { type CpmMicros, cpmUsdOf } from '../money.ts';
import type { Opportunity } from '../opportunity.ts';
import type { Reason } from '../reasons.ts';
import type { Bid, LostBid } from './demand-kind.ts';
import { privacyMacroValues } from './privacy-values.ts';

export interface Settlement {
  /** Undefined leaves the price macros empty. */
  readonly clearingCpmMicros?: CpmMicros;
  /** The lowest price that would have won. */
  readonly minToWinCpmMicros?: CpmMicros;
  /** Absent for the winner. */
  readonly reason?: Reason;
}

/** For the refusals that a bidder can act on. */
const lossOfReason: Readonly<Partial<Record<Reason, LossReason>>> = {
  lost: 'lost_to_higher_bid',
  pod_full: 'lost_to_higher_bid',
  pod_separation: 'advertiser_excluded',
  timed_out: 'expired',
  caller_gone: 'expired',
  invalid_response: 'invalid_response',
  invalid_price: 'invalid_response',
  dsa_missing: 'invalid_response',
  dsa_invalid: 'invalid_response',
  currency_not_accepted: 'invalid_response',
  below_floor: 'below_auction_floor',
  deal_not_offered: 'invalid_deal_id',
  seat_not_in_deal: 'not_allowed_in_deal',
  domain_not_in_deal: 'not_allowed_in_deal',
  ad_type_not_in_deal: 'ad_type_excluded',
  below_deal_floor: 'below_deal_floor',
  lost_to_deal: 'lost_to_deal',
  lost_to_priority: 'lost_to_higher_bid',
  private_auction: 'not_allowed_in_deal',
  seat_listed: 'seat_blocked',
  invalid_creative: 'creative_filtered',
  creative_id_listed: 'creative_disapproved',
  size_not_allowed: 'size_not_allowed',
  incorrect_format: 'incorrect_format',
  not_inline: 'incorrect_format',
  domain_blocked: 'advertiser_excluded',
  app_blocked: 'app_excluded',
  not_secure: 'not_secure',
  category_blocked: 'category_excluded',
  attribute_blocked: 'attribute_excluded',
};

/** 0 = won, 1 (internal error) = not the bid's fault. */
export function lossCodeOf(reason: Reason | undefined): number {
  return lossReasons[reason === undefined ? 'won' : (lossOfReason[reason] ?? 'internal_error')];
}

/** The price of some lost bids is unknown. */
type NoticedBid = Pick<Bid, 'bidId' | 'impId' | 'seat' | 'adId'> &
  Partial<Pick<Bid, 'priceCpmMicros' | 'multiplier'>> &
  Pick<LostBid, 'currency' | 'foreign'>;

/** In the bid's currency; `""` if its rate is not known. Its bid is never more than it named. */
function priceText(
  cpmMicros: CpmMicros | undefined,
  { priceCpmMicros, foreign, currency }: NoticedBid,
): string {
  if (cpmMicros === undefined || currency !== undefined) return '';
  if (foreign === undefined) return String(cpmUsdOf(cpmMicros));
  return String(cpmMicros === priceCpmMicros ? foreign.cpm : amountIn(cpmMicros, foreign));
}

/** `IMP_TS` is known only at the billable event. */
export function auctionMacros(
  opportunity: Pick<Opportunity, 'auctionId' | 'privacy'>,
  bid: NoticedBid,
  settlement: Settlement,
): MacroValues & PrivacyValues {
  const { clearingCpmMicros, minToWinCpmMicros, reason } = settlement;
  const { priceCpmMicros, foreign, currency = foreign?.currency ?? usd } = bid;
  const isPriced = clearingCpmMicros !== undefined && priceCpmMicros !== undefined;
  const ratio = isPriced ? clearingCpmMicros / priceCpmMicros : undefined;
  return {
    ...privacyMacroValues({ opportunity }),
    ID: opportunity.auctionId,
    BID_ID: bid.bidId,
    IMP_ID: bid.impId,
    SEAT_ID: bid.seat,
    AD_ID: bid.adId ?? '',
    PRICE: priceText(clearingCpmMicros, bid),
    MULTIPLIER: clearingCpmMicros === undefined ? '' : String(bid.multiplier ?? 1),
    CURRENCY: currency,
    MBR: ratio === undefined ? '' : String(Number(ratio.toFixed(6))),
    LOSS: String(lossCodeOf(reason)),
    MIN_TO_WIN: priceText(minToWinCpmMicros, bid),
    IMP_TS: '',
  };
}
