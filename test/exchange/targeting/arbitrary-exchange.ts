import fc from 'fast-check';
import type { DemandKindName } from '../../../src/entities/kinds.ts';
import type { Opportunity, Software } from '../../../src/exchange/opportunity.ts';
import { parseIpAddress } from '../../../src/exchange/reading/ip-address.ts';
import { opportunityWith } from '../unrestricted.ts';
import { type ListSample, objectWith } from './samples.ts';

/** Few values each, so that objects and opportunities often meet at the edges. */
const countries = ['US', 'DE', 'FR'];
const families = ['Android', 'iOS'];
const versions = ['', '1', '14'];
const sizes = ['640x360', '300x250', '1x1'];
const categories = ['IAB1', 'IAB1-1', 'IAB2', 'IAB10', 'IAB10-2'];
const sellers = ['pub-1', '7'];
const addresses = ['192.0.2.1', '192.0.2.9', '192.0.2.10', '2001:db8:0:0:0:0:0:1', '2001:db8:0:0:0:0:1:0'];
const dayMs = 86_400_000;
const midnight = Date.UTC(2027, 5, 15);

/** Lists that demand names, and the global ones of two teams. */
export const samples: readonly ListSample[] = [
  { kind: 'DomainList', id: 1, lines: ['example.com', 'news.example.org'] },
  { kind: 'DomainList', id: 2, lines: ['example.org'], isActive: false },
  { kind: 'DomainList', id: 3, lines: ['blocked.test'], isGlobal: true },
  { kind: 'DomainList', id: 4, lines: ['example.com', 'example.org'], isGlobal: true, teamId: 2 },
  { kind: 'AppList', id: 5, lines: ['com.example.game', '12345'] },
  { kind: 'AppList', id: 6, lines: ['com.example.bad'], isGlobal: true },
  {
    kind: 'IpList',
    id: 7,
    lines: ['192.0.2.1', '192.0.2.9-192.0.2.12', '2001:db8:0:0:0:0:0:0-2001:db8:0:0:0:0:0:ffff'],
  },
  { kind: 'IpList', id: 8, lines: ['192.0.2.9'], isGlobal: true, isActive: false },
  { kind: 'IpList', id: 9, lines: ['192.0.2.1-192.0.2.9'], ipKind: 1 },
  { kind: 'IpList', id: 10, lines: ['192.0.2.10'], ipKind: 2, isGlobal: true, teamId: 2 },
];

const some = <T>(items: readonly T[]) => fc.subarray([...items]);
const oneOf = <T>(items: readonly T[]) => fc.constantFrom(...items);
const mode = oneOf([0, 1]);

const targetedFamilies = fc.array(
  fc.record(
    {
      Family: oneOf(families),
      Versions: fc.array(
        fc.record({ Major: oneOf(versions), Minor: oneOf(versions) }, { requiredKeys: ['Major'] }),
        {
          maxLength: 2,
        },
      ),
    },
    { requiredKeys: ['Family'] },
  ),
  { maxLength: 2 },
);

