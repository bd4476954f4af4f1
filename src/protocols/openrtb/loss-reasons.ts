/**
 * Why a bid did not win, for `${AUCTION_LOSS}` (OpenRTB 2.5 list 5.25; OpenRTB 3.0, list Loss Reason Codes). Codes from
 * 500 on are the exchange's own; Bourse has none.
 */
export const lossReasons = {
  won: 0,
  internal_error: 1,
  expired: 2,
  invalid_response: 3,
  invalid_deal_id: 4,
  invalid_auction_id: 5,
  invalid_advertiser_domain: 6,
  missing_markup: 7,
  missing_creative_id: 8,
  missing_price: 9,
  missing_approval_data: 10,
  below_auction_floor: 100,
  below_deal_floor: 101,
  lost_to_higher_bid: 102,
  lost_to_deal: 103,
  seat_blocked: 104,
  creative_filtered: 200,
  creative_pending: 201,
  creative_disapproved: 202,
  size_not_allowed: 203,
  incorrect_format: 204,
  advertiser_excluded: 205,
  app_excluded: 206,
  not_secure: 207,
  language_excluded: 208,
  category_excluded: 209,
  attribute_excluded: 210,
  ad_type_excluded: 211,
  animation_too_long: 212,
  not_allowed_in_deal: 213,
} as const;

/** A loss reason by our name. */
export type LossReason = keyof typeof lossReasons;
