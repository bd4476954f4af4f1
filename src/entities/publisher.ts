import { count, identity, secret, state, statisticsUrls } from '../fields/derived.ts';
import { required } from '../fields/field.ts';
import { choice } from '../fields/number.ts';
import { domain, text, username } from '../fields/text.ts';
import { account, managedBy } from './account.ts';
import { defineEntity } from './entity.ts';

/** The supply side's account (specification 2.2). */
export const publisher = defineEntity({
  key: 'Publisher',
  title: 'Publisher',
  wrapper: 'Publisher',
  path: 'publisher',
  documented: ['add', 'activate', 'deactivate'],
  unique: ['Username'],
  fields: {
    ...identity,
    ...account,
    PlatformDomain: domain({ help: "Canonical domain of the publisher's advertising system" }),
    SellersJsonDomain: domain({ help: "Domain that hosts the publisher's sellers.json" }),
    Username: required(username({ lowerCase: false, help: 'Name to fetch statistics with; unique' })),
    SellerType: choice({
      codes: [0, 1, 2, 3],
      example: 1,
      help: 'Type in sellers.json: 1 = Publisher, 2 = Intermediary, 3 = Both, 0 = not given',
    }),
    SellerId: text({ help: "seller_id in sellers.json and sid in schain; blank = the publisher's ID" }),
    StatsAuth: secret('Credential of the statistics URLs'),
    ...statisticsUrls('StatsByDate', '/api/ortb/stats/publisher/general'),
    ...managedBy,
    ...state,
    BannerEpsCount: count('BannerEp'),
    VastTagsCount: count('VastTag'),
    RtbEpsCount: count('RtbEp'),
    PopFeedsCount: count('PopFeed'),
  },
});
