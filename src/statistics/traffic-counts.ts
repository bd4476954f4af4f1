import {
  type AdFacts,
  type Attributes,
  attributeValue,
  type Cube,
  type CubeName,
  chosenAttributes,
  otherValue,
  trafficCubes,
  unknownAd,
  unknownTraffic,
} from '../reference/cubes.ts';
import type { ObjectKey, TrafficCounts } from '../store/statistics/interface.ts';
import { addDeltas, type CounterDeltas, type CounterRow, forms } from './counter-rows.ts';
import { dayOf } from './days.ts';
import type { Pair } from './events.ts';
import { getOrMake, type Kinds, newMap, objectsIn } from './nested-maps.ts';
import type { DayValues, TopValues } from './top-values.ts';

type Values = readonly (string | number)[];

interface TrafficTarget {
  readonly name: CubeName;
  readonly cube: Cube;
  readonly hasSupply: boolean;
  readonly hasDemand: boolean;
  /** Also of requests without `traffic`. */
  readonly isOfAll: boolean;
  /** Of each attribute: whether strangers choose its value. */
  readonly isChosen: readonly boolean[];
}

const counting: readonly TrafficTarget[] = trafficCubes.map(([name, cube]) => ({
  name,
  cube,
  hasSupply: cube.objects.includes('supply'),
  hasDemand: cube.objects.includes('demand'),
  isOfAll: !cube.attributes.some((attribute) => attribute in unknownTraffic),
  isChosen: cube.attributes.map((attribute) => cube.named !== undefined && chosenAttributes.has(attribute)),
}));
const ofRequests = counting.filter(({ cube }) => !cube.isOfAds);
/** All of demand objects only. */
const ofAds = counting.filter(({ cube }) => cube.isOfAds);

function attributesOf({ traffic = unknownTraffic, ad = unknownAd, subId }: Omit<Pair, 'supply'>): Attributes {
  return { ...traffic, ...ad, subId, reason: '', currency: '', demandKind: '', dealId: 0 };
}

const sentValues = ({ cube }: TrafficTarget, attributes: Attributes): Values =>
  cube.attributes.map((attribute) => attributes[attribute]);

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

/** Of an object, day and cube. */
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

function rowsOf(object: ObjectKey, day: number, { of, byValues }: Cells): TrafficCounts[] {
  const supply = of.hasSupply ? object : undefined;
  return [...byValues.values()].flatMap(({ values, own, demand }) => {
    const row = (other: ObjectKey | undefined, counts: CounterRow): TrafficCounts => ({
      cube: of.name,
      day,
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

/** By day and the object of `ownerOf`. */
function createCells(cubes: readonly TrafficTarget[], topValues: TopValues) {
  let days = new Map<number, Kinds<readonly Cells[]>>();
  return {
    /** In the order of the cubes. */
    of({ kind, id }: ObjectKey, day: number): readonly Cells[] {
      const kinds: Kinds<readonly Cells[]> = getOrMake(days, day, newMap);
      const ids: Map<number, readonly Cells[]> = getOrMake(kinds, kind, newMap);
      return getOrMake(ids, id, () =>
        cubes.map((of) => ({ of, seen: seenIn(of, { kind, id }, day, topValues), byValues: new Map() })),
      );
    },
    take(): TrafficCounts[] {
      const taken = days;
      days = new Map();
      return [...taken].flatMap(([day, kinds]) =>
        objectsIn(kinds).flatMap(([object, cells]) => cells.flatMap((some) => rowsOf(object, day, some))),
      );
    },
  };
}

/** Without `traffic` an event counts in cubes that need none. */
export function createTrafficCounter(topValues: TopValues): TrafficCounter {
  const requests = createCells(ofRequests, topValues);
  const ads = createCells(ofAds, topValues);
  let last:
    | { readonly of: AuctionPart; readonly day: number; readonly cells: readonly (Cell | undefined)[] }
    | undefined;
  const cellsOf = (of: AuctionPart, day: number): readonly (Cell | undefined)[] => {
    if (last?.of === of && last.day === day) return last.cells;
    const attributes = attributesOf({ ...of, demand: undefined });
    const cells = requests
      .of(of.supply, day)
      .map((one) => (of.traffic || one.of.isOfAll ? cellOf(one, sentValues(one.of, attributes)) : undefined));
    last = { of, day, cells };
    return cells;
  };
  const countAd = (ad: AdFacts, demand: ObjectKey, sheet: CounterDeltas, day: number) => {
    const attributes = attributesOf({ ad, demand, subId: '' });
    for (const one of ads.of(demand, day)) {
      addDeltas(tallyIn(cellOf(one, sentValues(one.of, attributes)), one.of, demand), sheet.traffic);
    }
  };
  return {
    count(of, { demand, ad }, sheet, timeMs) {
      if (sheet.traffic.length === 0) return;
      const day = dayOf(timeMs);
      const cells = cellsOf(of, day);
      for (let index = 0; index < cells.length; index += 1) {
        const cell = cells[index];
        if (cell) addDeltas(tallyIn(cell, ofRequests[index] as TrafficTarget, demand), sheet.traffic);
      }
      if (of.traffic && ad && demand) countAd(ad, demand, sheet, day);
    },
    take() {
      last = undefined;
      return [...requests.take(), ...ads.take()];
    },
  };
}
