import { connection } from '../fields/connection.ts';
import {
  accountManager,
  identity,
  performance,
  regionUrls,
  secret,
  statisticsUrls,
  status,
} from '../fields/derived.ts';
import { forDelivery, forOwner, hiddenInArray, onlyIfSet } from '../fields/field.ts';
import { choice, flag } from '../fields/number.ts';
import { section } from '../fields/section.ts';
import { url } from '../fields/text.ts';
import { defineEntity } from './entity.ts';
import { neverSecondPrice, publisherOwner, supply } from './supply.ts';
import { lineList, traffic } from './traffic.ts';

const { Name, Tags, ...rules } = traffic('P');

const feedUrl =
  '{RegionUrl}/pop?feed={Id}&auth={Auth}&subid={subid}&query={query}&user_ip={user_ip}&ua={ua}&url={url}&uid={uid}';

export const popFeed = defineEntity({
  key: 'PopFeed',
  title: 'XML Pop Feed',
  help: "a publisher's feed of pop traffic, which requests ads with its feed URL and gets XML or JSON, or sends visitors to its direct URL",
  wrapper: 'PopFeed',
  path: 'xml/popfeed',
  owner: publisherOwner,
  exchange: {
    side: 'supply',
    plural: 'PopFeeds',
    request: 'Url',
    medium: 'pop',
    promises: 'ad',
    amountDaily: 'SpentDailyLimit',
  },
  documented: ['add', 'activate'],
  warnings: [neverSecondPrice],
  fields: {
    ...identity,
    PublisherId: supply.PublisherId,
    PublisherName: supply.PublisherName,
    Name,
    Tags,
    ...rules,
    Currency: supply.Currency,
    Bidfloor: supply.Bidfloor,
    PublisherProfitShare: supply.PublisherProfitShare,
    Tmax: supply.Tmax,
    AuctionType: supply.AuctionType,
    Secure: supply.Secure,
    ...section('Protocol', {
      SendOriginalSite: flag({
        help: "Which site demand sees: 1 = the publisher's own, 0 = the platform's",
        explanation: "Demand sees the publisher's site; off: the platform's",
      }),
      FallbackUrl: url({
        help: 'Where to send a refused click, or a visitor of a direct link that nobody buys',
      }),
    }),
    ConsentMode: supply.ConsentMode,
    SyncDomains: supply.SyncDomains,
    SpentDailyLimit: supply.SpentDailyLimit,
    SubidListMode: lineList.mode('the subids', 'SubidList'),
    SubidList: lineList.lines('Subids, one per line'),
    ...section('Lists', {
      KeywordBlacklistsType: onlyIfSet(
        'KeywordBlacklists',
        hiddenInArray(choice({ codes: { 0: 'Exact', 1: 'Phrase', 2: 'Broad' }, help: 'How keywords match' })),
      ),
      KeywordBlacklists: hiddenInArray(
        connection({
          to: 'KeywordList',
          help: 'IDs of Keyword Lists that are blocked',
          explanation: 'Whose keywords are blocked',
        }),
      ),
    }),
    ...section(
      'Quality',
      {
        JsCheck: flag({ help: '1 = a page checks the visitor with JavaScript before the redirect' }),
      },
      'advanced',
    ),
    ...section('Access', {
      Auth: forDelivery(secret('Credential of the feed URLs')),
      AuthDirectUrl: forDelivery(secret('Credential of the direct URLs')),
      ...forOwner({ FeedUrls: regionUrls({ FeedUrlXml: feedUrl, FeedUrlJson: `${feedUrl}&format=json` }) }),
      ...forOwner({
        DirectUrls: regionUrls({ DirectUrl: '{RegionUrl}/direct?feed={Id}&auth={AuthDirectUrl}' }),
      }),
    }),
    ...statisticsUrls('StatsByDate', { path: '/api/xml/stats/publisher/pop', parameter: 'feed' }),
    ...statisticsUrls('StatsBySubId', {
      path: '/api/xml/stats/publisher/pop/subid',
      parameter: 'feed',
      isBySubId: true,
    }),
    ...performance,
    ...accountManager,
    ...status,
  },
});
