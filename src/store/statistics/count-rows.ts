import {
  type CountedBy,
  type Counts,
  type CountsIn,
  countersIn,
  noCounts,
  ownCounters,
} from '../../reference/counters.ts';
import type { ObjectKey, PairCounts, SubIdCounts } from './interface.ts';

/** A row of a table of counts: its key's columns, then the counts. */
export type CountRow = readonly (string | number)[];

type RowKey = readonly (string | number)[];

const hoursPerDay = 24;

/** Adds up counts of a table by key. All writers get their rows in the same order, so that they cannot deadlock. */
function createSums<Table extends CountedBy>(table: Table) {
  const names = countersIn(table);
  const sums = new Map<string, { readonly key: RowKey; readonly values: readonly number[] }>();
  return {
    add(key: RowKey, counts: CountsIn<Table>): void {
      const text = JSON.stringify(key);
      const before = sums.get(text)?.values;
      const values = names.map((name, index) => (before?.[index] ?? 0) + counts[name]);
      sums.set(text, { key, values });
    },
    rows(): CountRow[] {
      const ordered = [...sums].sort(([a], [b]) => (a < b ? -1 : 1));
      return ordered.map(([, { key, values }]) => [...key, ...values]);
    },
  };
}

const notOfSupply: Partial<Counts> = Object.fromEntries(ownCounters.map((name) => [name, 0]));

/** The counts of a pair that belong to its supply object: without those that the demand object has of its own. */
function ofSupply({ demand, counts }: PairCounts): Counts {
  const hasOwn = demand && ownCounters.some((name) => counts[name] !== 0);
  return hasOwn ? { ...counts, ...notOfSupply } : counts;
}

/** Rows of `statistic_hour`. */
export function hourRows(pairs: readonly PairCounts[]): CountRow[] {
  const sums = createSums('hour');
  for (const { hour, supply, demand, counts } of pairs) {
    const day = Math.floor(hour / hoursPerDay);
    const sides = [demand?.kind ?? '', demand?.id ?? 0];
    sums.add([supply.kind, supply.id, day, hour % hoursPerDay, ...sides], counts);
  }
  return sums.rows();
}

/**
 * Rows of `statistic_day`, for objects and for the accounts that `accountOf` gives. An object whose subids are counted
 * always gets a row, even one of zeros, because that row is the lock on its subids.
 */
export function dayRows(
  pairs: readonly PairCounts[],
  subIds: readonly SubIdCounts[],
  accountOf: (object: ObjectKey) => ObjectKey | undefined,
): CountRow[] {
  const sums = createSums('day');
  const add = (object: ObjectKey, day: number, counts: Counts) => {
    sums.add([object.kind, object.id, day], counts);
    const account = accountOf(object);
    if (account) sums.add([account.kind, account.id, day], counts);
  };
  for (const pair of pairs) {
    const day = Math.floor(pair.hour / hoursPerDay);
    add(pair.supply, day, ofSupply(pair));
    if (pair.demand) add(pair.demand, day, pair.counts);
  }
  for (const { supply, day } of subIds) sums.add([supply.kind, supply.id, day], noCounts);
  return sums.rows();
}

/** Rows of `statistic_sub_id`, under the subids that `nameOf` gives them. */
export function subIdRows(
  subIds: readonly SubIdCounts[],
  nameOf: (counted: SubIdCounts) => string,
): CountRow[] {
  const sums = createSums('subId');
  for (const counted of subIds) {
    const { supply, day, counts } = counted;
    sums.add([supply.kind, supply.id, day, nameOf(counted)], counts);
  }
  return sums.rows();
}

/** Requests by `<kind>:<id>` of the object that they went to. */
export function requestsIn(pairs: readonly PairCounts[]): Record<string, number> {
  const requests: Record<string, number> = {};
  for (const { supply, demand, counts } of pairs) {
    if (counts.requests === 0) continue;
    const { kind, id } = demand ?? supply;
    const name = `${kind}:${id}`;
    requests[name] = (requests[name] ?? 0) + counts.requests;
  }
  return requests;
}
