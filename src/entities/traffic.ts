import { connection } from '../fields/connection.ts';
import {
  type Field,
  forDelivery,
  forOwner,
  hiddenInArray,
  omittedAs,
  onlyIf,
  onlyIfSet,
} from '../fields/field.ts';
import { codes, countries, families, iabCategories, labelsOf, sizes } from '../fields/list.ts';
import { choice, flag, int, percent } from '../fields/number.ts';
import { placed, section } from '../fields/section.ts';
import { lines, text } from '../fields/text.ts';
import { deviceTypes } from '../reference/device-types.ts';
import { ownMember } from '../reference/own-member.ts';
import { frequency } from './frequency.ts';

/** How the field `list` is meant: empty, it restricts nothing. */
const listMode = (what: string, list: string) =>
  onlyIfSet(
    list,
    hiddenInArray(
      choice({
        codes: { 0: 'Blacklist', 1: 'Whitelist' },
        help: `Whether ${what} are blocked, or are the only ones allowed`,
      }),
    ),
  );
const on = (field: ReturnType<typeof flag>) => omittedAs(1, field);

/**
 * Rows that supply and demand share. Entities with their own order pick single rows; `traffic` gives those of one kind
 * in the table's order.
 */
export const shared = {
  ...section('General', {
    ...forOwner({
      Name: forDelivery(text({ help: 'Name of the object', example: 'Homepage pre-roll' })),
    }),
    Tags: connection({ to: 'Tag', help: 'IDs of the tags that label it' }),
  }),
  ...section('Limits', {
    MaxQps: int({ help: 'Maximum requests in any second; 0 = unlimited', unit: 'requests/s', example: 100 }),
    RequestsDailyLimit: int({
      unit: 'requests/day',
      help: 'Maximum requests per day, spread evenly over it; 0 = unlimited',
    }),
    BidsDailyLimit: int({
      unit: 'bids/day',
      help: 'Maximum bids per day, spread evenly over it; 0 = unlimited',
    }),
    ImpressionsDailyLimit: int({
      unit: 'impressions/day',
      help: 'Maximum impressions per day, spread evenly over it; 0 = unlimited',
    }),
    ImpressionsLimitPerIp: int({
      unit: 'impressions/day',
      help: 'Maximum impressions per day for one IP address; 0 = unlimited',
    }),
    ...frequency,
  }),
  ...section(
    'Quality',
    {
      AutoOptimize: flag({
        help: '1 = demand is called only if earlier calls show that it is worth it, except for a share of calls that checks whether this has changed. It does not apply to campaigns, which call nobody',
        explanation:
          'Demand is called only where earlier calls show that it is worth it; a small share of calls keeps checking. Campaigns call nobody and are not affected',
      }),
    },
    'advanced',
  ),
  ...section('Targeting', {
    WebEnabled: on(flag({ help: '1 = web traffic is allowed', explanation: 'Ads are shown on websites' })),
    AppEnabled: on(flag({ help: '1 = app traffic is allowed', explanation: 'Ads are shown in apps' })),
  }),
  ...section('Quality', {
    MaxIvt: percent({
      help: 'Maximum invalid traffic of an inventory, in percent; below 100, requests that are invalid themselves are refused, too; 0 = unlimited',
      example: 10,
    }),
  }),
  ...section('Lists', {
    DomainsBrandsListMode: listMode('the domains of the lists', 'DomainsBrandsList'),
    DomainsBrandsList: hiddenInArray(
      connection({
        to: 'DomainList',
        help: 'IDs of Domain Lists',
        explanation: 'Whose domains are blocked, or alone allowed',
      }),
    ),
    AppsListMode: listMode('the applications of the lists', 'AppsList'),
    AppsList: hiddenInArray(
      connection({
        to: 'AppList',
        help: 'IDs of App Lists',
        explanation: 'Whose apps are blocked, or alone allowed',
      }),
    ),
    SizesListMode: listMode('the sizes', 'SizesList'),
    SizesList: hiddenInArray(sizes({ help: 'Creative sizes as WIDTHxHEIGHT' })),
    IpBlacklists: hiddenInArray(
      connection({
        to: 'IpList',
        help: 'IDs of IP Lists whose addresses are refused: as blocked, or as invalid traffic (Kind)',
        explanation: 'Requests from their addresses are refused',
      }),
    ),
  }),
  ...section(
    'Quality',
    {
      NonEmptyReferer: flag({ help: '1 = impressions and clicks without a referer are filtered' }),
      RefererMatch: flag({ help: '1 = the referer must match the site URL' }),
      IpMatch: flag({ help: '1 = the address seen must match the IP parameter' }),
      UaMatch: flag({ help: '1 = the user agent seen must match the user agent parameter' }),
      AllowIpV6: on(flag({ help: '1 = IPv6 addresses are allowed' })),
      CheckSiteLive: flag({ help: '1 = the site must be live' }),
      CheckAppStore: onlyIf('AppEnabled', [1], flag({ help: '1 = the app must be live in its store' })),
    },
    'advanced',
  ),
  ...section('Targeting', {
    IabCategories: hiddenInArray(
      iabCategories({
        help: 'IAB categories: on supply they describe the inventory, on demand they filter it',
      }),
    ),
    Countries: hiddenInArray(countries({ help: 'Countries to target; none = all' })),
    Os: hiddenInArray(
      families({
        format: 'os-family',
        help: 'Operating systems to target; none = all',
        example: [{ Family: 'Android', Versions: [{ Major: '14', Minor: '' }] }],
      }),
    ),
    Browsers: hiddenInArray(
      families({
        format: 'browser-family',
        help: 'Browsers to target; none = all',
        example: [{ Family: 'Chrome' }],
      }),
    ),
    DeviceTypes: hiddenInArray(
      codes({
        of: labelsOf(deviceTypes),
        list: '/api/info/devicetypes',
        help: 'Device types to target; none = all',
      }),
    ),
  }),
};

/** VAST Tag, DSP VAST Tag, Pop Feed: their rows share an order. */
type Kind = 'V' | 'D' | 'P';

const exceptions = {
  AutoOptimize: ['D', 'P'],
  WebEnabled: ['V', 'D'],
  AppEnabled: ['V', 'D'],
  AppsListMode: ['V', 'D'],
  AppsList: ['V', 'D'],
  SizesListMode: ['V', 'D'],
  SizesList: ['V', 'D'],
  CheckAppStore: ['V', 'D'],
  IabCategories: ['V', 'D'],
} as const satisfies Partial<Record<keyof typeof shared, readonly Kind[]>>;

type Exceptions = typeof exceptions;
type Carried<K extends Kind> = {
  [Name in keyof typeof shared as Name extends keyof Exceptions
    ? K extends Exceptions[Name][number]
      ? Name
      : never
    : Name]: (typeof shared)[Name];
};

export function traffic<K extends Kind>(kind: K): Carried<K> {
  const applies: Readonly<Record<string, readonly Kind[]>> = exceptions;
  const rows: [string, Field][] = Object.entries(shared);
  return Object.fromEntries(
    rows.filter(([name]) => ownMember(applies, name)?.includes(kind) ?? true),
  ) as Carried<K>;
}

/** A list of lines: its mode, and its lines. */
export const lineList = {
  mode: (what: string, list: string) => placed('Lists', listMode(what, list)),
  lines: (help: string) => placed('Lists', hiddenInArray(lines({ help, example: '' }))),
};
