import type { Attribute } from './cubes.ts';
import type { PartnerKind } from './partner-kinds.ts';

/** Steps of time of reports, in the zone that is asked for. */
export const timeUnits = ['QuarterHour', 'Hour', 'Day', 'Week', 'Month'] as const;
/** A step of time of reports. */
export type TimeUnit = (typeof timeUnits)[number];

/** What a report can be grouped and filtered by, beside time. */
export interface Dimension {
  readonly help: string;
  /** Whose partners see it, of what they own (decisions A20); absent = nobody's. */
  readonly seenBy?: readonly PartnerKind[];
  /** Columns of cubes that hold it. */
  readonly columns: readonly string[];
  /** What its value is: an account by ID, an object by kind and ID, or a text, code or reason as it is stored. */
  readonly shows:
    | { readonly account: 'Publisher' | 'Advertiser' }
    | { readonly side: 'supply' | 'demand'; readonly kindAs: string }
    | 'text'
    | 'number'
    | 'reason';
}

const attribute = (name: Attribute, help: string, column: string = name) =>
  ({ help, columns: [column], shows: 'text' }) as const;
const publishers = { seenBy: ['Publisher'] } as const;
const advertisers = { seenBy: ['Advertiser'] } as const;
const both = { seenBy: ['Publisher', 'Advertiser'] } as const;
const chosen = '`""` where none was sent, `other` for the rest';

/** Every dimension but time by name, in the order of answers. */
export const dimensions = {
  Publisher: {
    help: 'ID of the publisher who owned the supply object then',
    ...{ columns: ['publisher_id'], shows: { account: 'Publisher' } },
  },
  Supply: {
    help: 'ID of the supply object, with its kind in SupplyKind',
    ...publishers,
    columns: ['supply_kind', 'supply_id'],
    shows: { side: 'supply', kindAs: 'SupplyKind' },
  },
  SupplyKind: { help: 'Kind of the supply object', ...publishers, columns: ['supply_kind'], shows: 'text' },
  Advertiser: {
    help: 'ID of the advertiser who owned the demand object then; null for what concerns supply alone',
    ...{ columns: ['advertiser_id'], shows: { account: 'Advertiser' } },
  },
  Demand: {
    help: 'ID of the demand object, with its kind in DemandKind; null for what concerns supply alone',
    ...advertisers,
    columns: ['demand_kind', 'demand_id'],
    shows: { side: 'demand', kindAs: 'DemandKind' },
  },
  DemandKind: { help: 'Kind of the demand object', ...advertisers, columns: ['demand_kind'], shows: 'text' },
  Country: {
    ...attribute('country', 'Country of the visitor, ISO 3166-1 alpha-2; `""` = not known'),
    ...both,
  },
  DeviceType: {
    help: 'Type of the device, a code of /api/info/devicetypes; 0 = not known',
    ...{ columns: ['device_type'], shows: 'number', ...both },
  },
  Os: { ...attribute('os', 'Family of the operating system; `""` = not known'), ...publishers },
  Browser: { ...attribute('browser', 'Family of the browser; `""` = not known'), ...publishers },
  Medium: { ...attribute('medium', 'Medium of the ad: video, banner, native, audio or pop'), ...both },
  Size: { ...attribute('size', `Size in pixels, as 640x360: ${chosen}`), ...publishers },
  Site: { ...attribute('site', `Domain of the site, or bundle of the app: ${chosen}`), ...publishers },
  SubId: { ...attribute('subId', `Subid: ${chosen}`, 'sub_id'), ...publishers },
  Seat: { ...attribute('seat', `Seat of the bid that won: ${chosen}`), ...advertisers },
  AdDomain: {
    ...attribute('adDomain', `Advertiser's domain of the bid that won: ${chosen}`, 'ad_domain'),
    ...advertisers,
  },
  Creative: { ...attribute('creative', `ID of the creative that won: ${chosen}`), ...advertisers },
  Deal: { ...attribute('deal', `ID of the deal of the bid that won: ${chosen}`), ...advertisers },
  Reason: {
    help: 'Why it was refused: the name of the rule, or of what went wrong, as in explanations',
    ...{ columns: ['reason'], shows: 'reason' },
  },
  Region: { ...attribute('region', 'Region of this installation that held the auction'), ...both },
} as const satisfies Readonly<Record<string, Dimension>>;

/** Name of a dimension that is no time. */
export type DimensionName = keyof typeof dimensions;

/** The dimensions by name, as what they have in common. */
export const dimensionRows = Object.entries(dimensions) as readonly (readonly [DimensionName, Dimension])[];

/** Names of all that a report can be grouped by: time first. */
export const groupNames: readonly (TimeUnit | DimensionName)[] = [
  ...timeUnits,
  ...dimensionRows.map(([name]) => name),
];

/** Whether a name of a group is a step of time. */
export const isTimeUnit = (name: string): name is TimeUnit => timeUnits.some((unit) => unit === name);
