import {
  type CounterName,
  type Counts,
  type CountsIn,
  countersIn,
  ownCounters,
} from '../reference/counters.ts';
import {
  type Attribute,
  type Attributes,
  attributeValue,
  type Cube,
  type CubeName,
  noAd,
  noTraffic,
  trafficCubes,
} from '../reference/cubes.ts';
import type { ObjectKey, TrafficCounts } from '../store/statistics/interface.ts';
import type { Pair } from './events.ts';
import type { KeptNames } from './kept-names.ts';

type Tally = Record<keyof CountsIn<'traffic'>, number>;
type Values = readonly (string | number)[];

const names = countersIn('traffic');
const zeros = Object.fromEntries(names.map((name) => [name, 0])) as Tally;
const inTraffic: ReadonlySet<CounterName> = new Set(names);
const own: ReadonlySet<CounterName> = new Set(ownCounters);
/** Attributes whose values strangers choose. */
const chosen: ReadonlySet<Attribute> = new Set([
  'size',
  'site',
  'subId',
  'seat',
  'adDomain',
  'creative',
  'deal',
]);

/** Whether a counter is counted by traffic: what a demand object counts alone is no traffic of supply. */
function isCounted(name: CounterName, demand: unknown): name is keyof Tally {
  return inTraffic.has(name) && !(demand !== undefined && own.has(name));
}

/** A cube with what memory needs of it. */
interface Counting {
  readonly name: CubeName;
  readonly cube: Cube;
  readonly hasSupply: boolean;
  readonly hasDemand: boolean;
  readonly chosen: readonly Attribute[];
}

const counting: readonly Counting[] = trafficCubes.map(([name, cube]) => ({
  ...{ name, cube, hasSupply: cube.objects.includes('supply'), hasDemand: cube.objects.includes('demand') },
  chosen: cube.named ? cube.attributes.filter((attribute) => chosen.has(attribute)) : [],
}));
const ofRequests = counting.filter(({ cube }) => !cube.isOfAds);
const ofAds = counting.filter(({ cube }) => cube.isOfAds);

function attributesOf({ traffic = noTraffic, ad = noAd, subId }: Pair): Attributes {
  return { ...traffic, ...ad, subId, reason: '', demandKind: '' };
}

/** Values of a cube's attributes. Those that strangers choose keep their name only while they are among the largest. */
function valuesOf(
  { name, cube, chosen: bounded }: Counting,
  attributes: Attributes,
  { supply, demand }: Pair,
  day: number,
  kept: KeptNames,
): Values {
  const values = cube.attributes.map((attribute) => {
    const value = attributes[attribute];
    return bounded.includes(attribute) ? attributeValue(String(value)) : value;
  });
  const object = cube.named?.of === 'demand' ? demand : supply;
  if (!cube.named || !object) return values;
  const isBounded = (index: number) => bounded.includes(cube.attributes[index] as Attribute);
  const parts = values.filter((_, index) => isBounded(index));
  const whole = parts.every((part) => part === '') ? '' : parts.join('\n');
  const named = kept.name(`${name}:${object.kind}:${object.id}`, day, whole, cube.named.most);
  return named === whole ? values : values.map((value, index) => (isBounded(index) ? named : value));
}

/** Rows of one event, whose counts are added at once. */
export function trafficOf(pair: Pair, day: number, counts: Counts, kept: KeptNames): TrafficCounts[] {
  const counted = { ...zeros };
  let isAny = false;
  for (const name of names) {
    if (counts[name] === 0 || !isCounted(name, pair.demand)) continue;
    counted[name] = counts[name];
    isAny = true;
  }
  if (!isAny || !pair.traffic) return [];
  const attributes = attributesOf(pair);
  return (pair.ad ? counting : ofRequests).map((one) => ({
    ...{ cube: one.name, day, values: valuesOf(one, attributes, pair, day, kept), counts: counted },
    supply: one.hasSupply ? pair.supply : undefined,
    demand: one.hasDemand ? pair.demand : undefined,
  }));
}

