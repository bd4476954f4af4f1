import {
  type AdFacts,
  type Attribute,
  attributeValue,
  type Cube,
  type CubeName,
  chosenAttributes,
  otherValue,
  quarterlyCubes,
  type Traffic,
  trafficCubes,
  unknownAd,
  unknownTraffic,
} from '../reference/cubes.ts';
import type { ObjectKey, TrafficCounts } from '../store/statistics/interface.ts';
import { addDeltas, type CounterDeltas, type CounterRow, forms } from './counter-rows.ts';
import { quarterOf, quartersPerDay } from './days.ts';
import type { Pair } from './events.ts';
import { getOrMake, type Kinds, newMap, objectsIn } from './nested-maps.ts';
import type { DayValues, TopValues } from './top-values.ts';

type Values = readonly (string | number)[];

/** Of an event, by which it counts. */
interface Told {
  readonly traffic: Traffic;
  readonly ad: AdFacts;
  readonly subId: string;
}
type ToldValue = (told: Told) => string | number;

const ofTraffic = Object.keys(unknownTraffic) as (keyof Traffic)[];
const ofAd = Object.keys(unknownAd) as (keyof AdFacts)[];

/** `""` for attributes that events don't tell. */
function toldValue(attribute: Attribute): ToldValue {
  const traffic = ofTraffic.find((name) => name === attribute);
  if (traffic) return (told) => told.traffic[traffic];
  const ad = ofAd.find((name) => name === attribute);
  if (ad) return (told) => told.ad[ad];
  return attribute === 'subId' ? ({ subId }) => subId : () => '';
}

interface TrafficTarget {
  readonly name: CubeName;
  readonly cube: Cube;
  readonly hasSupply: boolean;
  readonly hasDemand: boolean;
  readonly hasQuarters: boolean;
  /** Also of requests without `traffic`. */
  readonly isOfAll: boolean;
  /** Of each attribute: whether strangers choose its value. */
  readonly isChosen: readonly boolean[];
  readonly read: readonly ToldValue[];
}

const counting: readonly TrafficTarget[] = trafficCubes.map(([name, cube]) => ({
  name,
  cube,
  hasSupply: cube.objects.includes('supply'),
  hasDemand: cube.objects.includes('demand'),
  hasQuarters: quarterlyCubes.has(name),
  isOfAll: !cube.attributes.some((attribute) => attribute in unknownTraffic),
  isChosen: cube.attributes.map((attribute) => cube.named !== undefined && chosenAttributes.has(attribute)),
  read: cube.attributes.map(toldValue),
}));
const ofRequests = counting.filter(({ cube }) => !cube.isOfAds);
/** All of demand objects only. */
const ofAds = counting.filter(({ cube }) => cube.isOfAds);

const sentValues = ({ read }: TrafficTarget, told: Told): Values => read.map((value) => value(told));

/** Since they were taken; the database bounds those of the day. */
function firstName({ byValues }: Cells, value: string, most: number): string {
  const names = byValues.size - Number(byValues.has('')) - Number(byValues.has(otherValue));
  return value === '' || names < most || byValues.has(value) ? value : otherValue;
}

/** As counted: values that strangers choose keep their name only while they are among the first or the largest. */
function valuesOf(cells: Cells, sent: Values): Values {
  const { of, seen } = cells;
  const { cube, isChosen } = of;
  if (!cube.named) return sent;
  const { most } = cube.named;
  const values = sent.map((value, index) =>
    isChosen[index] ? attributeValue(String(value), cube.attributes[index]) : value,
  );
  const parts = values.filter((_, index) => isChosen[index]);
  const whole = parts.every((part) => part === '') ? '' : parts.join('\n');
  const named = seen ? seen.name(whole, most) : firstName(cells, whole, most);
  return named === whole ? values : values.map((value, index) => (isChosen[index] ? named : value));
}

function seenIn(
  { name, cube }: TrafficTarget,
  object: ObjectKey | undefined,
  day: number,
  topValues: TopValues,
): DayValues | undefined {
  if (!cube.named || cube.named.areFirst) return undefined;
  return object && topValues.of(`${name}:${object.kind}:${object.id}`, day);
}

/** Under some values of a cube's attributes. */
interface Cell {
  readonly values: Values;
  /** Values as sent, which keep their names: no closer look when met again. */
  readonly isAsSent: boolean;
  /** Without demand, or in a cube without demand. */
  own: CounterRow | undefined;
  readonly demand: Kinds<CounterRow>;
}

/** Of an object, quarter hour and cube. */
interface Cells {
  readonly of: TrafficTarget;
  readonly seen: DayValues | undefined;
  readonly byValues: Map<string, Cell>;
}

function cellOf(cells: Cells, sent: Values): Cell {
  const { of, seen, byValues } = cells;
  const key = sent.join('\n');
  const met = byValues.get(key);
  if (met?.isAsSent) {
    seen?.meet();
    return met;
  }
  const values = valuesOf(cells, sent);
  const isAsSent = values.every(
    (value, index) => value === sent[index] && !(of.isChosen[index] && value === otherValue),
  );
  return getOrMake(byValues, isAsSent ? key : values.join('\n'), () => ({
    values,
    isAsSent,
    own: undefined,
    demand: new Map(),
  }));
}

