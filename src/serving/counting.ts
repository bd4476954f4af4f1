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

export interface Counting {
  readonly events: EventSink;
  /** Absent if nobody keeps samples. */
  readonly keepSamples?: (take: () => readonly BidSample[]) => Sampling;
  /** Sends the notices of counted events; absent if another server does. */
  readonly sendNotices?: (outbound: Outbound) => Notices;
  metrics(): Metric[];
  /** To be called when counting has ended. */
  close(): Promise<void>;
}

export interface CountingOptions {
  readonly config: { readonly keepSamplesDays: number };
  readonly store: Store;
  readonly threadGroup: ThreadGroup;
  readonly logger: Logger;
  readonly now: () => number;
  /** `standardKeptDays` by default. */
  readonly keptDays?: RetentionDays;
  /** Absent if single events are not kept. */
  readonly keptSingly?: KeptSingly | undefined;
  /** Keeps billable events until the database has them; absent: each waits for it. */
  readonly keptEvents?: KeptEvents | undefined;
  /** What other machines of the region have claimed; absent if unknown. */
  readonly claims?: Claims | undefined;
  /** How long counts add up in memory; a second by default. */
  readonly flushMs?: number | undefined;
}

export const setAsideMetric = (value: number): Metric =>
  counter(
    'bourse_counts_set_aside_total',
    'Counts whose values the database did not accept; the log has each of them',
    [{ labels: {}, value }],
  );

/** Counts in the database, from which limits resume. */
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
