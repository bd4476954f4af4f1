import { setImmediate as turn } from 'node:timers/promises';
import { type DimensionName, isTimeUnit } from '../../reference/dimensions.ts';
import type { MeasureName, MeasureValues } from '../../reference/measures.ts';
import type { ReportQuestion } from './question.ts';

/** Few enough that auctions wait less than a millisecond. */
const rowsPerTurn = 100;

type Value = string | number | null;

interface Orderable {
  /** Of the dimensions' columns, in the order of the groups. */
  readonly values: readonly (readonly (string | number)[])[];
  readonly figures: MeasureValues;
  readonly before?: MeasureValues;
}

interface Ordered<Row> {
  readonly row: Row;
  readonly keys: readonly Value[];
}

type Key = (row: Orderable, bucket: number) => readonly Value[];

/** Null if either is a rate of nothing. */
export function changeOf(
  { figures, before = {} }: Omit<Orderable, 'values'>,
  name: MeasureName,
): number | null {
  const [now = 0, then = 0] = [figures[name], before[name]];
  return now === null || then === null ? null : now - then;
}

/** What it says, then time and dimensions. */
function keysOf({ orderBy, groups }: ReportQuestion): readonly { readonly of: Key; readonly sign: 1 | -1 }[] {
  const shown = groups.filter((name): name is DimensionName => !isTimeUnit(name));
  const keyOf = (field: string, isOfChange = false): Key => {
    if (isOfChange) return (row) => [changeOf(row, field as MeasureName)];
    if (isTimeUnit(field)) return (_, bucket) => [bucket];
    const place = shown.indexOf(field as DimensionName);
    if (place >= 0) return ({ values }) => values[place] ?? [];
    return ({ figures }) => [figures[field as MeasureName] ?? null];
  };
  return [...orderBy, ...groups.map((field) => ({ field, isDescending: false, isOfChange: false }))].map(
    ({ field, isDescending, isOfChange }) => ({
      of: keyOf(field, isOfChange),
      sign: isDescending ? -1 : 1,
    }),
  );
}

/** Rates of nothing come last, in either direction. */
function compare(one: Value, other: Value, sign: 1 | -1): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  if (typeof one === 'number' && typeof other === 'number') return sign * (one - other);
  const [a, b] = [String(one), String(other)];
  return sign * (a < b ? -1 : Number(a > b));
}

type Compare = (one: Ordered<unknown>, other: Ordered<unknown>) => number;

/** Yields to other work. */
async function merged<Row>(
  one: readonly Ordered<Row>[],
  other: readonly Ordered<Row>[],
  order: Compare,
): Promise<Ordered<Row>[]> {
  const all: Ordered<Row>[] = [];
  for (let [at, otherAt] = [0, 0]; at < one.length || otherAt < other.length; ) {
    const [a, b] = [one[at], other[otherAt]];
    const isFirst = a && (!b || order(a, b) <= 0);
    all.push((isFirst ? a : b) as Ordered<Row>);
    if (isFirst) at += 1;
    else otherAt += 1;
    if (all.length % (10 * rowsPerTurn) === 0) await turn();
  }
  return all;
}

/** Sorts rows that come in batches; yields, so that nobody waits for a long list. */
export function createRowOrder<Row extends Orderable>(question: ReportQuestion) {
  const keys = keysOf(question);
  // A dimension may have two columns.
  let signs: (1 | -1)[] = [];
  const order: Compare = (one, other) => {
    for (const [index, key] of one.keys.entries()) {
      const difference = compare(key, other.keys[index] ?? null, signs[index] ?? 1);
      if (difference !== 0) return difference;
    }
    return 0;
  };
  let lots: (readonly Ordered<Row>[])[] = [];
  let lot: Ordered<Row>[] = [];
  return {
    async add(row: Row, bucket: number): Promise<void> {
      const parts = keys.map(({ of, sign }) => ({ sign, values: of(row, bucket) }));
      signs = parts.flatMap(({ sign, values }) => values.map(() => sign));
      lot.push({ row, keys: parts.flatMap(({ values }) => values) });
      if (lot.length < rowsPerTurn) return;
      lots.push(lot.sort(order));
      lot = [];
      await turn();
    },
    async rows(): Promise<Row[]> {
      lots.push(lot.sort(order));
      while (lots.length > 1) {
        const pairs = Array.from({ length: Math.ceil(lots.length / 2) }, (_, at) =>
          lots.slice(2 * at, 2 * at + 2),
        );
        const next: (readonly Ordered<Row>[])[] = [];
        for (const [one = [], other] of pairs) next.push(other ? await merged(one, other, order) : one);
        lots = next;
      }
      return (lots[0] ?? []).map(({ row }) => row);
    },
  };
}