function tallyIn(cell: Cell, { hasDemand }: TrafficTarget, demand: ObjectKey | undefined): CounterRow {
  if (!demand || !hasDemand) {
    cell.own ??= forms.traffic.empty();
    return cell.own;
  }
  const ids: Map<number, CounterRow> = getOrMake(cell.demand, demand.kind, newMap);
  return getOrMake(ids, demand.id, forms.traffic.empty);
}

/** Quarter hours since 1970; `isDayOnly`: whichever of the day. */
interface CountedTime {
  readonly quarter: number;
  readonly isDayOnly: boolean;
}

const dayIn = ({ quarter }: Pick<CountedTime, 'quarter'>) => Math.floor(quarter / quartersPerDay);

function rowsOf(object: ObjectKey, time: CountedTime, { of, byValues }: Cells): TrafficCounts[] {
  const supply = of.hasSupply ? object : undefined;
  const day = dayIn(time);
  const known = of.hasQuarters && !time.isDayOnly ? { day, quarter: time.quarter } : { day };
  return [...byValues.values()].flatMap(({ values, own, demand }) => {
    const row = (other: ObjectKey | undefined, counts: CounterRow): TrafficCounts => ({
      cube: of.name,
      ...known,
      supply,
      demand: other,
      values,
      counts: forms.traffic.countsOf(counts),
    });
    const alone = own ? [row(of.hasSupply ? undefined : object, own)] : [];
    return [...alone, ...objectsIn(demand).map(([other, counts]) => row(other, counts))];
  });
}

type AuctionPart = Omit<Pair, 'demand' | 'ad'>;

export interface TrafficCounter {
  /** Rows of an auction are looked up once for the same `of`. */
  count(of: AuctionPart, part: Pick<Pair, 'demand' | 'ad'>, sheet: CounterDeltas, timeMs: number): void;
  /** Since the last call. */
  take(): TrafficCounts[];
}

type CellsByObject = Kinds<readonly Cells[]>;

/** While nobody takes them, as when the disk is full: of quarter hours from the third on. */
const objectsMax = 10_000;

/** By quarter hour and object; beyond `objectsMax`, by day and object. */
function createCells(cubes: readonly TrafficTarget[], topValues: TopValues) {
  let quarters = new Map<number, CellsByObject>();
  let days = new Map<number, CellsByObject>();
  let objects = 0;
  const kindsAt = (quarter: number): CellsByObject => {
    const isFull = objects >= objectsMax && quarters.size > 1 && !quarters.has(quarter);
    if (!isFull) return getOrMake(quarters, quarter, newMap);
    return getOrMake(days, dayIn({ quarter }) * quartersPerDay, newMap);
  };
  const rowsIn = (taken: ReadonlyMap<number, CellsByObject>, isDayOnly: boolean) =>
    [...taken].flatMap(([quarter, kinds]) =>
      objectsIn(kinds).flatMap(([object, cells]) =>
        cells.flatMap((some) => rowsOf(object, { quarter, isDayOnly }, some)),
      ),
    );
  return {
    /** In the order of the cubes. */
    of({ kind, id }: ObjectKey, quarter: number): readonly Cells[] {
      const ids: Map<number, readonly Cells[]> = getOrMake(kindsAt(quarter), kind, newMap);
      const day = dayIn({ quarter });
      return getOrMake(ids, id, () => {
        objects += 1;
        return cubes.map((of) => ({
          of,
          seen: seenIn(of, { kind, id }, day, topValues),
          byValues: new Map(),
        }));
      });
    },
    take(): TrafficCounts[] {
      const rows = [...rowsIn(quarters, false), ...rowsIn(days, true)];
      quarters = new Map();
      days = new Map();
      objects = 0;
      return rows;
    },
  };
}

/** Without `traffic` an event counts in cubes that need none. */
export function createTrafficCounter(topValues: TopValues): TrafficCounter {
  const requests = createCells(ofRequests, topValues);
  const ads = createCells(ofAds, topValues);
  let last:
    | { readonly of: AuctionPart; readonly quarter: number; readonly cells: readonly (Cell | undefined)[] }
    | undefined;
  const cellsOf = (of: AuctionPart, quarter: number): readonly (Cell | undefined)[] => {
    if (last?.of === of && last.quarter === quarter) return last.cells;
    const told = { traffic: of.traffic ?? unknownTraffic, ad: unknownAd, subId: of.subId };
    const cells = requests
      .of(of.supply, quarter)
      .map((one) => (of.traffic || one.of.isOfAll ? cellOf(one, sentValues(one.of, told)) : undefined));
    last = { of, quarter, cells };
    return cells;
  };
  const countAd = (ad: AdFacts, demand: ObjectKey, sheet: CounterDeltas, quarter: number) => {
    const told = { traffic: unknownTraffic, ad, subId: '' };
    for (const one of ads.of(demand, quarter)) {
      addDeltas(tallyIn(cellOf(one, sentValues(one.of, told)), one.of, demand), sheet.traffic);
    }
  };
  return {
    count(of, { demand, ad }, sheet, timeMs) {
      if (sheet.traffic.length === 0) return;
      const quarter = quarterOf(timeMs);
      const cells = cellsOf(of, quarter);
      for (let index = 0; index < cells.length; index += 1) {
        const cell = cells[index];
        if (cell) addDeltas(tallyIn(cell, ofRequests[index] as TrafficTarget, demand), sheet.traffic);
      }
      if (of.traffic && ad && demand) countAd(ad, demand, sheet, quarter);
    },
    take() {
      last = undefined;
      return [...requests.take(), ...ads.take()];
    },
  };
}
