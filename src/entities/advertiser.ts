import { identity, secret, statisticsUrls, status } from '../fields/derived.ts';
import { required } from '../fields/field.ts';
import { section } from '../fields/section.ts';
import { username } from '../fields/text.ts';
import { account, managedBy } from './account.ts';
import { defineEntity } from './entity.ts';

export const advertiser = defineEntity({
  key: 'Advertiser',
  title: 'Advertiser',
  help: 'a company that buys ad space: it owns campaigns and endpoints that are asked for bids',
  wrapper: 'Advertiser',
  path: 'advertiser',
  exchange: { side: 'account' },
  documented: ['add', 'activate', 'deactivate'],
  unique: ['Username'],
  fields: {
    ...identity,
    ...account,
    ...section('Statistics', {
      Username: required(
        username({ lowerCase: true, help: 'Name to fetch statistics with; lower case, unique' }),
      ),
      StatsAuth: secret('Credential of the statistics URLs'),
    }),
    ...statisticsUrls('StatsByDate', { path: '/api/ortb/stats/advertiser/general' }),
    ...managedBy,
    ...status,
  },
});
