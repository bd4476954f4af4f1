import { createHash } from 'node:crypto';
import { createTimedWork, type TimedWork } from '../shared/timed-work.ts';
import type { LeftFacts, StatisticsStore } from '../store/statistics/interface.ts';
import { factRecords } from './fact-record.ts';

const everyMs = 500;
const lotsMax = 200;

export interface FetchingOptions {
  readonly statistics: Pick<StatisticsStore, 'leftFacts' | 'dropLeftFacts'>;
  /** Whom events are left for. */
  readonly names: () => readonly string[];
  /** Writes a record, durably; false where there is no room for it. */
  readonly write: (record: Buffer) => Promise<boolean>;
  /** Called when something was written. */
  readonly onWritten: () => void;
  /** Called with how many rows of refusals there was no room for. */
  readonly onDropped: (rows: number) => void;
  readonly now: () => number;
  readonly onFailure: (error: unknown, what: string) => void;
}

/** Brings billable events and refusals from the store to the outbox. */
export interface EventFetching extends TimedWork {
  wholeUntilMs(): number;
}

const lotBits = 53n;
const bytesOfLot = 8;

/** The lots of an event lot's records: always the same ones. */
function lotsOf(id: string): () => number {
  let place = 0;
  return () => {
    const hash = createHash('sha256').update(`${id}/${place}`).digest();
    place += 1;
    return Number(hash.readBigUInt64BE(0) >> (BigInt(8 * bytesOfLot) - lotBits));
  };
}

/**
 * Billable events and refusals leave their rows in the transaction that counts them, so that each has a row if, and only
 * if, it has counted. Here rows are written to the outbox, and then deleted in the store. What a process finds at its start may
 * have been written by the one before it: those records say so, and receivers ask for their lots first.
 */
export function createEventFetching(options: FetchingOptions): EventFetching {
  const { statistics, names, write, onWritten, onDropped, now, onFailure } = options;
  const seen = new Set<string>();
  let fetched: string[] = [];
  let wholeUntilMs = 0;
  const drop = async () => {
    if (fetched.length === 0) return;
    await statistics.dropLeftFacts(fetched);
    fetched = [];
  };
  const writeRecords = async (records: Iterable<Buffer>): Promise<boolean> => {
    for (const record of records) if (!(await write(record))) return false;
    return true;
  };
  const writeLot = async ({ id, facts }: LeftFacts, isDoubtful: boolean) => {
    const written = await writeRecords(factRecords(facts, { lotOf: lotsOf(id), isDoubtful }));
    // Billable events wait for room; refusals are too many to wait in the database.
    if (!written && facts.some(({ event }) => event)) throw new Error('the outbox is full');
    if (!written) onDropped(facts.length);
    fetched.push(id);
  };
  const fetchAll = async (name: string) => {
    for (;;) {
      // What was written must be gone before more is read.
      await drop();
      const lots = await statistics.leftFacts(name, lotsMax);
      for (const lot of lots) await writeLot(lot, !seen.has(name));
      if (lots.length > 0) onWritten();
      if (lots.length < lotsMax) break;
    }
    await drop();
    seen.add(name);
  };
  const fetchNames = async () => {
    const beganMs = now();
    for (const name of names()) await fetchAll(name);
    wholeUntilMs = beganMs;
  };
  const work = createTimedWork(everyMs, fetchNames, {
    closeMsMax: Number.POSITIVE_INFINITY,
    onFailure(error) {
      // Some of a lot may be written.
      seen.clear();
      onFailure(
        error,
        'billable events and refusals could not be moved to the outbox; they wait in the database',
      );
    },
  });
  return { ...work, wholeUntilMs: () => wholeUntilMs };
}
