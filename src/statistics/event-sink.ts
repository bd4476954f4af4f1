import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Store } from '../store/interface.ts';
import type { Counting } from '../store/statistics-interface.ts';
import { createBilling } from './billing.ts';
import { type Counters, createCounters } from './counters.ts';
import type { EventSink } from './events.ts';
import { createForgetting } from './forgetting.ts';
import { withRetries } from './with-retries.ts';

const flushEveryMs = 1000;
/** Few enough that none of a lot's statements holds the thread for more than a few milliseconds. */
const rowsPerLotMax = 200;
/** How long billable events wait for a database that is away; so do all other counts when the sink closes. */
const defaultTimeoutMs = 10_000;

/** What the sink works with. */
export interface SinkOptions {
  readonly store: Pick<Store, 'statistics'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called with an error and with what failed by it; the sink tries it again. */
  readonly onFailure?: (error: unknown, what: string) => void;
  /** How long billable events, and a close, wait for a database that is away; ten seconds by default. */
  readonly timeoutMs?: number;
}

/** Where the exchange's events go: one for each thread. */
export interface ClosingSink extends EventSink {
  /** Writes what was counted until now. Rejects if that fails; the counts are kept then. */
  flush(): Promise<void>;
  /**
   * Finishes what is under way and writes the rest. Nothing may be counted after it. Rejects if that fails, at the
   * latest after twice the time that a billable event may wait.
   */
  close(): Promise<void>;
}

type Lot = Omit<Counting, 'timeMs'>;

/** What was counted, in lots that are written one after the other. */
function lotsOf(taken: ReturnType<Counters['take']>, isMarked: boolean): Lot[] {
  const { pairs, subIds } = taken ?? { pairs: [], subIds: [] };
  const lots = Math.ceil(Math.max(pairs.length, subIds.length) / rowsPerLotMax) || Number(isMarked);
  return Array.from({ length: lots }, (_, index) => {
    const [from, to] = [index * rowsPerLotMax, (index + 1) * rowsPerLotMax];
    return { id: randomUUID(), pairs: pairs.slice(from, to), subIds: subIds.slice(from, to) };
  });
}

/** Writes counters; lots that fail are kept as they are, while the counters go on adding up. */
function createFlush({ store: { statistics }, now }: SinkOptions, counters: Counters) {
  let unwritten: Lot[] = [];
  let isMarked = false;
  let underWay = Promise.resolve();
  const writeLots = async () => {
    for (let lot = unwritten[0]; lot; lot = unwritten[0]) {
      // A lot's time is that of the attempt, because other processes find new lots by it.
      await statistics.add({ ...lot, timeMs: now() });
      unwritten.shift();
      await nextTurn();
    }
  };
  const write = async () => {
    await writeLots();
    unwritten = lotsOf(counters.take(), isMarked);
    isMarked = false;
    await writeLots();
  };
  return {
    /** Makes the next flush write a lot even if it is empty, which shows other processes that figures have moved. */
    mark(): void {
      isMarked = true;
    },
    /** Flushes run one after the other. */
    flush(): Promise<void> {
      const flushed = underWay.then(write);
      underWay = flushed.catch(() => undefined);
      return flushed;
    },
  };
}

/**
 * The events of one thread. Counts are added up in memory and written a second later; billable events are durable
 * before they are acknowledged. While the database is away, counts go on adding up in memory, which the number of pairs
 * bounds, and billable events wait for `timeoutMs` at most.
 */
export function createEventSink(options: SinkOptions): ClosingSink {
  const { onFailure, now, timeoutMs = defaultTimeoutMs } = options;
  const counters = createCounters();
  const { flush, mark } = createFlush(options, counters);
  const forget = createForgetting(options);
  let timer: NodeJS.Timeout | undefined;
  let ticking = Promise.resolve();
  let isClosed = false;

  /** Does a step, and answers whether it succeeded; else the next tick does it again. */
  const isDone = async (step: () => Promise<void>, otherwise: string): Promise<boolean> => {
    try {
      await step();
      return true;
    } catch (error) {
      wake();
      onFailure?.(error, otherwise);
      return false;
    }
  };
  const tick = async () => {
    timer = undefined;
    const isFlushed = await isDone(flush, 'counts could not be written; they are kept');
    if (isFlushed)
      await isDone(forget, 'what was counted long ago could not be forgotten; it is tried again');
  };
  // Nothing runs while nothing is counted.
  const wake = () => {
    if (isClosed || timer) return;
    timer = setTimeout(() => {
      ticking = tick();
    }, flushEveryMs).unref();
  };
  const onCounted = () => {
    mark();
    wake();
  };
  const billing = createBilling({ statistics: options.store.statistics, now, timeoutMs, onCounted });
  return {
    count(pair, counted, timeMs, by) {
      counters.count(pair, counted, timeMs, by);
      wake();
    },
    bill: billing.bill,
    flush,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await billing.idle();
      const finish = async () => {
        await ticking;
        await flush();
      };
      await withRetries(finish, timeoutMs, () => true);
    },
  };
}
