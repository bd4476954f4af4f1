import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Store } from '../store/interface.ts';
import type { CountBatch } from '../store/statistics/interface.ts';
import { type Billing, createBilling } from './billing.ts';
import type { Claims } from './claims.ts';
import { type Counters, createCounters } from './counters.ts';
import type { EventSink } from './events.ts';
import { type FactRecorder, withRefusals } from './fact-recorder.ts';
import { createForgetting, type RetentionDays } from './forgetting.ts';
import { createOutboxBilling, type EventOutbox } from './outbox-billing.ts';
import { countParts, halveCounts, type PendingCounts, splitCounts } from './pending-counts.ts';
import { createTopValues, type TopValues } from './top-values.ts';
import { isRefused, isUnavailable, withRetries } from './with-retries.ts';

/** Per second, about. Auctions may have one per demand object, too much for a database: the rest waits in memory. */
const refusalsPerFlush = 2000;
/** With this many failed batches, further counts add up in memory, bounded by the number of pairs. */
const lotsFailedMax = 20;
/** How long counts add up. */
const defaultFlushMs = 1000;
/** For a database that is away, also on closing. */
const defaultTimeoutMs = 10_000;

interface CommonOptions {
  readonly now: () => number;
  /** `what` failed, or was set aside. */
  readonly onFailure?: ((error: unknown, what: string) => void) | undefined;
  /** For a database that is away, also on closing; ten seconds by default. */
  readonly timeoutMs?: number;
  /** How long counts add up in memory; a second by default. */
  readonly flushMs?: number | undefined;
  /** Absent if nobody wants single events. */
  readonly facts?: FactRecorder | undefined;
}

export interface SinkOptions extends CommonOptions {
  readonly store: Pick<Store, 'statistics'>;
  /** `standardKeptDays` by default. */
  readonly keptDays?: RetentionDays;
  /** On this machine's disk; absent: each event waits for the database. */
  readonly outbox?: EventOutbox | undefined;
  /** With an outbox: what other machines of the region have claimed; absent if unknown. */
  readonly claims?: Claims | undefined;
}

/** Whoever takes what it counts. */
export interface SinkParts extends CommonOptions {
  /** Durable. Rejects like `StatisticsStore.add`. */
  readonly add: (batch: CountBatch) => Promise<void>;
  /** `onCounted`: tells others that figures have moved. */
  readonly billing: (of: { readonly kept: TopValues; readonly onCounted: () => void }) => Billing;
  /** Deletes what is old; absent if nothing is kept. */
  readonly forget?: () => Promise<void>;
}

/** One per thread. */
export interface ClosingSink extends EventSink {
  /** Rejects on failure; the counts are kept then. */
  flush(): Promise<void>;
  /** Counts that the database refused for their values; only the log has them. */
  setAside(): number;
  /** Nothing may be counted after it. Rejects on failure, at the latest after twice a billable event's wait. */
  close(): Promise<void>;
}

/** With what others hold back until then. */
function createTaking(counters: Counters) {
  const holders = new Set<(rowsMax: number) => boolean>();
  let hasMore = false;
  return {
    onTake: (tell: (rowsMax: number) => boolean) => void holders.add(tell),
    hasMore: () => hasMore,
    /** Of refusals about `refusalsMax` rows at most. */
    take(refusalsMax: number) {
      const areLeft = [...holders].map((tell) => tell(refusalsMax));
      const taken = counters.take(refusalsMax);
      hasMore = areLeft.includes(true) || counters.hasMore();
      return taken;
    },
  };
}

/**
 * Batch by batch, while counting goes on. While the database is away, batches stay. Values that it refuses are set
 * aside; a batch that fails otherwise holds up no other.
 */
function createFlush(
  { add, now, onFailure }: SinkParts,
  take: (refusalsMax: number) => ReturnType<Counters['take']>,
) {
  let unwritten: PendingCounts[] = [];
  let failed: PendingCounts[] = [];
  let isMarked = false;
  let setAside = 0;
  let underWay = Promise.resolve();
  /** What is left to write; rejects if the database is away. */
  const write = async (counts: PendingCounts): Promise<PendingCounts[]> => {
    try {
      // A batch has the attempt's time, because other processes find new batches by it.
      await add({ ...counts, timeMs: now() });
      return [];
    } catch (error) {
      if (!isRefused(error)) throw error;
      const halves = halveCounts(counts);
      if (halves.length > 0) return halves;
      setAside += 1;
      onFailure?.(
        error,
        `a count was set aside: ${JSON.stringify(countParts.flatMap((part): readonly unknown[] => counts[part]))}`,
      );
      return [];
    }
  };
  /** Returns the last error of a single batch, if any. */
  const writeLots = async (): Promise<unknown> => {
    let failure: unknown;
    for (let counts = unwritten[0]; counts; counts = unwritten[0]) {
      try {
        unwritten.splice(0, 1, ...(await write(counts)));
      } catch (error) {
        if (isUnavailable(error)) throw error;
        failure = error;
        failed.push(counts);
        unwritten.shift();
      }
      await nextTurn();
    }
    return failure;
  };
  const writeAll = async (refusalsMax: number) => {
    unwritten.push(...failed);
    failed = [];
    let failure = await writeLots();
    if (failed.length < lotsFailedMax) {
      unwritten = splitCounts(take(refusalsMax), isMarked);
      isMarked = false;
      failure = (await writeLots()) ?? failure;
    }
    if (failed.length > 0) throw failure;
  };
  return {
    /** Makes the next flush write even an empty batch, which tells other processes that figures have moved. */
    mark(): void {
      isMarked = true;
    },
    /** One after the other. */
    flush(refusalsMax = Number.POSITIVE_INFINITY): Promise<void> {
      const flushed = underWay.then(() => writeAll(refusalsMax));
      underWay = flushed.catch(() => undefined);
      return flushed;
    },
    setAside: () => setAside,
  };
}

