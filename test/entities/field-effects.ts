/** Entities by short words, for rows that are about some of those that have a field. */
const supply = 'VastTag RtbEp PopFeed BannerEp';
const demand = 'DspVastTag DspRtbEp DspPopFeed Campaign';
const accounts = 'Publisher Advertiser';

/** What some fields do: the test that shows it, or why they are for people only. */
export type Effect = {
  /** Names of fields, of all entities that have them, or of those of `of`. */
  readonly fields: string;
  readonly of?: string;
} & (
  | {
      /** A test file below `test/`, and text of it: the name of a test, or of a row of its tables. */
      readonly test: readonly [file: string, name: string];
      /** The file of the table that the test reads its rows from, where it is another one. */
      readonly rows?: string;
    }
  /** A case below `test/cases/`, without its ending. */
  | { readonly case: string }
  | { readonly forPeople: string }
);

const targeting = { rows: 'exchange/targeting/demand-rows.ts' } as const;
const rules = (name: string) => ({ test: ['exchange/targeting/rules.test.ts', name] as const, ...targeting });
const door = (file: string, name: string) => ({ test: [`exchange/${file}.test.ts`, name] as const });
const api = (file: string, name: string) => ({ test: [`management/${file}.test.ts`, name] as const });

/** Every field of every entity, once. */
export const effects: readonly Effect[] = [
  // What all objects have.
  { fields: 'Id', ...api('every-resource', 'add answers an active object under its wrapper, and get the same') },
  { fields: 'TeamId', ...api('teams', 'what other teams change does not show') },
  { fields: 'Name', of: 'Publisher', ...door('sellers-json-door', 'lists every active publisher as it is now') },
  { fields: 'Name', of: `Advertiser ${supply} ${demand} Deal FloorRule DomainList AppList IpList KeywordList Tag Report Alert`, forPeople: 'It names the object where people see it: in lists, searches, reports and files of the configuration.' },
  { fields: 'Status', of: `${accounts} ${supply} ${demand}`, ...door('vast-limits', 'inactive demand and demand of an inactive owner is explained, and never asked') },
  { fields: 'Status', of: 'DomainList AppList IpList KeywordList', ...api('every-resource', 'deactivate and activate, each twice, change the status and no more') },
  { fields: 'Status', of: 'Tag', forPeople: 'An inactive tag is one that people no longer use; it stays on its objects.' },
  { fields: 'Status', of: 'Deal FloorRule', ...api('every-resource', 'deactivate and activate, each twice, change the status and no more') },
  { fields: 'Status', of: 'Alert', ...api('every-resource', 'deactivate and activate, each twice, change the status and no more') },
  { fields: 'Status', of: 'Report', ...api('own-reports', 'they are sent with the rights of their user, whoever has changed them') },
  { fields: 'StatusString', forPeople: 'It says Status in words.' },
  { fields: 'Tags', forPeople: 'Labels by which people find objects again.' },
  { fields: 'Color', forPeople: 'The color in which the console shows a tag.' },

  // Accounts.
  { fields: 'Mail Description Website Country City ZipCode Address Phone MsgApp MsgAccount', of: accounts, forPeople: 'Who the company is and how to reach it, for those who look after it.' },
  { fields: 'AccManagerId', ...api('every-resource', 'get takes the filters that fit, and no others') },
  { fields: 'AccManagerName', forPeople: 'It says AccManagerId in words.' },
  { fields: 'PublisherName AdvertiserName', forPeople: 'It says the owner in words.' },
  { fields: 'PlatformDomain SellersJsonDomain SellerType SellerId', ...door('sellers-json-door', 'lists every active publisher as it is now') },
  { fields: 'Username', ...api('derived', 'usernames are escaped, and follow a change of the owner') },
  { fields: 'StatsAuth', ...door('rotation', 'statistics URLs take the old credential until its time is over; 0 hours end all of them') },
  { fields: 'StatsByDateCsv', ...api('statistics', 'as they are handed out, with unfilled templates: today, a row of zeros') },
  { fields: 'StatsByDateJson', ...api('statistics', 'as JSON: the same names, with numbers') },
  { fields: 'StatsBySubIdCsv StatsBySubIdJson', ...api('statistics', 'as they are handed out, with unfilled templates: today, a row of zeros') },
  { fields: 'BannerEpsCount RtbEpsCount VastTagsCount PopFeedsCount CampaignsCount DspRtbEpsCount DspVastTagsCount DspPopFeedsCount', ...api('derived', 'counts of what an account owns') },
  { fields: 'PublisherId', ...door('explain', 'what is inactive is explained as that') },
  { fields: 'AdvertiserId', ...door('vast-limits', 'inactive demand and demand of an inactive owner is explained, and never asked') },

  // Limits.
  { fields: 'MaxQps', case: 'limits/maxqps-of-a-tag' },
  { fields: 'RequestsDailyLimit', case: 'limits/requestsdailylimit-of-a-tag-what-is-refused-is-not-counted' },
  { fields: 'BidsDailyLimit', ...door('limits-restart', 'bids count after a restart as before it') },
  { fields: 'ImpressionsDailyLimit', case: 'banner/a-banner-that-is-not-shown-leaves-its-impression-to-the-next' },
  { fields: 'ImpressionsLimitPerIp', ...door('vast-restart', 'what was counted today still counts after a restart, and no more the next day') },
  { fields: 'FrequencyCap FrequencyHours FrequencyMinMinutes', ...door('frequency', 'FrequencyCap and FrequencyMinMinutes of a campaign by user, explained, over a restart') },
  { fields: 'FrequencyKey', ...door('frequency', 'a device') },
  { fields: 'FrequencyUnknown', ...door('frequency', 'a user without an ID') },
  { fields: 'SpentDailyLimit', ...door('drained-budgets', 'SpentDailyLimit of a VAST Tag') },
  { fields: 'RevenueDailyLimit', ...door('drained-budgets', 'RevenueDailyLimit of a DSP VAST Tag') },
  { fields: 'SpendDailyLimit', ...door('drained-budgets', 'SpendDailyLimit of a campaign') },
  { fields: 'SpendTotalLimit', ...door('drained-budgets', 'SpendTotalLimit of a campaign') },
  { fields: 'ImpressionsTotalLimit', ...door('drained-budgets', 'ImpressionsTotalLimit of a DSP VAST Tag') },
  { fields: 'Pacing', ...door('pacing', 'a campaign with Pacing is shown as often as is due by now') },
  { fields: 'Flights', ...door('pacing', 'a flight has limits of its own') },

  // Whom an object is for.
  { fields: 'WebEnabled', case: 'targeting/web-traffic' },
  { fields: 'AppEnabled', case: 'targeting/app-traffic' },
  { fields: 'MaxIvt', ...door('vast-limits', 'MaxIvt: the inventory of bots is refused, and a bot elsewhere; people elsewhere are not') },
  { fields: 'DomainsBrandsListMode DomainsBrandsList', ...rules('targeting rules') },
  { fields: 'AppsListMode AppsList', case: 'targeting/an-app-by-a-whitelist' },
  { fields: 'SizesListMode SizesList', case: 'targeting/a-size-by-a-whitelist' },
  { fields: 'IpBlacklists', case: 'targeting/an-address-of-a-range' },
  { fields: 'Kind', of: 'IpList', ...door('invalid-traffic', 'an address in a data centre') },
  { fields: 'SsaiServers', ...door('invalid-traffic', 'a server of SSAI by its address, with the device that it names') },
  { fields: 'NonEmptyReferer RefererMatch', case: 'banner/the-referer-of-a-frame-the-right-one' },
  { fields: 'IpMatch UaMatch', ...door('vast-limits', 'match flags: an impression that they refuse is answered, and counts nothing') },
  { fields: 'AllowIpV6', case: 'targeting/ipv6-where-it-is-not-allowed' },
  { fields: 'CheckSiteLive', ...door('crawl/crawled-doors', 'the site is not there') },
  { fields: 'CheckAppStore', ...door('crawl/crawled-doors', 'the app is not there') },
  { fields: 'CheckAdsTxt', ...door('crawl/crawled-doors', 'ads.txt lists the publisher') },
  { fields: 'CheckAppAdsTxt', ...door('crawl/crawled-doors', 'app-ads.txt lists the seller') },
  { fields: 'CheckSellersJson', ...door('crawl/crawled-doors', 'sellers.json does not list the seller') },
  { fields: 'IabCategories', case: 'targeting/a-category-covers-those-below-it' },
  { fields: 'Countries', case: 'targeting/the-country-of-the-address' },
  { fields: 'Os', ...rules('targeting rules') },
  { fields: 'Browsers', case: 'targeting/a-browser' },
  { fields: 'DeviceTypes', case: 'targeting/a-device-of-the-general-type' },
  { fields: 'PubIdListMode PubIdList', ...rules('targeting rules') },
  { fields: 'MaxBidfloor', of: 'DspVastTag DspRtbEp DspPopFeed', case: 'rtb/a-bidder-below-whose-floor-the-impression-is-too-dear-is-not' },
  { fields: 'MaxBidfloor', of: 'RtbEp', ...door('rtb-explained', 'MaxBidfloor') },
  { fields: 'MinBidfloor', ...door('rtb-explained', 'MinBidfloor') },
  { fields: 'MinTmax', case: 'rtb/a-bidder-that-needs-more-time-is-not-asked' },
  { fields: 'StartDate', case: 'targeting/a-campaign-to-come' },
  { fields: 'EndDate', ...door('explain', 'everything that refuses is told, not only the first') },
  { fields: 'SubidListMode SubidList', case: 'pop/a-subid-that-is-not-of-the-whitelist' },
  { fields: 'KeywordBlacklistsType KeywordBlacklists', case: 'pop/keywords-1-get-free-money-now' },
  { fields: 'AutoOptimize', ...door('optimize', 'AutoOptimize') },
  { fields: 'ThirdPartyPostbidEnable ThirdPartyPercentage', ...door('measurement', 'ThirdPartyPostbidEnable and ThirdPartyPercentage') },

  // Placements.
  { fields: 'Version', ...door('vast-versions', 'a Version that is sent is held, shown and exported; one that is omitted is not') },
  { fields: 'Keywords AppName AppBundle AppStoreUrl DisplayManager Mimes AdPosition Linearity Placement', ...door('described-fields', 'bidders are told what the fields of a placement say of it') },
  { fields: 'Plcmt', of: 'BannerEp', case: 'banner/a-video-wins-where-it-may' },
  { fields: 'Plcmt', of: 'VastTag', ...door('unfilled', 'plcmt of a tag is sent beside placement; the URL wins') },
  { fields: 'Width Height', of: 'VastTag BannerEp', ...door('described-fields', 'bidders are told what the fields of a placement say of it') },
  { fields: 'SiteDomain', ...door('crawl/crawled-doors', 'a publisher sees the lines it is to publish, and whether they were found on its places') },
  { fields: 'Secure', case: 'banner/an-insecure-picture' },
  { fields: 'Waterfall', ...door('explain', 'Waterfall: what is shown behind the winner is explained as the auction tells it') },
  { fields: 'PodDuration PodMaxAds', ...door('pods', 'a tag with PodDuration asks for a pod, and answers its ads in one document') },
  { fields: 'PodSeparation', ...door('pods', 'advertisers apart') },
  { fields: 'ZoneUrls', ...api('derived', 'PopFeed.FeedUrls, in XML and in JSON') },
  { fields: 'FeedUrls', ...api('derived', 'PopFeed.FeedUrls, in XML and in JSON') },
  { fields: 'DirectUrls', ...door('in-browser', 'the page of JsCheck') },
  { fields: 'Auth AuthDirectUrl', ...door('rotation', 'the old credential works at the doors until its time is over') },
  { fields: 'FallbackUrl', case: 'direct/no-demand-and-a-fallbackurl' },
  { fields: 'JsCheck', ...door('direct-door', 'JsCheck stands between, and the visit counts once the browser has passed') },
  { fields: 'SendOriginalSite', ...door('pop-demand', 'is asked with the macros filled, and told of the platform instead of the site unless both sides allow it') },

  // Prices.
  { fields: 'Currency', of: 'VastTag', case: 'currencies/a-bid-equal-to-its-floor-in-jpy' },
  { fields: 'Currency', of: 'RtbEp', case: 'currencies/an-endpoint-whose-bounds-are-in-eur' },
  { fields: 'Currency', of: 'BannerEp', case: 'currencies/a-banner-whose-floor-is-in-eur' },
  { fields: 'Currency', of: 'PopFeed DspPopFeed', case: 'currencies/a-feed-in-eur' },
  { fields: 'Currency', of: 'DspRtbEp', case: 'currencies/two-eur-beat-a-higher-number-of-usd' },
  { fields: 'Currency', of: 'DspVastTag', case: 'currencies/a-fixed-price-in-eur' },
  { fields: 'Currency', of: 'Campaign', case: 'currencies/a-currency-without-a-rate-of-a-bidder' },
  { fields: 'Bidfloor', ...door('explain', 'everything that refuses is told, not only the first') },
  { fields: 'DspBidfloorMargin', case: 'length-floors/bidders-are-told-floors-by-length-with-the-margin' },
  { fields: 'PublisherProfitShare', case: 'length-floors/what-the-publisher-gets-begins-with-that-floor' },
  { fields: 'AuctionType', of: 'VastTag PopFeed BannerEp', case: 'direct/a-fixed-price-in-a-second-price-auction-is-not-lowered' },
  { fields: 'AuctionType', of: 'DspRtbEp', ...door('rtb-demand', 'what the request tells goes on to the bidder, with what the endpoint adds') },
  { fields: 'RevenueCountingMethod', case: 'notices/method-1-a-win-then-billing' },
  { fields: 'Cpm', ...door('explain', 'Waterfall: what is shown behind the winner is explained as the auction tells it') },
  { fields: 'FixedCpm', case: 'dsp-vast-tags/fixedcpm-counts-before-the-price-of-the-document' },
  { fields: 'FixedSpendCpc DirectUrl', case: 'direct/a-fixed-price-in-a-second-price-auction-is-not-lowered' },
  { fields: 'PriceImp1000', case: 'pop/answer-in-a-price-for-a-thousand' },

  // What an ad may be.
  { fields: 'AdDomainsBrandsBlacklist', case: 'banner/a-blocked-advertiser' },
  { fields: 'AdAppsBlacklist', case: 'judged-bids/a-blocked-app' },
  { fields: 'CridListMode CridList', of: 'DspRtbEp', ...door('auction/judge', "a DSP RTB EP's own lists") },
  { fields: 'CridListMode CridList', of: 'VastTag RtbEp BannerEp', ...door('auction/judge', 'the first rule in the order of the steps refuses'), rows: 'exchange/auction/judge-cases.ts' },
  { fields: 'SeatListMode SeatList', of: 'DspRtbEp', ...door('auction/judge', "a DSP RTB EP's own lists") },
  { fields: 'BlockedAdIabCategories', case: 'judged-bids/a-blocked-category-covers-those-below-it' },
  { fields: 'BlockedAdAttributes', case: 'judged-bids/a-blocked-attribute' },
  { fields: 'VastInlineOnly', case: 'media/vastinlineonly' },

  // Protocol.
  { fields: 'Tmax', ...door('pop-demand', 'hostile answers are no bids, and harm nobody beside them') },
  { fields: 'TmaxAdjust', ...door('rtb-time', 'the time that demand gets of a request') },
  { fields: 'HeaderBidJs', test: ['integrations/prebid-js.test.ts', 'banner, video and native ads are shown, and counted once on both sides'] },
  { fields: 'PopAdmXml', ...door('rtb-pop', 'XML goes out where PopAdmXml wants it') },
  { fields: 'VideoEnabled', of: 'BannerEp', case: 'banner/a-video-wins-where-it-may' },
  { fields: 'VideoEnabled', of: 'RtbEp DspRtbEp', ...door('described-fields', 'an endpoint, and a bidder, take part for the media that are enabled') },
  { fields: 'BannerEnabled AudioEnabled NativeEnabled', ...door('described-fields', 'an endpoint, and a bidder, take part for the media that are enabled') },
  { fields: 'PopEnabled', ...door('rtb-pop', 'a DSP Pop Feed bids for the pops of an RTB EP, which lead on when they are opened') },
  { fields: 'AddSchainNode SetSchainComplete', case: 'supply-chain/begun-and-complete' },
  { fields: 'DiscardSchain', case: 'supply-chain/discarded' },
  { fields: 'MaxSchainNodes', case: 'supply-chain/too-long-for-this-bidder' },
  { fields: 'CompleteSchain', case: 'supply-chain/incomplete-for-this-bidder' },
  { fields: 'Schain', ...door('rtb-explained', 'no chain') },
  { fields: 'PreventSchainLoop', ...door('rtb-explained', 'a chain in a circle') },
  { fields: 'ZoneUrlUsEast ZoneUrlEu ZoneUrlApac', of: 'DspVastTag', ...door('demand/dsp-vast-tag', 'the URL is that of the region') },
  { fields: 'ZoneUrlUsEast ZoneUrlEu ZoneUrlApac', of: 'DspRtbEp', ...door('demand/dsp-rtb-ep/build', 'the call') },
  { fields: 'FeedUrlUsEast FeedUrlEu FeedUrlApac', ...door('described-fields', 'a pop feed is asked by the URL of the region') },
  { fields: 'ExpiryWindow', ...door('rtb-expiry', 'an impression counts within its ExpiryWindow, within the hour where it is promised') },
  { fields: 'Gzip', ...door('demand/dsp-rtb-ep/build', 'is compressed where the endpoint wants it') },
  { fields: 'CustomParams', ...door('demand/dsp-rtb-ep/build', 'of one endpoint takes nothing from the values set by path of another') },
  { fields: 'StatsApi', ...api('reconciliation', 'are fetched once a day for the last three days, and stand in reports') },
  { fields: 'StatsApiHeaders', ...api('reconciliation', 'secrets go to the host of the URL alone, and stand in no answer and no log') },
  { fields: 'StatsDashboardUrl', forPeople: 'Where people look at the partner\'s own figures; a dashboard is a page for eyes.' },

  // Campaigns.
  { fields: 'Type', of: 'Campaign', ...door('demand/campaign', 'what is shown depends on the type') },
  { fields: 'MediaUrl Mime Duration', ...door('demand/campaign', 'a bid says what the campaign says') },
  { fields: 'Width Height', of: 'Campaign', ...door('demand/campaign', 'a bid says what the campaign says') },
  { fields: 'ClickUrl', ...door('vast-door', 'gives the ad with trackers, counts its impression once, and leads clicks on') },
  { fields: 'Html', case: 'several-media/campaigns-of-two-media' },
  { fields: 'AdDomain IabCategory Attributes', ...door('demand/campaign', 'a bid says what the campaign says') },

  // Connections.
  { fields: 'VastTags RtbEps PopFeeds BannerEps', of: demand, ...api('connections', 'set on one side it shows on the other, in both directions') },
  { fields: 'Campaigns DspRtbEps DspVastTags DspPopFeeds', of: supply, ...api('connections', 'set on one side it shows on the other, in both directions') },
  { fields: 'VastTags RtbEps PopFeeds BannerEps Campaigns DspRtbEps DspVastTags DspPopFeeds Deals FloorRules', of: 'DomainList AppList IpList KeywordList', forPeople: 'Who uses the list: people are to see whom a change of it concerns.' },

  // Deals.
  { fields: 'Code', ...api('deals', 'has a code that no other deal of the team has, and that other teams may use') },
  { fields: 'Description', of: 'Deal', forPeople: 'What people and buyers are told about the deal.' },
  { fields: 'Hours HoursOf', ...rules('targeting rules') },
  { fields: 'TimeZone', of: `${demand} FloorRule`, ...rules('targeting rules') },
  { fields: 'Type AdTypes StartTime EndTime TimeZone', of: 'Deal', case: 'deals/what-a-deal-is-for' },
  { fields: 'PriceType Price', of: 'Deal', case: 'deals/the-second-price-of-a-deal' },
  { fields: 'Priority', of: 'Campaign', case: 'prices/a-campaign-of-higher-priority-wins-over-higher-bids' },
  { fields: 'Weight', ...door('auction/clear', 'equal bids come first as often as Weight says') },
  { fields: 'Priority', of: 'Deal', case: 'deals/a-lower-number-of-priority-wins' },
  { fields: 'Currency', of: 'Deal', ...door('auction/match-deals', 'a deal in a currency without a rate is not offered') },
  { fields: 'Curator CurationFeeType CurationFee', of: 'Deal', case: 'deals/the-first-price-of-a-deal-less-a-fee' },
  { fields: 'Units TotalCost', of: 'Deal', ...door('drained-budgets', 'Units of a deal') },
  { fields: 'Pace ForecastUnits ForecastEnd', ...door('pacing', 'a guaranteed deal delivers what is due by now') },
  { fields: 'SeatListMode SeatList AdvertiserDomains', of: 'Deal', case: 'deals/bids-are-refused-one-by-one' },
  { fields: 'DspRtbEps DspVastTags Campaigns VastTags RtbEps BannerEps', of: 'Deal', ...door('auction/match-deals', 'a deal is for the supply and the buyers that it names') },
  { fields: 'OverrideBlocks', case: 'deals/blocks-that-a-deal-overrides' },
  { fields: 'UpstreamCode', case: 'deals/a-private-auction-refuses-open-bids' },
  { fields: 'PushUrl', of: 'Deal', ...api('deal-pushes', 'is sent as the Deals API has it, with its headers, and what the buyer says is shown') },
  { fields: 'PushHeaders', of: 'Deal', ...api('deal-pushes', 'no answer shows the headers of a deal, and who leaves them out keeps them') },
  { fields: 'SellerStatus', of: 'Deal', ...api('deal-pushes', 'keeps its state by the codes of the Deals API') },
  { fields: 'BuyerStatus', of: 'Deal', ...api('deal-pushes', 'is sent as the Deals API has it, with its headers, and what the buyer says is shown') },

  // Floor rules.
  { fields: 'Floor Currency Priority', of: 'FloorRule', case: 'floor-rules/a-rule-replaces-the-floor-of-the-tag' },
  { fields: 'Net', case: 'floor-rules/what-the-publisher-must-get' },
  { fields: 'SkipPercent', ...door('auction/floor-rules', 'a control group has its share of requests, of each rule other ones') },
  { fields: 'Auto AutoMin AutoMax AutoFloor FloorInForce', ...door('floor-rules', 'an hour later one of two processes has set the floor that the bids favour, and auctions ask it') },
  { fields: 'DspRtbEps', of: 'FloorRule', ...door('auction/floor-rules', 'the rules that an index finds are those of a scan, whatever changes') },
  { fields: 'AdvertiserDomains', of: 'FloorRule', case: 'floor-rules/a-floor-for-some-bidders-and-advertisers' },
  { fields: 'AdTypes', of: 'FloorRule', case: 'floor-rules/a-rule-for-one-of-two-media' },
  { fields: 'Publishers VastTags RtbEps BannerEps PopFeeds', of: 'FloorRule', ...door('auction/floor-rules', 'a team, a publisher and a tag have their rules, and others have none') },

  // Privacy.
  { fields: 'GvlId', ...door('snapshot/renewal', "has of demand its own vendor ID, else the advertiser's, also once that changes") },
  { fields: 'SyncType SyncUrl', ...door('viewer-matches', 'objects of an advertiser with one sync URL are one partner, those of two are two') },
  { fields: 'SyncDomains', ...door('user-sync', 'a supply partner is sent matches that nobody but us can read') },
  { fields: 'BuyerUidOf', ...door('buyer-uids', 'goes to the DSP RTB EP that its endpoint names, and to nobody else') },
  { fields: 'ConsentMode', ...door('snapshot/renewal', 'has the consent mode of supply') },

  // Lists.
  { fields: 'ListText', ...api('lists', 'a list of a hundred thousand lines comes back whole') },
  { fields: 'Global', case: 'targeting/a-global-list-which-nobody-names' },
  { fields: 'DomainCount AppCount IpCount IpRangesCount KeywordCount', ...api('lists', 'counts are made, not taken') },

  // Figures.
  { fields: 'Delivered BidRate WinRate', of: 'Deal', ...door('deal-reports', 'a deal shows what it has delivered, in its list and by itself') },
  { fields: 'Qps TodayRevenue TodayFillRate YesterdayRevenue YesterdayFillRate', ...api('statistics', 'are real: alone, in arrays, after POSTs, and move the ETag') },

  // Reports.
  { fields: 'Period GroupBy Measures', of: 'Report', ...api('report-sendings', 'is about the days before it was due, however late it is sent'), rows: 'management/sending-room.ts' },
  { fields: 'From To', of: 'Report', ...api('reports', 'a campaign has its hours, in any zone, with those without traffic') },
  { fields: 'Filters', of: 'Report', ...api('reports', 'tells demand by its own objects, and its money to the last digit of the statistics URLs') },
  { fields: 'OrderBy Limit', of: 'Report', ...api('own-reports', 'they are sent with the rights of their user, whoever has changed them') },
  { fields: 'Total CompareTo', of: 'Report', ...api('reports', 'stands beside another period') },
  { fields: 'Chart PivotBy', forPeople: 'How the console draws the report for people; what is sent is its rows.' },
  { fields: 'TimeZone Schedule ScheduleHour', of: 'Report', test: ['sending/schedule.test.ts', 'a report without a schedule is never due'] },
  { fields: 'Separator Decimal', of: 'Report', ...api('report-mails', 'is a file that German and French spreadsheets open by a double click') },
  { fields: 'Mails WebhookUrl', ...api('report-sendings', 'go to each address as CSV and to the URL as JSON, once for each time'), rows: 'management/sending-room.ts' },
  { fields: 'WebhookFormat', of: 'Alert', ...api('alerts', 'a message has the form of the chat service, in which no name is more than a text') },
  { fields: 'WebhookSecret', ...api('report-sendings', 'are signed by each secret that works') },
  { fields: 'UserId', ...api('own-reports', 'everybody keeps reports of their own, which others do not change') },

  // Alerts.
  { fields: 'Condition Measure Threshold', of: 'Alert', test: ['alerts/rules.test.ts', 'of a share says nothing where there is nothing it is a share of'] },
  { fields: 'Window', of: 'Alert', ...api('alerts', 'fires once there was none for so long, for the object that had some, and ends with the first') },
  { fields: 'CompareTo', of: 'Alert', ...api('alerts', 'fires when revenue is half of ') },
  { fields: 'TimeZone', of: 'Alert', ...api('field-rules', 'fields with a rule of their own'), rows: 'management/alert-rules.ts' },
  { fields: 'MinVolume MinVolumeOf', of: 'Alert', ...api('alerts', 'says nothing of three calls') },
  { fields: 'GroupBy Filters Firing FiringSince Value', of: 'Alert', ...api('alerts', 'fires for the DSP concerned after a while, says so everywhere, and ends') },
  { fields: 'HoldMinutes EndMinutes Hysteresis', of: 'Alert', test: ['alerts/rules.test.ts', 'after it held'] },
  { fields: 'Muted MutedUntil', of: 'Alert', ...api('alert-messages', 'owes the end of what it told before, and nothing of what came and went') },
  { fields: 'CheckedAt', of: 'Alert', ...api('alert-messages', 'another one goes on where the one that judged is killed: nothing is lost, nothing twice') },
  { fields: 'Severity', of: 'Alert', ...api('alert-acknowledge', 'a mail has the severity, the owner, times of the zone, the volume, and links to look further') },
  { fields: 'Owner', of: 'Alert', forPeople: 'It says in messages and in the console who takes care of it.' },
  { fields: 'RemindMinutes', of: 'Alert', ...api('alert-acknowledge', 'is told again until somebody acknowledges it, with name and note') },
  { fields: 'NoData', of: 'Alert', ...api('alert-no-data', 'what fires goes on where the server was off, and ends by what comes') },
  { fields: 'Problem', of: 'Alert', ...api('alerts', 'says why, keeps what fires, and holds up no other') },
]; // biome-ignore format: a table
