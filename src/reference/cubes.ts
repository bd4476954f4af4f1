import type { ConsentState } from './consent-states.ts';
import type { CounterName, CountTableName } from './counters.ts';

/** Steps of UTC, in minutes. */
export const grains = { minute: 1, quarter: 15, hour: 60, day: 1440 } as const;
export type Grain = keyof typeof grains;

/** An auction's traffic; `""` and 0 = unknown. Its order is that of keys. */
export interface Traffic {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** AdCOM 1.0, list Device Types. */
  readonly deviceType: number;
  /** Of `user-agent-families.ts`. */
  readonly os: string;
  readonly browser: string;
  /** `Medium` of an entity's exchange role. */
  readonly medium: string;
  /** As `640x360`. */
  readonly size: string;
  /** The site's domain, or the app's bundle. */
  readonly site: string;
  /** That held the auction. */
  readonly region: string;
  readonly consent: ConsentState | '';
}

/** As the bid says; `""` = unknown. */
export interface AdFacts {
  readonly seat: string;
  readonly adDomain: string;
  readonly creative: string;
  readonly deal: string;
}

/** Columns of cubes besides their objects. */
export interface Attributes extends Traffic, AdFacts {
  readonly subId: string;
  /** Why it was refused (`reason-help.ts`). */
  readonly reason: string;
  /** Of an object's own prices (ISO 4217); `""` = USD. */
  readonly currency: string;
  /** In a cube with kinds only; `""` = none. */
  readonly demandKind: string;
  /** Of a deal as such, whatever its code; 0 = none. */
  readonly dealId: number;
  /** 0 = none. */
  readonly floorRule: number;
  /** Whether its floor held, or the request was in its control group; `""` = none. */
  readonly floorGroup: 'floor' | 'control' | '';
}
export type Attribute = keyof Attributes;

/** All others are texts. */
export const numberAttributes: readonly Attribute[] = ['deviceType', 'dealId', 'floorRule'];

/** Their values are chosen by strangers. */
export const chosenAttributes: ReadonlySet<Attribute> = new Set([
  'size',
  'site',
  'subId',
  'seat',
  'adDomain',
  'creative',
  'deal',
]);

/** Each a setting (`config.ts`), finest first; `always` = they stay; `minutes` = `minutesKept`. */
export type Retention = 'minutes' | 'finest' | 'trafficHours' | 'hours' | 'traffic' | 'always';
/** The longest question by the minute: what alerts look at. */
export const minutesAsked = 120;
/** Enough that the last `minutesAsked` are whole while the next quarter hour fills. */
export const minutesKept = 140;

/**
 * Counts by objects, attributes and intervals. Database tables, memory, reports and the table in docs/operations.md
 * follow from these rows.
 */
export interface Cube {
  readonly help: string;
  /** Sides whose objects and accounts are in its key; none = the whole team. */
  readonly objects: readonly ('supply' | 'demand')[];
  readonly attributes: readonly Attribute[];
  readonly grains: Readonly<Partial<Record<Grain, Retention>>>;
  /**
   * Where strangers choose attributes: how many values an object of `of` keeps by name a day: the first, or else half
   * the first and half the largest (`top-values.ts`). The rest is `other`.
   */
  readonly named?: { readonly of: 'supply' | 'demand'; readonly most: number; readonly areFirst?: boolean };
  /** A cube from whose rows it is made, with fewer columns; absent = counted by itself. */
  readonly from?: string;
  /** Only from the win on. */
  readonly isOfAds?: boolean;
  /** Whose counters it adds up; absent = those of traffic. */
  readonly counts?: CountTableName;
  /** A cube of the same objects and grains that counts everything: what this one lacks is of its first attribute's `""`. */
  readonly openIn?: string;
  /** Counters whose values there are those of others. */
  readonly openAs?: Readonly<Partial<Record<CounterName, CounterName>>>;
}

const daily = { day: 'traffic' } as const;
/** Quarter hours make the hours and days of every zone. */
const hourly = { quarter: 'trafficHours', day: 'traffic' } as const;
/** Per object; further ones count as `otherValue`. */
const subIdsPerDayMax = 2000;
const audience = ['country', 'deviceType', 'medium', 'region'] as const;

