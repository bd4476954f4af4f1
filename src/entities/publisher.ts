import { identity, secret, statisticsUrls, status } from '../fields/derived.ts';
import { forOwner, required } from '../fields/field.ts';
import { choice } from '../fields/number.ts';
import { section } from '../fields/section.ts';
import { domain, text, username } from '../fields/text.ts';
import { account, managedBy } from './account.ts';
import { defineEntity } from './entity.ts';

export const publisher = defineEntity({
  key: 'Publisher',
  title: 'Publisher',
  help: 'a company that sells ad space: it owns the tags, feeds and endpoints that request ads',
  wrapper: 'Publisher',
  path: 'publisher',
  exchange: { side: 'account' },
  documented: ['add', 'activate', 'deactivate'],
  unique: { field: 'Username', within: 'installation' },
  fields: {
    ...identity,
    ...account,
    ...forOwner(
      section('Supply chain', {
        PlatformDomain: domain({ help: "Canonical domain of the publisher's advertising system" }),
        SellersJsonDomain: domain({ help: "Domain that hosts the publisher's sellers.json" }),
      }),
    ),
    ...section('Statistics', {
      Username: required(username({ lowerCase: false, help: 'Name for fetching statistics; unique' })),
    }),
    ...forOwner(
      section('Supply chain', {
        SellerType: choice({
          codes: { 0: 'Not given', 1: 'Publisher', 2: 'Intermediary', 3: 'Both' },
          example: 1,
          help: 'Type in sellers.json',
        }),
        SellerId: text({ help: "seller_id in sellers.json and sid in schain; blank = the publisher's ID" }),
      }),
    ),
    ...section('Statistics', {
      StatsAuth: secret('Credential of the statistics URLs'),
    }),
    ...statisticsUrls('StatsByDate', { path: '/api/ortb/stats/publisher/general' }),
    ...managedBy,
    ...status,
  },
});