/** Some time after a count, and again after a failure or leftovers. */
function createTicks(
  steps: readonly Step[],
  hasMore: () => boolean,
  { onFailure, flushMs = defaultFlushMs }: Pick<CommonOptions, 'onFailure' | 'flushMs'>,
) {
  let timer: NodeJS.Timeout | undefined;
  let ticking = Promise.resolve();
  let isClosed = false;
  const tick = async () => {
    timer = undefined;
    for (const { take, otherwise } of steps) {
      try {
        await take();
      } catch (error) {
        wake();
        onFailure?.(error, otherwise);
        return;
      }
      if (hasMore()) wake();
    }
  };
  // Nothing runs while nothing is counted.
  const wake = () => {
    if (isClosed || timer) return;
    timer = setTimeout(() => {
      ticking = tick();
    }, flushMs).unref();
  };
  return {
    wake,
    /** What is under way goes on. */
    end(): void {
      isClosed = true;
      clearTimeout(timer);
    },
    /** When the last tick is over. */
    idle: () => ticking,
  };
}

interface Step {
  readonly take: () => Promise<void>;
  readonly otherwise: string;
}

/** See `createEventSink`. */
export function createSink(options: SinkParts): ClosingSink {
  const { timeoutMs = defaultTimeoutMs, facts, forget } = options;
  const topValues = createTopValues();
  const counters = createCounters(topValues);
  const { take, onTake, hasMore } = createTaking(counters);
  const { flush, mark, setAside } = createFlush(options, take);
  const steps: readonly Step[] = [
    ...(facts ? [{ take: facts.flush, otherwise: 'single auctions could not be stored' }] : []),
    { take: () => flush(refusalsPerFlush), otherwise: 'counts could not be written; they are kept' },
    ...(forget
      ? [
          {
            take: forget,
            otherwise: 'old counts could not be deleted; this is tried again',
          },
        ]
      : []),
  ];
  const isMore = () => hasMore() || facts?.isWaiting() === true;
  const { wake, end, idle } = createTicks(steps, isMore, options);
  const billing = options.billing({
    kept: topValues,
    onCounted() {
      mark();
      wake();
    },
  });
  const countAll: EventSink['countAll'] = (of, parts, timeMs) => {
    counters.count(of, parts, timeMs);
    facts?.note(of, parts, timeMs);
    wake();
  };
  return {
    count(pair, counted, timeMs, by = 1) {
      const { demand, ad } = pair;
      countAll(pair, [{ demand, ad, counts: [[counted, by]] }], timeMs);
    },
    countAll,
    countPromised(at, by) {
      counters.countPromised(at, by);
      wake();
    },
    refuse(pair, reason, timeMs, refused) {
      counters.refuse(pair, reason, timeMs, refused);
      wake();
    },
    onTake,
    bill: billing.bill,
    flush: () => flush(),
    setAside,
    async close() {
      end();
      await billing.idle();
      await withRetries(
        () => idle().then(() => flush()),
        timeoutMs,
        () => true,
      );
      await facts?.flush();
    },
  };
}

/**
 * Counts are written a second later; billable events are durable before they are acknowledged. While the database is
 * away, counts add up in memory, bounded by the number of pairs, and billable events wait up to `timeoutMs`.
 */
export function createEventSink(options: SinkOptions): ClosingSink {
  const { store, now, timeoutMs = defaultTimeoutMs, facts, outbox, claims, onFailure, flushMs } = options;
  const { statistics } = store;
  return createSink({
    now,
    timeoutMs,
    facts,
    onFailure,
    flushMs,
    add: (batch) => statistics.add(withRefusals(batch, facts)),
    forget: createForgetting(options),
    billing(of) {
      const atDatabase = createBilling({ ...of, statistics, now, timeoutMs, facts });
      return outbox
        ? createOutboxBilling({ outbox, otherwise: atDatabase, claims, now, timeoutMs })
        : atDatabase;
    },
  });
}