/** Reports read the first that can answer, so small ones come first. */
export const cubes = {
  team: {
    help: 'all objects of a team together',
    objects: [],
    attributes: [],
    counts: 'pair',
    grains: { quarter: 'finest', hour: 'hours', day: 'always' },
  },
  supply: {
    help: 'supply objects',
    objects: ['supply'],
    attributes: [],
    counts: 'pair',
    grains: { minute: 'minutes', quarter: 'finest', hour: 'hours', day: 'always' },
  },
  demand: {
    help: 'demand objects',
    objects: ['demand'],
    attributes: [],
    counts: 'pair',
    grains: { minute: 'minutes', quarter: 'finest', hour: 'hours', day: 'always' },
  },
  pair: {
    help: 'supply and demand objects with each other',
    objects: ['supply', 'demand'],
    attributes: [],
    counts: 'pair',
    grains: { quarter: 'finest', hour: 'hours', day: 'always' },
  },
  teamAudience: {
    help: 'all objects of a team together by country, device type, medium and region',
    objects: [],
    attributes: audience,
    grains: hourly,
    from: 'audience',
  },
  supplyCountry: {
    help: 'supply objects by country',
    objects: ['supply'],
    attributes: ['country'],
    grains: hourly,
    from: 'audience',
  },
  supplyDevice: {
    help: 'supply objects by device type',
    objects: ['supply'],
    attributes: ['deviceType'],
    grains: { quarter: 'trafficHours' },
    from: 'audience',
  },
  demandCountry: {
    help: 'demand objects by country',
    objects: ['demand'],
    attributes: ['country'],
    grains: hourly,
    from: 'audience',
  },
  demandDevice: {
    help: 'demand objects by device type',
    objects: ['demand'],
    attributes: ['deviceType'],
    grains: { quarter: 'trafficHours' },
    from: 'audience',
  },
  supplyAudience: {
    help: 'supply objects by country, device type, medium and region',
    objects: ['supply'],
    attributes: audience,
    grains: daily,
    from: 'audience',
  },
  demandAudience: {
    help: 'demand objects by country, device type, medium and region',
    objects: ['demand'],
    attributes: audience,
    grains: daily,
    from: 'audience',
  },
  software: {
    help: 'supply objects by operating system and browser',
    objects: ['supply'],
    attributes: ['os', 'browser'],
    grains: daily,
  },
  size: {
    help: 'supply objects by medium and size',
    objects: ['supply'],
    attributes: ['medium', 'size'],
    grains: hourly,
    named: { of: 'supply', most: 100 },
  },
  teamDeal: {
    help: 'all objects of a team together by deal',
    objects: [],
    attributes: ['deal'],
    counts: 'deal',
    grains: { day: 'always' },
    from: 'deal',
    openIn: 'team',
  },
  deal: {
    help: 'pairs by deal',
    objects: ['supply', 'demand'],
    attributes: ['deal'],
    counts: 'deal',
    grains: { hour: 'hours', day: 'always' },
    openIn: 'pair',
  },
  currency: {
    help: 'pairs by the currency of their prices, other than USD: of supply for cost, of demand for revenue',
    objects: ['supply', 'demand'],
    attributes: ['currency'],
    counts: 'currency',
    grains: { hour: 'hours', day: 'always' },
    openIn: 'pair',
    openAs: { localSpentNanos: 'spentNanos', localRevenueNanos: 'revenueNanos' },
  },
  subId: {
    help: 'supply objects by subid',
    objects: ['supply'],
    attributes: ['subId'],
    grains: { day: 'always' },
    named: { of: 'supply', most: subIdsPerDayMax, areFirst: true },
  },
  supplySite: {
    help: 'supply objects by site or app',
    objects: ['supply'],
    attributes: ['site'],
    grains: hourly,
    from: 'site',
  },
  ad: {
    help: 'demand objects by seat, advertiser domain, creative and deal, from the win on',
    objects: ['demand'],
    attributes: ['seat', 'adDomain', 'creative', 'deal'],
    grains: daily,
    named: { of: 'demand', most: 500 },
    isOfAds: true,
  },
  teamConsent: {
    help: 'all objects of a team together by consent',
    objects: [],
    attributes: ['consent'],
    grains: daily,
    from: 'consent',
  },
  supplyConsent: {
    help: 'supply objects by consent',
    objects: ['supply'],
    attributes: ['consent'],
    grains: daily,
    from: 'consent',
  },
  demandConsent: {
    help: 'demand objects by consent',
    objects: ['demand'],
    attributes: ['consent'],
    grains: daily,
    from: 'consent',
  },
  audience: {
    help: 'pairs by country, device type, medium and region',
    objects: ['supply', 'demand'],
    attributes: audience,
    grains: { day: 'finest' },
  },
  consent: {
    help: 'pairs by consent',
    objects: ['supply', 'demand'],
    attributes: ['consent'],
    grains: { day: 'finest' },
  },
  site: {
    help: 'pairs by site or app',
    objects: ['supply', 'demand'],
    attributes: ['site'],
    grains: { day: 'finest' },
    named: { of: 'supply', most: 200 },
  },
  supplyRefusal: {
    help: 'refusals of supply objects by reason and kind of demand',
    objects: ['supply'],
    attributes: ['demandKind', 'reason'],
    grains: daily,
    counts: 'refusal',
    from: 'refusal',
  },
  demandRefusal: {
    help: 'refusals of demand objects by reason',
    objects: ['demand'],
    attributes: ['reason'],
    grains: daily,
    counts: 'refusal',
    from: 'refusal',
  },
  refusal: {
    help: 'refusals of pairs by reason',
    objects: ['supply', 'demand'],
    attributes: ['reason'],
    grains: { hour: 'finest' },
    counts: 'refusal',
  },
  dealRefusal: {
    help: 'refusals of pairs by deal and reason',
    objects: ['supply', 'demand'],
    attributes: ['deal', 'reason'],
    grains: { hour: 'finest' },
    counts: 'refusal',
    openIn: 'refusal',
  },
  call: {
    help: 'calls to demand objects, with the time that answers took',
    objects: ['demand'],
    attributes: [],
    grains: { hour: 'hours' },
    counts: 'call',
  },
  dealUse: {
    help: 'supply objects by deal, for its limits and pace',
    objects: ['supply'],
    attributes: ['demandKind', 'dealId'],
    counts: 'pair',
    grains: { quarter: 'finest', hour: 'hours', day: 'always' },
  },
  floorRule: {
    help: 'supply objects by floor rule, with its control group',
    objects: ['supply'],
    attributes: ['floorRule', 'floorGroup'],
    counts: 'floor',
    grains: { hour: 'hours', day: 'always' },
  },
  partner: {
    help: 'demand objects compared with what their partners report',
    objects: ['demand'],
    attributes: [],
    grains: { day: 'always' },
    counts: 'partner',
  },
} as const satisfies Readonly<Record<string, Cube>>;

