import type { Opportunity } from '../../src/exchange/opportunity.ts';
import { parseIpAddress } from '../../src/exchange/reading/ip-address.ts';
import type { Demand } from '../../src/exchange/snapshot/demand.ts';
import {
  type CandidateIndex,
  createCandidateIndex,
} from '../../src/exchange/targeting/index/candidate-index.ts';
import { countries } from '../../src/reference/countries.ts';
import { iabCategories } from '../../src/reference/iab-categories.ts';
import { demandOf, listsWith, objectWith, readingOf } from '../../test/exchange/targeting/samples.ts';
import { opportunityWith } from '../../test/exchange/unrestricted.ts';
import { randomFrom } from '../../test/support/seed.ts';
import type { Measure, Tools } from '../measure.ts';
import type { Row } from '../row.ts';
import { microsecondsOf } from '../speed.ts';

const random = randomFrom(7);
const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
const several = <T>(items: readonly T[], most: number) =>
  Array.from({ length: 1 + Math.floor(random() * most) }, () => pick(items));
const chance = (share: number) => random() < share;

const codes = countries.map(({ CC }) => CC);
const names = iabCategories.flatMap(({ Name, Subcategories }) => [Name, ...Subcategories.map((s) => s.Name)]);
const sizes = ['640x360', '300x250', '320x50', '728x90', '1280x720', '1920x1080', '160x600', '300x600'];
const osFamilies = ['Android', 'iOS', 'Windows', 'macOS', 'Linux', 'Roku'];
const browserFamilies = [
  'Chrome',
  'Safari',
  'Firefox',
  'Microsoft Edge',
  'Opera',
  'Samsung Internet for Android',
];

const lists = await listsWith([
  ...Array.from({ length: 20 }, (_, id) => ({
    kind: 'DomainList' as const,
    id: id + 1,
    lines: Array.from({ length: 5000 }, (_, at) => `site-${id}-${at}.example.com`),
  })),
  ...Array.from({ length: 5 }, (_, id) => ({
    kind: 'IpList' as const,
    id: id + 101,
    lines: Array.from({ length: 1000 }, (_, at) => `10.${id}.${at >> 8}.${at & 255}`),
  })),
  { kind: 'DomainList', id: 50, lines: ['bad.example'], isGlobal: true },
]);

function families(of: readonly string[]) {
  return several(of, 2).map((Family) =>
    chance(0.3)
      ? { Family, Versions: [{ Major: String(10 + Math.floor(random() * 8)), Minor: '' }] }
      : { Family },
  );
}

/** Targeting as advertisers set it: nearly always countries, often device and category, now and then the rest. */
function targetedObject(id: number) {
  const values: Record<string, unknown> = { MaxBidfloor: chance(0.5) ? 1 + random() * 10 : 0, MinTmax: 100 };
  if (chance(0.97)) values.Countries = several(codes.slice(0, 60), 4);
  if (chance(0.7)) values.DeviceTypes = several([1, 2, 3, 4, 5], 2);
  if (chance(0.4)) values.Os = families(osFamilies);
  if (chance(0.2)) values.Browsers = families(browserFamilies);
  if (chance(0.7)) values.IabCategories = several(names, 6);
  if (chance(0.3)) Object.assign(values, { SizesListMode: 1, SizesList: several(sizes, 3) });
  if (chance(0.2)) values.AppEnabled = 0;
  if (chance(0.2)) values.WebEnabled = 0;
  if (chance(0.1)) values.PubIdList = several(['1', '2', '3', '4'], 3).join('\n');
  if (chance(0.5)) values.DomainsBrandsList = several([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 3);
  if (chance(0.5)) values.IpBlacklists = several([101, 102, 103], 2);
  return objectWith('DspVastTag', values, { id });
}

function opportunity(): Opportunity {
  const isApp = chance(0.4);
  return opportunityWith({
    country: pick(codes.slice(0, 60)),
    inventory: {
      environment: isApp ? 'app' : 'web',
      domain: isApp ? '' : `www.site-${Math.floor(random() * 20)}-${Math.floor(random() * 9000)}.example.com`,
      appBundle: isApp ? 'com.example.game' : '',
      categories: several(names, 3),
    },
    device: {
      os: { family: pick(osFamilies), major: '14', minor: '1' },
      browser: { family: pick(browserFamilies), major: '12', minor: '0' },
      types: pick([[1, 4], [1, 5], [2], [3]]),
    },
    ip: parseIpAddress(`203.0.113.${Math.floor(random() * 256)}`),
    width: 640,
    height: 360,
    floorCpmMicros: Math.floor(random() * 2_000_000),
    sellerId: pick(['1', '2', '3', '4']),
  });
}

function perOpportunity(
  run: (opportunity: Opportunity) => unknown,
  on: readonly Opportunity[],
  times: number,
) {
  const all = () => {
    for (const each of on) run(each);
  };
  all();
  return microsecondsOf(all, times) / on.length;
}

function scan(connected: readonly Demand[], met: Opportunity): Demand[] {
  return connected.filter(
    ({ isActive, account, checks }) =>
      isActive && account.isActive && checks.every((check) => check(met) === undefined),
  );
}

/** The same with those counted whom it refuses, told as often as there are opportunities: about once a second. */
function countedPerOpportunity(index: CandidateIndex, on: readonly Opportunity[], times: number) {
  let told = 0;
  const all = () => {
    const counts = index.refusedCounts();
    for (const each of on) index.select(each, counts);
    counts.tell((_demand, _reason, count) => {
      told += count;
    });
  };
  all();
  const us = microsecondsOf(all, times) / on.length;
  if (told === 0) throw new Error('nobody was refused');
  return us;
}

function rowOf(size: number, atMost: number, opportunities: readonly Opportunity[]): Row {
  const objects = Array.from({ length: size }, (_, id) => targetedObject(id));
  const demand = objects.map((object) => demandOf(object, lists));
  const reading = readingOf(({ id }) => objects[id] as (typeof objects)[number]);
  const index = createCandidateIndex(demand, reading, lists);
  const survivors =
    opportunities.reduce((sum, met) => sum + index.select(met).length, 0) / opportunities.length;
  const selectUs = perOpportunity(
    (met) => index.select(met),
    opportunities,
    Math.ceil(10_000 / Math.sqrt(size)),
  );
  const countedUs = countedPerOpportunity(index, opportunities, Math.ceil(10_000 / Math.sqrt(size)));
  const scanUs = perOpportunity((met) => scan(demand, met), opportunities, Math.ceil(1000 / size));
  return {
    title: `Selection among ${size.toLocaleString('en')} connected objects`,
    targets: [{ what: '', value: selectUs, unit: 'cpuMicroseconds', atMost }],
    details: [
      { what: 'with those refused counted', value: countedUs, unit: 'cpuMicroseconds' },
      { what: 'naive scan', value: scanUs, unit: 'cpuMicroseconds' },
      { what: 'of them', value: selectUs / scanUs, unit: 'share' },
      { what: 'survivors', value: survivors, unit: 'count' },
    ],
  };
}

const bounds: readonly (readonly [size: number, microsecondsMax: number])[] = [
  [10, 1],
  [100, 1],
  [200, 1],
  [1000, 2],
  [10_000, 10],
];

/** How long selection takes with realistic targeting, and beside it a naive scan of the same checks. */
export const selection: Measure<Tools> = {
  name: 'selection',
  async run() {
    const opportunities = Array.from({ length: 200 }, opportunity);
    return bounds.map(([size, atMost]) => rowOf(size, atMost, opportunities));
  },
};
