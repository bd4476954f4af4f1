import { randomUUID } from 'node:crypto';
import type { CountBatch } from '../store/statistics/interface.ts';
import type { DrainedCounts } from './counters.ts';

/** Few enough that no statement holds the thread for more than some milliseconds. */
const rowsPerLotMax = 200;

/** Without the time at which it is written. */
export type PendingCounts = Omit<CountBatch, 'timeMs'> & Required<Pick<CountBatch, 'traffic'>>;
const countParts = ['pairs', 'addresses', 'traffic'] as const;
type Parts = Required<Pick<PendingCounts, (typeof countParts)[number]>>;
const nothing: Parts = { pairs: [], addresses: [], traffic: [] };

function partsOf(lot: Parts, of: <T>(items: readonly T[]) => readonly T[]): Parts {
  const { pairs, addresses, traffic } = lot;
  return { pairs: of(pairs), addresses: of(addresses), traffic: of(traffic) };
}

export const rowsIn = (counts: PendingCounts): number =>
  countParts.reduce((sum, part) => sum + counts[part].length, 0);

/** In batches written one after the other. */
export function splitCounts(all: DrainedCounts): PendingCounts[] {
  const rows = Math.max(...countParts.map((part) => all[part].length));
  const lots = Math.ceil(rows / rowsPerLotMax);
  return Array.from({ length: lots }, (_, index) => {
    const [from, to] = [index * rowsPerLotMax, (index + 1) * rowsPerLotMax];
    return { id: randomUUID(), ...partsOf(all, (items) => items.slice(from, to)) };
  });
}

/** Of the same batch, they have the same IDs. Empty if it cannot be split. */
export function halveCounts(counts: PendingCounts): PendingCounts[] {
  const lotOf = (half: number, some: Partial<Parts>): PendingCounts => ({
    ...nothing,
    ...some,
    id: `${counts.id}/${half}`,
  });
  const [first, ...others] = countParts.filter((part) => counts[part].length > 0);
  if (first === undefined) return [];
  if (others.length > 0) {
    const rest = Object.fromEntries(others.map((part) => [part, counts[part]]));
    return [lotOf(0, { [first]: counts[first] }), lotOf(1, rest)];
  }
  const { length } = counts[first];
  if (length < 2) return [];
  const middle = Math.ceil(length / 2);
  const half = (number: number, from: number, to?: number) =>
    lotOf(
      number,
      partsOf(counts, (items) => items.slice(from, to)),
    );
  return [half(0, 0, middle), half(1, middle)];
}
