import { randomInt } from 'node:crypto';
import type { Fact } from '../store/statistics/interface.ts';

export interface FactRecord {
  /** As 202609. */
  readonly month: number;
  /** Identifies the record among all servers; it only grows, so that it compresses well. */
  readonly lot: string;
  /** Whether it may have been written before, so that receivers must check. */
  readonly isDoubtful: boolean;
  /** A line of JSON for each. */
  readonly rows: Buffer;
}

const rowsMax = 5000;
const lotsPerMs = 2 ** 15;
/** Lots count from 2024 on, so that they fit into 53 bits. */
const epochMs = Date.UTC(2024, 0, 1);

/** Unique. */
export const newLot = (nowMs: number): number =>
  Math.max(0, nowMs - epochMs) * lotsPerMs + randomInt(lotsPerMs);

const dayMs = 86_400_000;

function createMonths() {
  const months = new Map<number, number>();
  return (timeMs: number): number => {
    const day = Math.floor(timeMs / dayMs);
    const known = months.get(day);
    if (known !== undefined) return known;
    const date = new Date(day * dayMs);
    const month = date.getUTCFullYear() * 100 + date.getUTCMonth() + 1;
    months.set(day, month);
    return month;
  };
}

export interface RecordOptions {
  readonly lotOf: () => number;
  readonly isDoubtful?: boolean;
}

/** Each has rows of one month. */
export function* factRecords(
  facts: readonly Fact[],
  { lotOf, isDoubtful = false }: RecordOptions,
): Generator<Buffer> {
  const monthOf = createMonths();
  for (const [month, some] of Map.groupBy(facts, ({ time = 0 }) => monthOf(Number(time)))) {
    for (let from = 0; from < some.length; from += rowsMax) {
      const lot = lotOf();
      const lines = some
        .slice(from, from + rowsMax)
        .map(({ time = 0, ...row }) => `${JSON.stringify({ time: secondsOf(Number(time)), ...row, lot })}\n`);
      yield Buffer.from(`${month} ${lot} ${Number(isDoubtful)}\n${lines.join('')}`);
    }
  }
}

/** Seconds with three decimals. */
function secondsOf(timeMs: number): string {
  const ms = Math.floor(timeMs);
  return `${Math.floor(ms / 1000)}.${String(ms % 1000).padStart(3, '0')}`;
}

export function readFactRecord(record: Buffer): FactRecord {
  const end = record.indexOf('\n');
  const [month = '', lot = '', doubtful = ''] = record.subarray(0, end).toString().split(' ');
  return { month: Number(month), lot, isDoubtful: doubtful === '1', rows: record.subarray(end + 1) };
}
