import type { Reason } from './reason-help.ts';

/**
 * How far demand came when a reason ended it: not called, called without an answer in time, called in vain, answered
 * without a bid, or outbid. Other reasons are rules before the call. Limits of impressions and amounts refuse the call,
 * or the bid once its price is known.
 */
export const reasonStages = {
  notCalled: ['paused_after_failures', 'too_many_calls'],
  timeouts: ['timed_out'],
  errors: ['error', 'unreachable', 'invalid_response', 'private_address'],
  noBids: [
    ...(['no_bid', 'known_bot', 'invalid_request', 'unsupported_device', 'user_not_matched'] as const),
    ...(['user_cap_met', 'domain_cap_met', 'ads_cert_unavailable', 'ads_cert_violation'] as const),
    'schain_node_blocked',
  ],
  bids: [
    ...(['lost', 'below_floor', 'invalid_price', 'currency_not_accepted', 'invalid_creative'] as const),
    ...(['incorrect_format', 'not_inline', 'not_secure', 'size_not_allowed', 'domain_blocked'] as const),
    ...(['category_blocked', 'attribute_blocked', 'app_blocked', 'creative_id_listed'] as const),
    ...(['deal_not_offered', 'seat_not_in_deal', 'domain_not_in_deal', 'ad_type_not_in_deal'] as const),
    ...(['below_deal_floor', 'lost_to_deal', 'lost_to_priority', 'private_auction'] as const),
    ...(['seat_listed', 'caller_gone', 'visitor_refused', 'pod_full', 'pod_separation'] as const),
  ],
} as const satisfies Readonly<Record<string, readonly Reason[]>>;

/** `rules`: refused before the call. */
export type ReasonStage = keyof typeof reasonStages | 'rules';

/** The limits do not take the request: it is not counted as received. */
export const notTakenReasons = [
  'max_qps',
  'requests_daily_limit',
  'limit_share_used',
  'limit_authority_away',
  'technical_error',
] as const satisfies readonly Reason[];
