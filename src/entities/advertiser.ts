import { identity, secret, statisticsUrls, status } from '../fields/derived.ts';
import { required } from '../fields/field.ts';
import { gvlId } from '../fields/number.ts';
import { section } from '../fields/section.ts';
import { username } from '../fields/text.ts';
import { account, managedBy } from './account.ts';
import { defineEntity } from './entity.ts';

export const advertiser = defineEntity({
  key: 'Advertiser',
  title: 'Advertiser',
  help: 'a company that buys ad space: it owns campaigns, and endpoints that are called for bids',
  wrapper: 'Advertiser',
  path: 'advertiser',
  exchange: { side: 'account' },
  documented: ['add', 'activate', 'deactivate'],
  unique: { field: 'Username', within: 'installation' },
  fields: {
    ...identity,
    ...account,
    ...section('Privacy', {
      GvlId: gvlId({ help: "The advertiser's vendor ID in the Global Vendor List; 0 = none" }),
    }),
    ...section('Statistics', {
      Username: required(
        username({ lowerCase: true, help: 'Name for fetching statistics; lower case, unique' }),
      ),
      StatsAuth: secret('Credential of the statistics URLs'),
    }),
    ...statisticsUrls('StatsByDate', { path: '/api/ortb/stats/advertiser/general' }),
    ...managedBy,
    ...status,
  },
});