/** Values of every field that a rule reads; each entity takes those it has. */
export const fields = {
  Type: oneOf([1, 2, 3]),
  BannerEnabled: mode,
  VideoEnabled: oneOf([0, 1, 1]),
  PopEnabled: mode,
  WebEnabled: oneOf([0, 1, 1]),
  AppEnabled: oneOf([0, 1, 1]),
  Countries: some(countries),
  Os: targetedFamilies,
  Browsers: targetedFamilies,
  DeviceTypes: some([1, 2, 4, 5]),
  IabCategories: some(categories),
  SizesListMode: mode,
  SizesList: some(sizes),
  PubIdListMode: mode,
  PubIdList: oneOf(['', ' \n', 'pub-1', ' 7 \r\n\npub-1', 'pub-12']),
  AllowIpV6: oneOf([0, 1, 1]),
  StartDate: oneOf(['', '', '2027-06-15', '2027-06-16']),
  EndDate: oneOf(['', '', '2027-06-14', '2027-06-15']),
  TimeZone: oneOf(['', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe']),
  Hours: fc.oneof(fc.constant(''), fc.string({ unit: oneOf(['0', '1']), minLength: 168, maxLength: 168 })),
  HoursOf: mode,
  MaxBidfloor: oneOf([0, 0, 1.1, 2]),
  MinTmax: oneOf([0, 0, 100, 300]),
  DomainsBrandsListMode: mode,
  DomainsBrandsList: some([1, 2, 99]),
  AppsListMode: mode,
  AppsList: some([5]),
  IpBlacklists: some([7, 8, 9]),
  MaxIvt: oneOf([0, 0, 10, 20.5]),
  MaxSchainNodes: oneOf([0, 0, 1, 2]),
  CompleteSchain: oneOf([0, 0, 1]),
};

/** A demand object with at most a few of its fields set, as in life; now and then with all. */
export const demandObject = fc.record({
  entity: oneOf<DemandKindName>(['Campaign', 'DspVastTag', 'DspRtbEp', 'DspPopFeed']),
  status: oneOf([0, 0, 0, 1]),
  isOwnerActive: oneOf([true, true, true, false]),
  values: fc.oneof(fc.record(fields, { requiredKeys: [] }), fc.record(fields)),
  kept: fc.array(oneOf(Object.keys(fields)), { maxLength: 4 }),
  keepAll: oneOf([false, false, true]),
});

/** What `demandObject` makes. */
export type Arranged = typeof demandObject extends fc.Arbitrary<infer Value> ? Value : never;

/** The stored object of what was arranged. */
export function objectOf({ entity, status, values, kept, keepAll }: Arranged, id: number) {
  const always = ['Type', 'VideoEnabled', 'BannerEnabled', 'PopEnabled'];
  const known = objectWith(entity);
  const sent = Object.entries(values).filter(
    ([name]) =>
      (name in known.settings || name in known.connections) &&
      (keepAll || kept.includes(name) || always.includes(name)),
  );
  return objectWith(entity, Object.fromEntries(sent), { id, status });
}

const software: fc.Arbitrary<Software> = fc
  .record({ family: oneOf(['', ...families]), major: oneOf(versions), minor: oneOf(versions) })
  .map(({ family, major, minor }) => ({ family, major, minor: major === '' ? '' : minor }));

const inventory = fc.record({
  environment: oneOf(['web', 'app', ''] as const),
  domain: oneOf([
    '',
    'example.com',
    'a.example.com',
    'badexample.com',
    'example.org',
    'news.example.org',
    'x.blocked.test',
  ]),
  appBundle: oneOf(['', 'com.example.game', 'com.example.bad', 'COM.EXAMPLE.GAME', '12345']),
  categories: some([...categories, 'IAB1-99', 'IAB99']),
});

function sizeOf(text: string) {
  const [width = 0, height = 0] = text.split('x').map(Number);
  return { width, height };
}

/** Opportunities that the objects now and then admit. */
export const opportunity: fc.Arbitrary<Opportunity> = fc
  .record({
    media: oneOf(['video', 'video', 'banner', 'pop'] as const),
    timeMs: oneOf([
      ...[midnight - 1, midnight, midnight + dayMs - 1, midnight + dayMs],
      // Where clocks change in Berlin, New York and on Lord Howe Island.
      ...['2027-03-28T01:00Z', '2027-11-07T06:30Z', '2027-04-03T15:00Z'].map((time) => Date.parse(time)),
    ]),
    utcOffsetMinutes: oneOf([undefined, undefined, 0, 330, -600]),
    country: oneOf(['', ...countries, 'LU']),
    inventory,
    device: fc.record({ os: software, browser: software, types: some([1, 2, 4, 5]) }),
    ip: fc.option(oneOf(addresses)).map((text) => (text === null ? undefined : parseIpAddress(text))),
    size: oneOf(['0x0', '640x0', '640x360', '300x250', '1x1']),
    sizes: fc.option(some(['640x0', '640x360', '300x250', '1x1']), { nil: undefined }),
    floorCpmMicros: oneOf([0, 1_100_000, 1_100_001, 2_000_000]),
    tmaxMs: oneOf([99, 100, 299, 300]),
    sellerId: oneOf(['', ...sellers, 'pub-12']),
    invalid: oneOf([undefined, undefined, 'known_bot', 'impossible_agent'] as const),
    invalidTrafficPercent: oneOf([undefined, 0, 10, 10.01, 20.5]),
    supplyChain: fc.option(
      fc
        .record({ complete: oneOf([0, 1] as const), count: fc.nat({ max: 3 }) })
        .map(({ complete, count }) => ({
          complete,
          nodes: Array.from({ length: count }, (_, at) => ({ asi: 'a.test', sid: `${at}`, hp: 1 as const })),
        })),
      { nil: undefined },
    ),
  })
  .map(({ size, sizes, ...values }) =>
    opportunityWith({ ...values, ...sizeOf(size), ...(sizes && { sizes: sizes.map(sizeOf) }) }),
  );

/** Up to 70 objects: two words and a bit of a bitmap. */
export const exchange = fc.array(demandObject, { maxLength: 70, size: 'max' });
