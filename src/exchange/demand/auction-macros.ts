import { type LossReason, lossReasons } from '../../protocols/openrtb/loss-reasons.ts';
import type { MacroValues } from '../../protocols/openrtb/macros.ts';
import { type CpmMicros, cpmUsdOf } from '../money.ts';
import type { Reason } from '../reasons.ts';
import type { Bid, LostBid } from './demand-kind.ts';

/** What became of a bid, as far as its bidder may know. */
export interface Settlement {
  /** What the winner pays; undefined leaves the price macros empty. */
  readonly clearingCpmMicros?: CpmMicros;
  /** The lowest price that would have won. */
  readonly minToWinCpmMicros?: CpmMicros;
  /** Why it lost; absent for the winner. */
  readonly reason?: Reason;
}

/** Loss reasons for the refusals that a bidder can act on. */
const lossOfReason: Readonly<Partial<Record<Reason, LossReason>>> = {
  lost: 'lost_to_higher_bid',
  timed_out: 'expired',
  caller_gone: 'expired',
  invalid_response: 'invalid_response',
  invalid_price: 'invalid_response',
  currency_not_accepted: 'invalid_response',
  below_floor: 'below_auction_floor',
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

/** The loss code of a refusal: 0 for none (won), 1 (internal error) for reasons that are not the bid's fault. */
export function lossCodeOf(reason: Reason | undefined): number {
  return lossReasons[reason === undefined ? 'won' : (lossOfReason[reason] ?? 'internal_error')];
}

const cpmText = (cpm: CpmMicros | undefined) => (cpm === undefined ? '' : String(cpmUsdOf(cpm)));

/** The currency of all prices that we understand. */
const usd = 'USD';

/** What the macros tell of a bid; the price is unknown of some that have lost. */
type NoticedBid = Pick<Bid, 'bidId' | 'impId' | 'seat' | 'adId'> &
  Partial<Pick<Bid, 'priceCpmMicros' | 'multiplier'>> &
  Pick<LostBid, 'currency'>;

/** Values of the `${AUCTION_…}` macros for a bid's notices and markup; `IMP_TS` is known only at the billable event. */
export function auctionMacros(auctionId: string, bid: NoticedBid, settlement: Settlement): MacroValues {
  const { clearingCpmMicros, minToWinCpmMicros, reason } = settlement;
  const { priceCpmMicros, currency = usd } = bid;
  const isPriced = clearingCpmMicros !== undefined && priceCpmMicros !== undefined;
  const ratio = isPriced ? clearingCpmMicros / priceCpmMicros : undefined;
  return {
    ID: auctionId,
    BID_ID: bid.bidId,
    IMP_ID: bid.impId,
    SEAT_ID: bid.seat,
    AD_ID: bid.adId ?? '',
    PRICE: cpmText(clearingCpmMicros),
    MULTIPLIER: clearingCpmMicros === undefined ? '' : String(bid.multiplier ?? 1),
    CURRENCY: currency,
    MBR: ratio === undefined ? '' : String(Number(ratio.toFixed(6))),
    LOSS: String(lossCodeOf(reason)),
    // In the currency of the bid, so that ours says nothing of another.
    MIN_TO_WIN: currency === usd ? cpmText(minToWinCpmMicros) : '',
    IMP_TS: '',
  };
}
