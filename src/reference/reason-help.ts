/** What each reason means and what helps, as shown in explanations and reports. */
export const reasonHelp = {
  no_bid: 'It was called, and had no bid for this request.',
  no_demand: 'No connected demand object is left; connect one, or see what refuses each of them.',
  technical_error: "A failure on our side or the bidder's, or no space for counters; see the log.",
  invalid_request: 'The bidder says that the bid request is invalid.',
  known_bot: 'The visitor is a program, by its user agent; or the bidder thinks so.',
  impossible_agent:
    'No browser or app has this user agent: it is missing, names systems that exclude each other, or a version that does not exist.',
  invalid_traffic:
    'The request is invalid traffic, or too much of its inventory is; see `Invalid` by `Reason` in reports, raise `MaxIvt`, or ask the publisher.',
  invalid_address: 'The address is on a list of invalid traffic (`IpBlacklists`, `Kind` 1).',
  data_centre: 'The address is on a list of data centres and proxies (`IpBlacklists`, `Kind` 2).',
  prefetch: 'The browser only fetches the page in advance, and may never show it.',
  ip_blocked: 'The address is on a list that blocks it; see `IpBlacklists`. Or the bidder blocks it.',
  unsupported_device: 'The bidder does not accept this device.',
  publisher_blocked: 'The publisher is listed as blocked; see `PubIdList`. Or the bidder blocks it.',
  user_not_matched: 'The bidder does not know the user.',
  impressions_per_ip:
    'The address has seen the object as often as `ImpressionsLimitPerIp` allows, including ads under way; raise it, or wait.',
  frequency_cap:
    'The viewer has seen the object as often as `FrequencyCap` allows, including ads under way; raise it, shorten `FrequencyHours`, or wait. If it does not say how often, there is no room for another viewer.',
  frequency_too_soon:
    'The viewer saw the object, or is about to see it, less than `FrequencyMinMinutes` ago; lower it, or wait.',
  frequency_unknown:
    'The request has no ID of `FrequencyKey`, or consent does not permit counting by it, and `FrequencyUnknown` is 1; set it to 0, or count by another key.',
  user_cap_met: 'The bidder has shown this user enough ads.',
  domain_cap_met: 'The bidder has shown enough ads on this site.',
  ads_txt_unavailable:
    "The site's ads.txt (or app-ads.txt) could not be read; make sure it exists, or change `CheckAdsTxt`.",
  ads_txt_violation: "The site's ads.txt (or app-ads.txt) does not name the seller; have the line added.",
  ads_cert_unavailable: 'The bidder could not read the key of ads.cert.',
  ads_cert_violation: 'The bidder found the signature of ads.cert wrong.',
  insufficient_time: "Too little time is left for a call; raise `Tmax`, or lower the demand's `MinTmax`.",
  incomplete_schain: 'The supply chain of the request is not complete.',
  schain_node_blocked: 'The bidder blocks a seller of the supply chain.',
  error: 'The demand partner could not be called.',
  timed_out: 'No answer came in time; raise `Tmax`, or ask the partner about its response times.',
  invalid_response: 'The answer does not follow its protocol; ask the partner to correct it.',
  unreachable: 'The connection failed; check the URL, and that the partner listens there.',
  environment_not_enabled: 'The object does not accept this kind of site, app or screen; enable the field.',
  media_not_enabled:
    'The object does not accept this kind of ad; enable the field, or connect another object.',
  consent_missing:
    'The viewer does not permit the partner to bid (TCF, purpose 2); see `GvlId`, `ConsentMode` and what the consent string names.',
  consent_unreadable:
    'Consent is required, and its string is missing or cannot be read; see what the page or app sends for it.',
  dsa_missing:
    'The request requires transparency by the DSA, and the bid has no `ext.dsa`; ask the bidder for it.',
  dsa_invalid:
    "The bid's `ext.dsa` has texts above 100 characters, or says that nobody, or that both sides, would render it; ask the bidder to correct it.",
  below_floor:
    'The price is below the floor; lower `Bidfloor`, or the `Floor` of the rule that is named, or bid more.',
  invalid_creative: 'The ad lacks a part without which it cannot be shown.',
  size_not_allowed: 'The ad has a size that is not wanted.',
  not_secure: 'The ad loads something over http that must use https (`Secure`).',
  incorrect_format:
    'The ad has a form that the placement cannot show, for example another version of VAST or another length.',
  domain_blocked: "The advertiser's domain or brand is blocked; see `AdDomainsBrandsBlacklist`.",
  category_blocked: "The ad's category is blocked; see `BlockedAdIabCategories`.",
  attribute_blocked: 'The ad has an attribute that is blocked, for example sound without a click.',
  lost: 'Another bid was higher.',
  pod_full:
    'Other ads, or those under deals of higher priority, bring more in the time, number and places of the pod; bid more, be shorter, or raise `PodDuration` or `PodMaxAds`.',
  pod_separation: 'The pod has an ad of the same advertiser or category; see `PodSeparation`.',
  unknown_supply: 'There is no such object, or its credential is different.',
  inactive: 'The object is not active; activate it.',
  owner_inactive: "The object's publisher or advertiser is not active; activate that account.",
  country_not_targeted:
    'The country is not among the `Countries`; add it. If it is unknown, the address is private or not in the country database of the server.',
  os_not_targeted: 'The operating system is not listed in `Os`; add it.',
  browser_not_targeted: 'The browser is not among the `Browsers`; add it.',
  device_type_not_targeted: 'The type of device is not among the `DeviceTypes`; add it.',
  category_not_targeted:
    "The category of the site or app is not among the demand's `IabCategories`; add it, or set that of the supply.",
  domain_listed:
    'The site is on a blocking list, or not on the list of those allowed; see `DomainsBrandsList`.',
  app_listed: 'The app is on a blocking list, or not on the list of those allowed; see `AppsList`.',
  size_not_targeted:
    'The size of the placement is on a blocking list, or not on the list of those allowed; see `SizesList`.',
  sub_id_listed: 'The subid is blocked, or not among those allowed; see `SubidList`.',
  keyword_listed: 'The query contains a blocked keyword; see `KeywordBlacklists`.',
  ip_v6_not_allowed: 'The address is IPv6, which the object does not accept; set `AllowIpV6`.',
  floor_above_maximum: 'The floor is above `MaxBidfloor`; lower the floor, or raise `MaxBidfloor`.',
  floor_below_minimum:
    'The floor of the request is below the `MinBidfloor` of the endpoint; lower `MinBidfloor`.',
  schain_loop:
    'According to its supply chain, the request has already passed this exchange (`PreventSchainLoop`).',
  out_of_flight:
    'The time is before `StartDate` or after `EndDate`, or outside the `Flights`, by `TimeZone`; change them, or wait for the next flight.',
  outside_hours: 'The hour is not one of `Hours`; wait until it opens, or change them.',
  not_callable: 'The object has no URL that can be called; set one for the region.',
  schain_too_long: 'The supply chain has more sellers than `MaxSchainNodes`; raise it.',
  private_auction: 'The request is for deals only.',
  sellers_json_unavailable: 'The sellers.json of a seller could not be read (`CheckSellersJson`).',
  sellers_json_violation: 'A sellers.json does not name the seller in the way that the supply chain does.',
  max_qps: 'This second already has as many requests as `MaxQps` allows; raise it, or wait.',
  requests_daily_limit:
    "The day's requests, spread over its hours, are used up; raise `RequestsDailyLimit`, or wait.",
  bids_daily_limit: "The day's bids, spread over its hours, are used up; raise `BidsDailyLimit`, or wait.",
  impressions_daily_limit:
    "The day's impressions are shown, or reserved for ads under way; raise `ImpressionsDailyLimit`, or wait.",
  spent_daily_limit:
    "The day's amount is spent, or reserved for ads under way; raise the daily limit, or wait.",
  revenue_daily_limit:
    "The day's amount is earned, or reserved for ads under way; raise `RevenueDailyLimit`, or wait.",
  spend_total_limit:
    'The total amount is spent, or reserved for ads under way; raise `SpendTotalLimit`, of a deal `TotalCost`, or wait.',
  impressions_total_limit:
    'All impressions are shown, or reserved for ads under way; raise `ImpressionsTotalLimit`, of a deal `Units`, or wait.',
  flight_limit:
    'All that the present flight may use is shown or spent, or reserved for ads under way; raise its limits in `Flights`, or wait for the next.',
  paced:
    'The object is on plan: it has what is due by now of its limit (`Pacing`), so others may buy this impression. A guaranteed deal is spread over its time.',
  limit_share_used:
    'Other servers hold what is left of the limit at the moment, or have used it; more is requested at once.',
  limit_authority_away:
    'The server cannot request a share of the limit because the database or Valkey is unavailable.',
  site_not_live: "The site's page could not be read (`CheckSiteLive`).",
  app_not_live: 'The app was not found in its store (`CheckAppStore`).',
  paused_after_failures: 'Too many calls failed, so the partner is not called for a moment.',
  private_address: 'The URL leads to a private address, which is not called (`BOURSE_ALLOW_PRIVATE_DEMAND`).',
  too_many_calls: 'Too many calls to this partner are under way.',
  visitor_refused: 'The visitor does not satisfy the match flags, or is a program.',
  caller_gone: 'The client disconnected before the answer.',
  configuration_too_old:
    'The edge has not heard from its home for longer than `BOURSE_EDGE_MAX_AGE`; find out why it cannot reach it.',
  currency_not_accepted:
    'The request, the object or the bid is in a currency that has no current exchange rate; use another, or see `BOURSE_RATES_URL` on the server.',
  invalid_price: 'The bid has no price, or one that is out of bounds.',
  creative_id_listed: 'The creative is blocked by its ID, or not among those allowed; see `CridList`.',
  seat_listed: 'The buyer (seat) is blocked, or not among those allowed; see `SeatList`.',
  app_blocked: 'The advertised app is blocked; see `AdAppsBlacklist`.',
  not_inline: 'The ad is a wrapper, and only InLine ads are accepted; see `VastInlineOnly`.',
  not_worth_asking:
    'Judging by what calls have brought here, this one is not worth it (`AutoOptimize`). A share of calls is made anyway, to see whether that has changed.',
  deal_not_offered: 'The bid names a deal that the bidder was not offered for this impression; see the deal.',
  seat_not_in_deal: "The buyer (seat) is not one of the deal; see the deal's `SeatList`.",
  domain_not_in_deal: "The advertiser's domain is not one of the deal; see its `AdvertiserDomains`.",
  ad_type_not_in_deal: 'The deal is not for this kind of ad; see its `AdTypes`.',
  below_deal_floor: "The price is below that of the deal; lower the deal's `Price`, or bid more.",
  lost_to_priority: 'A campaign of higher `Priority` won, whatever the price; open bids have 10.',
  lost_to_deal: 'A bid under a deal of higher priority won, whatever the price; see its `Priority`.',
  upstream_deal_missing:
    'The request offers no deal with the ID that `UpstreamCode` names; correct it, or ask the exchange for the deal.',
  deal_without_buyer:
    "None of the deal's buyers is connected to the supply object, or none would be called; see `DspRtbEps`, `DspVastTags` and `Campaigns`.",
} as const satisfies Readonly<Record<string, string>>;

/** `exchange/reasons.ts` has their codes. */
export type Reason = keyof typeof reasonHelp;

/** `""` for an unknown reason. */
export const helpOfReason = (name: string): string =>
  Object.hasOwn(reasonHelp, name) ? reasonHelp[name as Reason] : '';
