import type { Reason } from '../reference/reason-help.ts';

export type { Reason };

/** Codes to 357 are those of the IAB extension "Seat Non Bid" for OpenRTB 2.x; 500 and over are ours. */
export const reasons = {
  no_bid: 0,
  no_demand: 0,
  technical_error: 1,
  invalid_request: 2,
  known_bot: 3,
  invalid_traffic: 4,
  impossible_agent: 4,
  invalid_address: 4,
  data_centre: 5,
  ip_blocked: 5,
  unsupported_device: 6,
  publisher_blocked: 7,
  user_not_matched: 8,
  impressions_per_ip: 9,
  frequency_cap: 9,
  frequency_too_soon: 9,
  frequency_unknown: 9,
  user_cap_met: 9,
  domain_cap_met: 10,
  ads_txt_unavailable: 11,
  ads_txt_violation: 12,
  ads_cert_unavailable: 13,
  ads_cert_violation: 14,
  insufficient_time: 15,
  incomplete_schain: 16,
  schain_node_blocked: 17,
  error: 100,
  timed_out: 101,
  invalid_response: 102,
  unreachable: 103,
  environment_not_enabled: 201,
  media_not_enabled: 202,
  consent_missing: 204,
  consent_unreadable: 204,
  dsa_missing: 300,
  dsa_invalid: 300,
  below_floor: 301,
  invalid_creative: 350,
  size_not_allowed: 351,
  not_secure: 352,
  incorrect_format: 353,
  domain_blocked: 356,
  category_blocked: 357,
  attribute_blocked: 357,
  lost: 500,
  unknown_supply: 501,
  inactive: 503,
  owner_inactive: 504,
  country_not_targeted: 510,
  os_not_targeted: 511,
  browser_not_targeted: 512,
  device_type_not_targeted: 513,
  category_not_targeted: 514,
  domain_listed: 515,
  app_listed: 516,
  size_not_targeted: 517,
  sub_id_listed: 518,
  keyword_listed: 519,
  ip_v6_not_allowed: 520,
  floor_above_maximum: 521,
  floor_below_minimum: 522,
  schain_loop: 523,
  out_of_flight: 524,
  not_callable: 525,
  schain_too_long: 526,
  private_auction: 527,
  sellers_json_unavailable: 528,
  sellers_json_violation: 529,
  max_qps: 530,
  requests_daily_limit: 531,
  bids_daily_limit: 532,
  impressions_daily_limit: 533,
  spent_daily_limit: 534,
  revenue_daily_limit: 535,
  spend_total_limit: 536,
  limit_share_used: 539,
  limit_authority_away: 545,
  site_not_live: 537,
  app_not_live: 538,
  paused_after_failures: 540,
  private_address: 541,
  too_many_calls: 542,
  visitor_refused: 543,
  caller_gone: 544,
  configuration_too_old: 546,
  prefetch: 547,
  currency_not_accepted: 550,
  invalid_price: 551,
  creative_id_listed: 552,
  seat_listed: 553,
  app_blocked: 554,
  not_inline: 555,
  not_worth_asking: 556,
  pod_full: 557,
  pod_separation: 558,
  deal_not_offered: 559,
  seat_not_in_deal: 560,
  domain_not_in_deal: 561,
  ad_type_not_in_deal: 562,
  below_deal_floor: 563,
  lost_to_deal: 564,
  upstream_deal_missing: 565,
  deal_without_buyer: 566,
  impressions_total_limit: 567,
  paced: 568,
  outside_hours: 572,
  lost_to_priority: 569,
  flight_limit: 573,
} as const satisfies Readonly<Record<Reason, number>>;

/** The reason, and the rule's field with what it wanted and what it met. */
export interface Refusal {
  readonly reason: Reason;
  /** As `Countries`; absent if no field refused. */
  readonly field?: string;
  readonly wanted?: unknown;
  readonly met?: unknown;
  /** What else would have refused here; in explanations only. */
  readonly further?: readonly Refusal[];
}

export function refuse(reason: Reason, details: Omit<Refusal, 'reason'> = {}): Refusal {
  return { reason, ...details };
}

export function isRefusal(value: object): value is Refusal {
  return 'reason' in value;
}