export type CubeName = keyof typeof cubes;

export const cubeRows = Object.entries(cubes) as readonly (readonly [CubeName, Cube])[];

/** Cubes in memory whose rows, or what is made of them, are also kept by quarter hour. */
export const quarterlyCubes: ReadonlySet<CubeName> = new Set(
  cubeRows.flatMap(([name, { grains: kept, from, counts }]) =>
    'quarter' in kept && counts === undefined ? [(from ?? name) as CubeName] : [],
  ),
);

/** Counted in memory; the others are made of their rows. */
export const trafficCubes: readonly (readonly [CubeName, Cube])[] = cubeRows.filter(
  ([, cube]) => !('counts' in cube || 'from' in cube),
);

/** Stands for the rest; no value that strangers choose equals it. */
export const otherValue = 'other';

const charactersMax = 128;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come in
const unreadable = /[\u0000-\u001f\u007f]/g;
/** No database can hold it. Subids are otherwise as the publisher sends them. */
const unstorable = /\0/g;

/** Cut after 128 characters. A backslash escapes a value that equals `otherValue` or begins with one. */
export function attributeValue(sent: string, attribute?: Attribute): string {
  const dropped = attribute === 'subId' ? unstorable : unreadable;
  const clean = sent.slice(0, charactersMax).replaceAll(dropped, '').toWellFormed();
  return clean === otherValue || clean.startsWith('\\') ? `\\${clean}` : clean;
}

export const unknownTraffic: Traffic = {
  country: '',
  deviceType: 0,
  os: '',
  browser: '',
  medium: '',
  size: '',
  site: '',
  region: '',
  consent: '',
};

export const unknownAd: AdFacts = { seat: '', adDomain: '', creative: '', deal: '' };
