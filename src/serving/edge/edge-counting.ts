import type { Logger } from 'pino';
import { createOutboxSink } from '../../statistics/outbox-sink.ts';
import { type Counting, setAsideMetric } from '../counting.ts';
import { createFaultLog } from '../fault-log.ts';
import type { KeptEvents } from '../kept-events.ts';

export interface EdgeCountingOptions {
  readonly keptEvents: KeptEvents;
  readonly logger: Logger;
  readonly now: () => number;
}

/** All goes home from the outbox. */
export function countInOutbox({ keptEvents, logger, now }: EdgeCountingOptions): Counting {
  const onFailure = createFaultLog(logger, () => performance.now());
  const events = createOutboxSink({ outbox: keptEvents.outbox, now, onFailure });
  return {
    events,
    metrics: () => [...keptEvents.metrics(), setAsideMetric(events.setAside())],
    close: events.close,
  };
}
