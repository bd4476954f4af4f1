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

/**
 * Rows of refusals written a second, more or less. An auction may have one for each connected demand object, so that all
 * of them would be more than a database takes: what is left waits in memory, and is written in its turn.
 */
const refusalsPerFlush = 2000;
/** While so many lots fail by themselves, further counts add up in memory, which the number of pairs bounds. */
const lotsFailedMax = 20;
/** How long counts add up before they are written. */
const defaultFlushMs = 1000;
/** How long billable events wait for a database that is away; so do all other counts when the sink closes. */
const defaultTimeoutMs = 10_000;

interface CommonOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called with an error and with what failed by it, or was set aside. */
  readonly onFailure?: ((error: unknown, what: string) => void) | undefined;
  /** How long billable events, and a close, wait for a database that is away; ten seconds by default. */
  readonly timeoutMs?: number;
  /** How long counts add up in memory before they are written; a second by default. */
  readonly flushMs?: number | undefined;
  /** Keeps single auctions and events; absent where nobody wants them. */
  readonly facts?: FactRecorder | undefined;
}

/** What a sink works with that writes to a store. */
export interface SinkOptions extends CommonOptions {
  readonly store: Pick<Store, 'statistics'>;
  /** How many days rows of cubes are kept; `standardKeptDays` by default. */
  readonly keptDays?: RetentionDays;
  /** Keeps billable events on the node's own disk; absent where each waits for the database. */
  readonly outbox?: EventOutbox | undefined;
  /** Who knows, with an outbox, what other machines of the region have claimed; absent where nobody does. */
  readonly claims?: Claims | undefined;
}

/** What a sink is made of, whoever takes what it counts. */
export interface SinkParts extends CommonOptions {
  /** Takes a lot of counts, durably. Rejects like `StatisticsStore.add`. */
  readonly add: (batch: CountBatch) => Promise<void>;
  /** Makes what bills events; it calls `onCounted` where others are to see that figures have moved. */
  readonly billing: (of: { readonly kept: TopValues; readonly onCounted: () => void }) => Billing;
  /** Deletes what is old; absent where nothing is kept. */
  readonly forget?: () => Promise<void>;
}

/** Where the exchange's events go: one for each thread. */
export interface ClosingSink extends EventSink {
  /** Writes all that was counted until now. Rejects if that fails; the counts are kept then. */
  flush(): Promise<void>;
  /** How many counts the database has refused for their values. They are lost, but for the log. */
  setAside(): number;
  /**
   * Finishes what is under way and writes the rest. Nothing may be counted after it. Rejects if that fails, at the
   * latest after twice the time that a billable event may wait.
   */
  close(): Promise<void>;
}

/** Takes counters, with what others hold back until then. */
function createTaking(counters: Counters) {
  const holders = new Set<(rowsMax: number) => boolean>();
  let hasMore = false;
  return {
    onTake: (tell: (rowsMax: number) => boolean) => void holders.add(tell),
    hasMore: () => hasMore,
    /** What was counted, of refusals at most about as many rows as are given. */
    take(refusalsMax: number) {
      const areLeft = [...holders].map((tell) => tell(refusalsMax));
      const taken = counters.take(refusalsMax);
      hasMore = areLeft.includes(true) || counters.hasMore();
      return taken;
    },
  };
}

/**
 * Writes counters, lot by lot, while they go on adding up. While the database is away, lots are kept as they are. Of a
 * lot that it refuses for its values, what is at fault is set aside; one that fails for another reason is kept, and
 * holds up no other.
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
  /** What is left of a lot to be written; rejects where the database is away. */
  const write = async (counts: PendingCounts): Promise<PendingCounts[]> => {
    try {
      // A lot's time is that of the attempt, because other processes find new lots by it.
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
  /** Writes what is unwritten; answers the error of the last lot that failed by itself, if any. */
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
    /** Makes the next flush write a lot even if it is empty, which shows other processes that figures have moved. */
    mark(): void {
      isMarked = true;
    },
    /** Flushes run one after the other. */
    flush(refusalsMax = Number.POSITIVE_INFINITY): Promise<void> {
      const flushed = underWay.then(() => writeAll(refusalsMax));
      underWay = flushed.catch(() => undefined);
      return flushed;
    },
    setAside: () => setAside,
  };
}

/** Does steps so long after something was counted, again where one failed or has left something. */
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
    /** Begins no more; what is under way goes on. */
    end(): void {
      isClosed = true;
      clearTimeout(timer);
    },
    /** Resolves when the last tick is over. */
    idle: () => ticking,
  };
}

/** A step of a tick, and what a failure of it means. */
interface Step {
  readonly take: () => Promise<void>;
  readonly otherwise: string;
}

/** A sink of its parts; see `createEventSink`. */
export function createSink(options: SinkParts): ClosingSink {
  const { timeoutMs = defaultTimeoutMs, facts, forget } = options;
  const topValues = createTopValues();
  const counters = createCounters(topValues);
  const { take, onTake, hasMore } = createTaking(counters);
  const { flush, mark, setAside } = createFlush(options, take);
  const steps: readonly Step[] = [
    ...(facts ? [{ take: facts.flush, otherwise: 'auctions could not be kept singly' }] : []),
    { take: () => flush(refusalsPerFlush), otherwise: 'counts could not be written; they are kept' },
    ...(forget
      ? [
          {
            take: forget,
            otherwise: 'what was counted long ago could not be forgotten; it is tried again',
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
 * The events of one thread. Counts are added up in memory and written a second later; billable events are durable
 * before they are acknowledged. While the database is away, counts go on adding up in memory, which the number of pairs
 * bounds, and billable events wait for `timeoutMs` at most.
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
