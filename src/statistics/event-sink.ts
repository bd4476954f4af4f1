import type { PlayedCounter } from '../reference/counters.ts';
import { appendTo, type Billing, type BillingOptions, createBilling, type EventOutbox } from './billing.ts';
import { type Counters, createCounters } from './counters.ts';
import { batchRecord } from './event-records.ts';
import type { EventSink } from './events.ts';
import type { FactRecorder } from './fact-recorder.ts';
import { type PendingCounts, splitCounts } from './pending-counts.ts';
import { createTopValues } from './top-values.ts';
import { withRetries } from './with-retries.ts';

/** Per second, about. Auctions may have one per demand object, too much for a database: the rest waits in memory. */
const refusalsPerFlush = 2000;
/** How long counts add up. */
const defaultFlushMs = 1000;
/** For a disk that fails, also on closing. */
const defaultTimeoutMs = 10_000;

export interface SinkOptions extends Pick<BillingOptions, 'outbox' | 'claims' | 'now'> {
  /** `what` failed. */
  readonly onFailure?: ((error: unknown, what: string) => void) | undefined;
  /** How long a close, and a repeated event, wait; ten seconds by default. */
  readonly timeoutMs?: number;
  /** How long counts add up in memory; a second by default. */
  readonly flushMs?: number | undefined;
  /** Absent if nobody wants single events. */
  readonly facts?: FactRecorder | undefined;
}

/** One per thread. */
export interface ClosingSink extends EventSink {
  /** Rejects on failure; the counts are kept then. */
  flush(): Promise<void>;
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

/** Batch by batch. While the log takes nothing, batches stay, and further counts add up in memory. */
function createFlush(outbox: EventOutbox, take: (refusalsMax: number) => ReturnType<Counters['take']>) {
  let unwritten: PendingCounts[] = [];
  let underWay = Promise.resolve();
  const write = async () => {
    for (let batch = unwritten[0]; batch; batch = unwritten[0]) {
      await appendTo(outbox, batchRecord(batch));
      unwritten.shift();
    }
  };
  /** One after the other. */
  return (refusalsMax = Number.POSITIVE_INFINITY): Promise<void> => {
    const flushed = underWay.then(async () => {
      await write();
      unwritten = splitCounts(take(refusalsMax));
      await write();
    });
    underWay = flushed.catch(() => undefined);
    return flushed;
  };
}

/** Some time after a count, and again after a failure or leftovers. */
function createTicks(
  steps: readonly Step[],
  hasMore: () => boolean,
  { onFailure, flushMs = defaultFlushMs }: Pick<SinkOptions, 'onFailure' | 'flushMs'>,
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

/**
 * Counts add up in memory and go to the log a second later; billable events are in it before they are acknowledged.
 * While it takes nothing, counts add up further, bounded by the number of pairs, and billable events are refused.
 */
export function createEventSink(options: SinkOptions): ClosingSink {
  const { outbox, claims, now, timeoutMs = defaultTimeoutMs, facts } = options;
  const counters = createCounters(createTopValues());
  const { take, onTake, hasMore } = createTaking(counters);
  const flush = createFlush(outbox, take);
  const steps: readonly Step[] = [
    ...(facts ? [{ take: facts.flush, otherwise: 'single auctions could not be stored' }] : []),
    { take: () => flush(refusalsPerFlush), otherwise: 'counts could not be written; they are kept' },
  ];
  const isMore = () => hasMore() || facts?.isWaiting() === true;
  const { wake, end, idle } = createTicks(steps, isMore, options);
  const countAll: EventSink['countAll'] = (of, parts, timeMs) => {
    counters.count(of, parts, timeMs);
    facts?.note(of, parts, timeMs);
    wake();
  };
  const count: EventSink['count'] = (pair, counted, timeMs, by = 1) => {
    const { demand, ad } = pair;
    countAll(pair, [{ demand, ad, counts: [[counted, by]] }], timeMs);
  };
  const billing: Billing = createBilling({
    outbox,
    claims,
    now,
    timeoutMs,
    count: ({ pair, event, timeMs }) => count(pair, event as PlayedCounter, timeMs),
  });
  return {
    count,
    countAll,
    countDeal(of, deal, counts, timeMs) {
      counters.countDeal(of, deal, counts, timeMs);
      wake();
    },
    countFloor(...counted) {
      counters.countFloor(...counted);
      wake();
    },
    countUse({ supply, deal }, counted, timeMs) {
      if (deal) counters.countUse(supply, deal, [[counted, 1]], timeMs);
      wake();
    },
    countPromised(at, by) {
      counters.countAddress(at, { impressions: 0, promised: by });
      wake();
    },
    refuse(pair, reason, timeMs, refused) {
      counters.refuse(pair, reason, timeMs, refused);
      if (refused.invalid) {
        const { supply, demand } = pair;
        const parts = [{ demand, counts: [['invalid', refused.invalid] as const] }];
        counters.count({ supply, subId: '' }, parts, timeMs);
      }
      wake();
    },
    onTake,
    bill: billing.bill,
    flush: () => flush(),
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
