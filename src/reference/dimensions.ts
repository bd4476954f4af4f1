import { consentStateNames } from './consent-states.ts';
import type { Attribute } from './cubes.ts';
import type { PartnerKind } from './partner-kinds.ts';

/** In the zone asked for. */
export const timeUnits = ['QuarterHour', 'Hour', 'Day', 'Week', 'Month'] as const;
export type TimeUnit = (typeof timeUnits)[number];

export interface Dimension {
  readonly help: string;
  readonly value: string;
  /** How people read that it is not known, and why; "not known" by default. */
  readonly unknown?: { readonly text: string; readonly help: string };
  /** Partners that see it for what they own (reference, A20); absent = none. */
  readonly seenBy?: readonly PartnerKind[];
  readonly columns: readonly string[];
  /** An account by ID, an object by kind and ID, or a text, code or reason as stored. */
  readonly shows:
    | { readonly account: 'Publisher' | 'Advertiser' }
    | { readonly side: 'supply' | 'demand'; readonly kindAs: string }
    | 'text'
    | 'number'
    | 'reason';
}

const attribute = (name: Attribute, help: string, value: string, column: string = name) =>
  ({ help, value, columns: [column], shows: 'text' }) as const;
const publishers = { seenBy: ['Publisher'] } as const;
const advertisers = { seenBy: ['Advertiser'] } as const;
const both = { seenBy: ['Publisher', 'Advertiser'] } as const;
const chosen = '`""` if none was sent, `other` for the rest';
const alone = 'null for what supply counts on its own';

/** In the order of answers. */
export const dimensions = {
  Publisher: {
    help: 'Who sold the ad space: the publisher that owned it at that time',
    value: 'ID',
    columns: ['publisher_id'],
    shows: { account: 'Publisher' },
  },
  Supply: {
    help: 'The tag, feed or endpoint that requested an ad',
    value: 'ID, with its kind in SupplyKind',
    ...publishers,
    columns: ['supply_kind', 'supply_id'],
    shows: { side: 'supply', kindAs: 'SupplyKind' },
  },
  SupplyKind: {
    help: 'How ads were requested: with VAST tags, banners, pops or OpenRTB',
    value: 'Key of the entity',
    ...publishers,
    columns: ['supply_kind'],
    shows: 'text',
  },
  Advertiser: {
    help: 'Who bought: the advertiser that owned the demand at that time',
    value: `ID; ${alone}`,
    columns: ['advertiser_id'],
    shows: { account: 'Advertiser' },
  },
  Demand: {
    help: 'The campaign, tag, feed or DSP that was called for an ad, or would have been',
    value: `ID, with its kind in DemandKind; ${alone}`,
    ...advertisers,
    columns: ['demand_kind', 'demand_id'],
    shows: { side: 'demand', kindAs: 'DemandKind' },
  },
  DemandKind: {
    help: 'How demand was called: campaigns, VAST tags, pop feeds or OpenRTB',
    value: 'Key of the entity; `""` for what supply counts on its own',
    ...advertisers,
    columns: ['demand_kind'],
    shows: 'text',
  },
  Country: {
    ...attribute('country', 'Where the visitor is', 'ISO 3166-1 alpha-2; `""` = not known'),
    unknown: {
      text: 'unknown country',
      help: 'The request had neither a country nor a public IP address that is in the country database.',
    },
    ...both,
  },
  DeviceType: {
    help: 'Phone, tablet, computer, TV and so on',
    value: 'Code of /api/info/devicetypes; 0 = not known',
    columns: ['device_type'],
    shows: 'number',
    ...both,
  },
  Os: {
    ...attribute('os', "The device's operating system, in any version", 'Family; `""` = not known'),
    ...publishers,
  },
  Browser: {
    ...attribute('browser', "The visitor's browser, in any version", 'Family; `""` = not known'),
    ...publishers,
  },
  Medium: {
    ...attribute('medium', 'Kind of ad: video, banner, native, audio or pop', 'One of these words'),
    ...both,
  },
  Size: {
    ...attribute('size', 'Width and height of the ad, in pixels', `WIDTHxHEIGHT, like 640x360; ${chosen}`),
    ...publishers,
  },
  Site: {
    ...attribute('site', 'The site or app for which the ad was requested', `Domain, or bundle; ${chosen}`),
    ...publishers,
  },
  SubId: {
    ...attribute('subId', "The publisher's name for a part of its traffic", `Text; ${chosen}`, 'sub_id'),
    ...publishers,
  },
  Seat: { ...attribute('seat', 'The buyer behind the DSP whose bid won', `ID; ${chosen}`), ...advertisers },
  AdDomain: {
    ...attribute(
      'adDomain',
      'What the ad that won advertises, by its domain',
      `Domain; ${chosen}`,
      'ad_domain',
    ),
    ...advertisers,
  },
  Creative: {
    ...attribute('creative', "The ad that won, by the bidder's ID for it", `ID; ${chosen}`),
    ...advertisers,
  },
  Deal: {
    ...attribute('deal', 'The deal under which a bid was made, or was offered', 'Its `Code`; `""` = none'),
    ...advertisers,
  },
  FloorRule: {
    help: 'A floor rule that the request met; an auction counts for each of its rules',
    value: 'ID',
    columns: ['floor_rule'],
    shows: 'number',
  },
  FloorGroup: {
    help: 'Whether the floor of the rule held, or the request was in its control group',
    value: '`floor` or `control`',
    columns: ['floor_group'],
    shows: 'text',
  },
  Currency: {
    ...attribute(
      'currency',
      'In which an object has its prices: the tag, feed or endpoint for cost, the demand for revenue',
      'ISO 4217; `""` = USD',
    ),
    ...both,
  },
  Reason: {
    help: 'Why demand, its bid, or a whole request was refused, or is invalid traffic',
    value: 'Name, as in explanations',
    columns: ['reason'],
    shows: 'reason',
  },
  Region: {
    ...attribute('region', 'Which of our regions held the auction', 'Name'),
    ...both,
  },
  Consent: {
    ...attribute(
      'consent',
      "The viewer's consent: none required, given, partial, refused or unreadable",
      `${consentStateNames.map((name) => `\`${name}\``).join(', ')}; \`""\` = not known`,
    ),
    ...both,
  },
} as const satisfies Readonly<Record<string, Dimension>>;

export type DimensionName = keyof typeof dimensions;

export const dimensionRows = Object.entries(dimensions) as readonly (readonly [DimensionName, Dimension])[];

/** Time first. */
export const groupNames: readonly (TimeUnit | DimensionName)[] = [
  ...timeUnits,
  ...dimensionRows.map(([name]) => name),
];

export const isTimeUnit = (name: string): name is TimeUnit => timeUnits.some((unit) => unit === name);
