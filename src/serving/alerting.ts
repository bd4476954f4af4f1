import type { Logger } from 'pino';
import { evaluateAlerts } from '../alerts/evaluate.ts';
import { createWorker, periodic } from '../jobs/worker.ts';
import { alertDestinations } from '../management/alerts/alert-message.ts';
import { createObserver, type ObserverContext } from '../management/alerts/observer.ts';
import type { TimedWork } from '../shared/timed-work.ts';

export interface AlertingStart extends ObserverContext {
  /** After they have ended. */
  readonly keepDays: number;
  readonly logger: Pick<Logger, 'warn'>;
}

const dayMs = 86_400_000;
/** Several looks a minute, to miss none; each minute is judged once. */
const judgeEveryMs = 10_000;
const forgetEveryMs = 3_600_000;
/** How often this process records that it serves. */
const noteEveryMs = 30_000;
/** After a longer silence a process may have been stopped. */
const noteLastsMs = 150_000;

/** Once a minute, in one of the processes. */
export function createAlerting(options: AlertingStart): TimedWork {
  const { store, now, keepDays, logger } = options;
  const { alerts, jobs } = store;
  const onFailure = (error: unknown) => logger.warn({ err: error }, 'an alert could not be judged');
  const observe = createObserver(options);
  let notedMs = Number.NEGATIVE_INFINITY;
  const note = async () => {
    const untilMs = now();
    if (Math.abs(untilMs - notedMs) < noteEveryMs) return;
    const isOne = untilMs >= notedMs && untilMs - notedMs <= noteLastsMs;
    await alerts.noteServed({ fromMs: isOne ? notedMs : untilMs, untilMs });
    notedMs = untilMs;
  };
  const judge = periodic(options, 'Alerts', async (signal) => {
    await evaluateAlerts({ store: alerts, now, observe, tells: alertDestinations, signal, onFailure });
    return judgeEveryMs;
  });
  const forget = periodic(options, 'EndedAlerts', async () => {
    const hasMore = await alerts.forget(now() - keepDays * dayMs);
    return hasMore ? judgeEveryMs : forgetEveryMs;
  });
  return createWorker([judge, forget], {
    jobs,
    now,
    prepare: note,
    onFault: (error) => logger.warn({ err: error }, 'alerts could not be judged; they will be judged later'),
  });
}
