import type { Logger } from 'pino';
import type { KeptSingly } from '../analytics/keep-singly.ts';
import type { EventLog } from '../event-log/event-log.ts';
import type { Outbound } from '../exchange/demand/outbound.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { BidSample } from '../exchange/explain/bid-samples.ts';
import type { Metric } from '../exchange/metrics/metric.ts';
import { createFaultLog } from '../fault-log.ts';
import { type Notices, startNotices } from '../notices.ts';
import { resumeLimits } from '../quotas/resume-limits.ts';
import type { TimedWork } from '../shared/timed-work.ts';
import type { Claims } from '../statistics/claims.ts';
import { type ClosingSink, createEventSink } from '../statistics/event-sink.ts';
import type { EventSink } from '../statistics/events.ts';
import type { Store } from '../store/interface.ts';
import { type Sampling, startSampling } from './sampling.ts';
import type { ThreadGroup } from './thread-group.ts';
import { startTrafficFollowing } from './traffic-following.ts';

export interface Counting {
  readonly events: EventSink;
  /** Absent if nobody keeps samples. */
  readonly keepSamples?: (take: () => readonly BidSample[]) => Sampling;
  /** Has limits go on with what was counted before; absent if nothing is known here. */
  readonly resumeLimits?: (planned: Exchange['planned']) => Promise<TimedWork>;
  /** Has plans follow their objects' traffic; absent if it is not known here. */
  readonly followTraffic?: (planned: Exchange['planned']) => TimedWork;
  /** Sends the notices of counted events; absent if another server does. */
  readonly sendNotices?: (outbound: Outbound) => Notices;
  metrics(): Metric[];
  /** Resolves once the statistics have what this thread has counted until now. */
  flush(): Promise<void>;
  /** To be called when counting has ended. */
  close(): Promise<void>;
}

export interface CountingOptions {
  readonly config: { readonly keepSamplesDays: number };
  readonly store: Store;
  readonly threadGroup: ThreadGroup;
  readonly logger: Logger;
  readonly now: () => number;
  /** Absent if single events are not kept. */
  readonly keptSingly?: KeptSingly | undefined;
  readonly log: EventLog;
  /** What other machines of the region have claimed; absent if unknown. */
  readonly claims?: Claims | undefined;
  /** How long counts add up in memory; a second by default. */
  readonly flushMs?: number | undefined;
}

/** What an edge counts, too. */
type SinkParts = Pick<CountingOptions, 'log' | 'logger' | 'now' | 'flushMs' | 'claims' | 'keptSingly'>;

function createSink({ log, logger, now, flushMs, claims, keptSingly }: SinkParts) {
  const onFailure = createFaultLog(logger, () => performance.now());
  const { outbox } = log;
  return createEventSink({ now, facts: keptSingly?.facts, outbox, claims, onFailure, flushMs });
}

const flushing =
  ({ flush }: ClosingSink, { receiveAll }: EventLog) =>
  () =>
    flush().then(receiveAll);

/** All goes home from the log. */
export function countForHome(options: Omit<SinkParts, 'claims' | 'keptSingly'>): Counting {
  const events = createSink(options);
  return { events, metrics: options.log.metrics, flush: flushing(events, options.log), close: events.close };
}

/** Counts in the database, from which limits resume. */
export function countInStore(options: CountingOptions): Counting {
  const { config, store, threadGroup, logger, now, keptSingly, log } = options;
  const onFailure = createFaultLog(logger, () => performance.now());
  const events = createSink(options);
  return {
    events,
    keepSamples: (take) => startSampling({ store, logger, now, keepDays: config.keepSamplesDays, take }),
    resumeLimits: (planned) => resumeLimits({ ...options, planned }),
    followTraffic: (planned) => startTrafficFollowing({ store, planned, now }),
    sendNotices: (outbound) =>
      startNotices({
        statistics: store.statistics,
        outbound,
        sendsForOthers: threadGroup.number === 0,
        onFailure,
        steadyMs: () => performance.now(),
      }),
    metrics: () => [...(keptSingly?.metrics() ?? []), ...log.metrics()],
    flush: flushing(events, log),
    close: events.close,
  };
}
