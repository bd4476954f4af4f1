import { type CountsIn, type CountTableName, countersIn, ownCounters } from '../../reference/counters.ts';
import { type Cube, cubes, type Grain } from '../../reference/cubes.ts';
import { ownMember, setOwnMember } from '../../reference/own-member.ts';
import { type CubeTable, slotOf } from './cube-tables.ts';
import type { ObjectKey, PairCounts, TrafficCounts } from './interface.ts';

/** Key columns, then counts. */
export type CountRow = readonly (string | number)[];

type RowKey = readonly (string | number)[];

/** By key, in the same order for all writers, so that they cannot deadlock. */
function createSums<Table extends CountTableName>(table: Table) {
  const names = countersIn(table);
  const sums = new Map<string, { readonly key: RowKey; readonly values: number[] }>();
  return {
    add(key: RowKey, counts: Partial<CountsIn<Table>>): void {
      const text = JSON.stringify(key);
      const values = sums.get(text)?.values ?? names.map(() => 0);
      for (const [index, name] of names.entries()) values[index] = (values[index] ?? 0) + (counts[name] ?? 0);
      sums.set(text, { key, values });
    },
    rows(): CountRow[] {
      const ordered = [...sums].sort(([a], [b]) => (a < b ? -1 : 1));
      return ordered.map(([, { key, values }]) => [...key, ...values]);
    },
  };
}

const notOfSupply: Partial<CountsIn<'pair'>> = Object.fromEntries(ownCounters.map((name) => [name, 0]));

/** Without the demand object's own. */
function ofSupply({ demand, counts }: PairCounts): CountsIn<'pair'> {
  const hasOwn = demand && ownCounters.some((name) => counts[name as keyof typeof counts] !== 0);
  return hasOwn ? { ...counts, ...notOfSupply } : counts;
}

/** Team and owning account; 0 = unknown. */
export interface Ownership {
  readonly teamId: number;
  readonly account: ObjectKey | undefined;
}

export type OwnershipOf = (object: ObjectKey) => Ownership | undefined;

const millisecondsPerHour = 3_600_000;
const millisecondsPerQuarter = 900_000;
const millisecondsPerMinute = 60_000;

/** Milliseconds since 1970. */
const timeOf = ({ hour, quarter = 0, minute = 0 }: PairCounts): number =>
  hour * millisecondsPerHour + quarter * millisecondsPerQuarter + minute * millisecondsPerMinute;

function sideKey(object: ObjectKey | undefined, ownershipOf: OwnershipOf): RowKey {
  return object ? [ownershipOf(object)?.account?.id ?? 0, object.kind, object.id] : [0, '', 0];
}

export function pairRows(grain: Grain, pairs: readonly PairCounts[], ownershipOf: OwnershipOf): CountRow[] {
  const sums = createSums('pair');
  for (const pair of pairs) {
    const { supply, demand, counts } = pair;
    const sides = [...sideKey(supply, ownershipOf), ...sideKey(demand, ownershipOf)];
    sums.add([slotOf(grain, timeOf(pair)), ownershipOf(supply)?.teamId ?? 0, ...sides], counts);
  }
  return sums.rows();
}

/** From pairs; what has no demand is a row, too. */
export const sideRows =
  (side: 'supply' | 'demand') =>
  (grain: Grain, pairs: readonly PairCounts[], ownershipOf: OwnershipOf): CountRow[] => {
    const sums = createSums('pair');
    for (const pair of pairs) {
      const { [side]: object, supply } = pair;
      const key = [slotOf(grain, timeOf(pair)), ownershipOf(object ?? supply)?.teamId ?? 0];
      sums.add([...key, ...sideKey(object, ownershipOf)], side === 'supply' ? ofSupply(pair) : pair.counts);
    }
    return sums.rows();
  };

export function teamRows(grain: Grain, pairs: readonly PairCounts[], ownershipOf: OwnershipOf): CountRow[] {
  const sums = createSums('pair');
  for (const pair of pairs)
    sums.add([slotOf(grain, timeOf(pair)), ownershipOf(pair.supply)?.teamId ?? 0], ofSupply(pair));
  return sums.rows();
}

/** Of deals, from pairs in which they are the counterpart. */
export function dealRows(grain: Grain, pairs: readonly PairCounts[], ownershipOf: OwnershipOf): CountRow[] {
  const sums = createSums('pair');
  for (const pair of pairs) {
    const { supply, demand, counts } = pair;
    const slot = slotOf(grain, timeOf(pair));
    const key = [slot, ownershipOf(supply)?.teamId ?? 0, ...sideKey(supply, ownershipOf)];
    sums.add([...key, demand?.kind ?? '', demand?.id ?? 0], counts);
  }
  return sums.rows();
}

/** Our counts of demand, next to what partners report. */
export function partnerRows(pairs: readonly PairCounts[], ownershipOf: OwnershipOf): CountRow[] {
  const sums = createSums('partner');
  for (const { hour, demand, counts } of pairs) {
    const { impressions, clicks, revenueNanos } = counts;
    if (!demand || impressions + clicks + revenueNanos === 0) continue;
    const slot = slotOf('day', hour * millisecondsPerHour);
    const key = [slot, ownershipOf(demand)?.teamId ?? 0, ...sideKey(demand, ownershipOf)];
    sums.add(key, { impressions, clicks, revenueNanos });
  }
  return sums.rows();
}

/** In a row of the cube counted in memory. */
function valuesIn({ attributes }: Cube, { cube: counted, values, demand }: TrafficCounts): RowKey {
  const of: Cube = cubes[counted];
  return attributes.map((name) =>
    name === 'demandKind' ? (demand?.kind ?? '') : (values[of.attributes.indexOf(name)] ?? ''),
  );
}

/** Undefined if it is not known, as of an older program. */
const slotIn: Readonly<Record<Grain, (row: TrafficCounts) => number | undefined>> = {
  minute: () => undefined,
  quarter: ({ quarter }) => quarter,
  hour: ({ hour }) => hour,
  day: ({ day }) => day,
};

/** From rows of the cube counted in memory. */
export function trafficRows(
  { cube: name, grain, counts: by }: Pick<CubeTable, 'cube' | 'grain' | 'counts'>,
  traffic: readonly TrafficCounts[],
  ownershipOf: OwnershipOf,
): CountRow[] {
  const cube: Cube = cubes[name];
  const sums = createSums(by);
  for (const row of traffic) {
    const { supply, demand, counts } = row;
    const slot = slotIn[grain](row);
    if (slot === undefined) continue;
    const sides = { supply, demand };
    // What has no demand, such as requests, is no count of demand objects; but it may be refused.
    const isOfNone = cube.objects.length > 0 && !cube.objects.some((side) => sides[side]);
    if (isOfNone && by !== 'refusal') continue;
    const keys = cube.objects.flatMap((side) => sideKey(sides[side], ownershipOf));
    const [object] = [supply, demand].filter((one) => one !== undefined);
    sums.add([slot, (object && ownershipOf(object)?.teamId) ?? 0, ...keys, ...valuesIn(cube, row)], counts);
  }
  return sums.rows();
}

/** By `<kind>:<id>`. */
export function requestsIn(pairs: readonly PairCounts[]): Record<string, number> {
  const requests: Record<string, number> = {};
  for (const { supply, demand, counts } of pairs) {
    if (counts.requests === 0) continue;
    const { kind, id } = demand ?? supply;
    const name = `${kind}:${id}`;
    setOwnMember(requests, name, (ownMember(requests, name) ?? 0) + counts.requests);
  }
  return requests;
}
