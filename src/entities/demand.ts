import { reference } from '../fields/connection.ts';
import { ownerName } from '../fields/derived.ts';
import { type Field, forOwner, onlyIf, onlyIfSet, required } from '../fields/field.ts';
import { choice, cpm, gvlId, int, usd } from '../fields/number.ts';
import { type Placed, section } from '../fields/section.ts';
import { currency, headerLines, url } from '../fields/text.ts';
import { privacyMacroNames } from '../reference/privacy-macros.ts';
import { needs, type SettingWarning, whereEmpty } from './setting-warning.ts';
import { lineList } from './traffic.ts';

export const advertiserOwner = { entity: 'Advertiser', field: 'AdvertiserId' } as const;

export const demand = {
  ...section('General', {
    ...forOwner({
      AdvertiserId: required(
        reference({
          to: 'Advertiser',
          help: 'ID of the owning advertiser',
          explanation: 'The advertiser that it belongs to',
        }),
      ),
    }),
    AdvertiserName: ownerName('advertiser'),
  }),
  ...forOwner(
    section('Price', {
      Currency: currency({
        help: 'Currency of its prices and bidfloors; "" = USD. Limits and reports are in USD',
      }),
    }),
  ),
  ...forOwner(
    section('Limits', {
      RevenueDailyLimit: usd({
        unit: 'USD/day',
        help: 'Maximum revenue from the advertiser per day, in USD; 0 = unlimited',
      }),
    }),
  ),
  ...section('Targeting', {
    MaxBidfloor: cpm({ help: 'Takes no part in auctions with a higher bidfloor; 0 = any', example: 5 }),
    MinTmax: int({
      unit: 'ms',
      help: 'Takes no part in auctions that wait fewer milliseconds; 0 = any',
      example: 100,
    }),
  }),
  ...section('Privacy', {
    GvlId: gvlId({
      help: "Vendor ID in the Global Vendor List of who is called, which consent must name; 0 = the advertiser's",
    }),
  }),
  PubIdListMode: lineList.mode('the Pub IDs', 'PubIdList'),
  PubIdList: lineList.lines('Pub IDs, one per line'),
};

const syncUrlMacro = 'redirect_url';

/** Of whoever is called, and matches viewers with us. */
export const userSync = section('Privacy', {
  SyncType: choice({
    codes: { 0: 'None', 1: 'By a redirect, loaded as an image', 2: 'By a page, loaded in a frame' },
    help: "How viewers are matched with the partner's own IDs, which its bid requests then carry",
  }),
  SyncUrl: onlyIf(
    'SyncType',
    [1, 2],
    url({
      macros: [syncUrlMacro, ...privacyMacroNames],
      help: "The partner's URL for user sync. {redirect_url} is where it sends its ID; write its own macro for that directly behind. Its objects with the same URL share the matches",
      example: 'https://sync.example.com/match?gdpr={gdpr}&gdpr_consent={gdpr_consent}&to={redirect_url}$UID',
    }),
  ),
});

export const syncWarnings: readonly SettingWarning[] = [
  whereEmpty(
    ['SyncUrl'],
    'is empty, so no viewer is ever matched; set the URL of the partner, or SyncType to 0',
    ({ SyncType }) => Number(SyncType) > 0,
  ),
  {
    field: 'SyncUrl',
    when: ({ SyncType, SyncUrl = '' }) =>
      Number(SyncType) > 0 && SyncUrl !== '' && !/\{redirect_url\}[^&#]/.test(String(SyncUrl)),
    message:
      "has no {redirect_url} with the partner's macro for its ID behind it, as in {redirect_url}$UID: the partner can tell us its ID only by calling /setuid itself",
  },
];

const audience = ['Countries', 'Os', 'Browsers', 'DeviceTypes'] as const;

/** Rows of which the advertiser sees the audience. */
export const targeted = <F extends Readonly<Record<(typeof audience)[number], Field>>>(rows: F): F =>
  forOwner(rows, [...audience]);

export const advertiserStatistics = section(
  'Statistics',
  {
    StatsApi: url({
      macros: ['date_from', 'date_to'],
      help: "URL of the advertiser's statistics, fetched once a day and compared with ours; append #date=Day&amount=Net to name columns (date, impressions, clicks, amount, currency, rows), and #zone=America/New_York to name the time zone of its days",
    }),
    StatsApiHeaders: onlyIfSet(
      'StatsApi',
      headerLines({
        help: 'Headers that it requires, one per line; not those of the connection, for example Host',
      }),
    ),
    StatsDashboardUrl: url({ help: "URL of the advertiser's dashboard" }),
  },
  'advanced',
);

const regions = ['UsEast', 'Eu', 'Apac'] as const;

/** `<prefix>UsEast`, `<prefix>Eu` and `<prefix>Apac`, which may contain the named macros. */
export function regionalUrls<Prefix extends string>(prefix: Prefix, macros: readonly string[]) {
  const at = (region: string) =>
    url({ macros, help: `URL for the ${region} region`, example: 'https://dsp.example.com/ad' });
  return forOwner(
    section('Calls', {
      [`${prefix}UsEast`]: at('us-east'),
      [`${prefix}Eu`]: at('eu'),
      [`${prefix}Apac`]: at('apac'),
    }),
  ) as { [K in `${Prefix}${'UsEast' | 'Eu' | 'Apac'}`]: Placed<ReturnType<typeof at>, 'Calls'> };
}

/** Warns if no region has a URL and `isOtherwise` holds. */
export const withoutUrls = (prefix: string, isOtherwise?: SettingWarning['when']): SettingWarning =>
  needs(
    regions.map((region) => prefix + region),
    'is empty in every region, so nobody is called; set the URL of at least one region',
    isOtherwise,
  );
