import type { Logger } from 'pino';
import type { Outbound } from '../exchange/demand/outbound.ts';
import type { BidSample } from '../exchange/explain/bid-samples.ts';
import { counter, type Metric } from '../exchange/metrics/metric.ts';
import type { Claims } from '../statistics/claims.ts';
import { createEventSink } from '../statistics/event-sink.ts';
import type { EventSink } from '../statistics/events.ts';
import type { RetentionDays } from '../statistics/forgetting.ts';
import type { Store } from '../store/interface.ts';
import type { KeptSingly } from './analytics.ts';
import { createFaultLog } from './fault-log.ts';
import type { KeptEvents } from './kept-events.ts';
import { startLimitSync } from './limit-sync.ts';
import { type Notices, startNotices } from './notices.ts';
import { type Sampling, startSampling } from './sampling.ts';
import type { ThreadGroup } from './thread-group.ts';

/** Where a thread's delivery counts what happens. */
export interface Counting {
  readonly events: EventSink;
  /** Begins to keep samples of bids; absent where nobody keeps them. */
  readonly keepSamples?: (take: () => readonly BidSample[]) => Sampling;
  /** Begins to send the notices of what has counted; absent where another server does. */
  readonly sendNotices?: (outbound: Outbound) => Notices;
  metrics(): Metric[];
  /** Writes what was counted; to be called when nothing is counted any more. */
  close(): Promise<void>;
}

export interface CountingOptions {
  readonly config: { readonly keepSamplesDays: number };
  readonly store: Store;
  readonly threadGroup: ThreadGroup;
  readonly logger: Logger;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** How many days rows of cubes are kept; `standardKeptDays` by default. */
  readonly keptDays?: RetentionDays;
  /** Where single auctions and events are kept, if they are. */
  readonly keptSingly?: KeptSingly | undefined;
  /** Where billable events are kept until the database has them; absent where each waits for it. */
  readonly keptEvents?: KeptEvents | undefined;
  /** Who knows what other machines of the region have claimed; absent where nobody does. */
  readonly claims?: Claims | undefined;
  /** How long counts add up in memory before they are written; a second by default. */
  readonly flushMs?: number | undefined;
}

export const setAsideMetric = (value: number): Metric =>
  counter(
    'bourse_counts_set_aside_total',
    'Counts that the database refused for their values; the log has each of them',
    [{ labels: {}, value }],
  );

/** Counts in the database, with which the counters of limits begin. */
export async function countInStore(options: CountingOptions): Promise<Counting> {
  const { config, store, threadGroup, logger, now, keptDays, keptSingly, keptEvents, claims, flushMs } =
    options;
  const limits = await startLimitSync(options);
  const onFailure = createFaultLog(logger, () => performance.now());
  const events = createEventSink({
    store,
    now,
    facts: keptSingly?.facts,
    outbox: keptEvents?.outbox,
    claims,
    onFailure,
    flushMs,
    ...(keptDays && { keptDays }),
  });
  return {
    events,
    keepSamples: (take) => startSampling({ store, logger, now, keepDays: config.keepSamplesDays, take }),
    sendNotices: (outbound) =>
      startNotices({
        statistics: store.statistics,
        outbound,
        sendsForOthers: threadGroup.number === 0,
        onFailure,
        steadyMs: () => performance.now(),
      }),
    metrics: () => [
      ...(keptSingly?.metrics() ?? []),
      ...(keptEvents?.metrics() ?? []),
      setAsideMetric(events.setAside()),
    ],
    async close() {
      await limits.close();
      await events.close();
    },
  };
}