/** What was counted under some values of a cube's attributes. */
interface Cell extends Omit<TrafficCounts, 'counts' | 'demand'> {
  readonly hasDemand: boolean;
  /** What has no demand, or of a cube without demand all. */
  own: Tally | undefined;
  readonly demand: Map<string, { readonly demand: ObjectKey; readonly counts: Tally }>;
}

const isSame = (one: ObjectKey | undefined, other: ObjectKey | undefined) =>
  one === other || (one?.id === other?.id && one?.kind === other?.kind);

function tallyIn(cell: Cell, demand: ObjectKey | undefined): Tally {
  if (!demand || !cell.hasDemand) {
    cell.own ??= { ...zeros };
    return cell.own;
  }
  const key = `${demand.id}${demand.kind}`;
  const known = cell.demand.get(key);
  if (known) return known.counts;
  const counts = { ...zeros };
  cell.demand.set(key, { demand: { kind: demand.kind, id: demand.id }, counts });
  return counts;
}

function rowsOf({ own: alone, demand, hasDemand: _, ...row }: Cell): TrafficCounts[] {
  const ofDemand = [...demand.values()].map((one) => ({ ...row, ...one }));
  return alone ? [{ ...row, demand: undefined, counts: alone }, ...ofDemand] : ofDemand;
}

/** Counts of traffic in the memory of one thread. */
export interface TrafficCounter {
  count(pair: Pair, counted: CounterName, timeMs: number, by: number): void;
  /** Takes out what was counted since the last call. */
  take(): TrafficCounts[];
}

const dayMs = 86_400_000;

/**
 * Counts traffic. An auction counts many things of the same traffic one after the other, so its rows are looked up once
 * for the auction, and those of a demand object once for the object. Only events with `traffic` count.
 */
export function createTrafficCounter(kept: KeptNames): TrafficCounter {
  let cells = new Map<string, Cell>();
  let last:
    | { pair: Pair; day: number; cells: Cell[]; demand: ObjectKey | undefined; tallies: Tally[] }
    | undefined;
  const cellOf = (one: Counting, pair: Pair, attributes: Attributes, day: number): Cell => {
    const values = valuesOf(one, attributes, pair, day, kept);
    const object = one.hasSupply ? pair.supply : pair.demand;
    const key = `${one.name}\n${object?.kind}\n${object?.id}\n${day}\n${values.join('\n')}`;
    const known = cells.get(key);
    if (known) return known;
    const { name: cube, hasSupply, hasDemand } = one;
    const supply = hasSupply ? { kind: pair.supply.kind, id: pair.supply.id } : undefined;
    const fresh: Cell = { cube, day, supply, values, hasDemand, own: undefined, demand: new Map() };
    cells.set(key, fresh);
    return fresh;
  };
  const talliesOf = (pair: Pair, day: number): readonly Tally[] => {
    const { supply, demand, subId, traffic } = pair;
    const isKnown =
      last?.pair.traffic === traffic &&
      last?.day === day &&
      last.pair.subId === subId &&
      isSame(last.pair.supply, supply);
    if (!last || !isKnown) {
      const attributes = attributesOf(pair);
      const found = ofRequests.map((one) => cellOf(one, pair, attributes, day));
      last = { pair, day, cells: found, demand, tallies: found.map((cell) => tallyIn(cell, demand)) };
    } else if (!isSame(last.demand, demand)) {
      last.demand = demand;
      last.tallies = last.cells.map((cell) => tallyIn(cell, demand));
    }
    return last.tallies;
  };
  return {
    count(pair, counted, timeMs, by) {
      const { demand, traffic, ad } = pair;
      if (!traffic || !isCounted(counted, demand)) return;
      const day = Math.floor(timeMs / dayMs);
      for (const tally of talliesOf(pair, day)) tally[counted] += by;
      if (!ad || !demand) return;
      for (const one of ofAds) tallyIn(cellOf(one, pair, attributesOf(pair), day), demand)[counted] += by;
    },
    take() {
      const taken = cells;
      cells = new Map();
      last = undefined;
      return [...taken.values()].flatMap(rowsOf);
    },
  };
}
