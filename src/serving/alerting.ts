import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { evaluateAlerts } from '../alerts/evaluate.ts';
import { alertDestinations } from '../management/alerts/alert-message.ts';
import { createObserver, type ObserverContext } from '../management/alerts/observer.ts';
import { createTimedWork, type TimedWork } from './timed-work.ts';

export interface AlertingStart extends ObserverContext {
  /** After they have ended. */
  readonly keepDays: number;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Several looks a minute, to miss none and to replace another process soon; each minute is judged once. */
const everyMs = 15_000;
const dayMs = 86_400_000;
/** How often this process records that it serves. */
const noteEveryMs = 30_000;
/** After a longer silence a process may have been stopped. */
const noteLastsMs = 150_000;
const forgetEveryMs = 3_600_000;

/** Once a minute, in one of the processes. */
export function createAlerting(options: AlertingStart): TimedWork {
  const { store, now, keepDays, logger } = options;
  const by = randomUUID();
  const observe = createObserver(options);
  let forgetMs = 0;
  let notedMs = Number.NEGATIVE_INFINITY;
  const note = async () => {
    const untilMs = now();
    if (Math.abs(untilMs - notedMs) < noteEveryMs) return;
    const isOne = untilMs >= notedMs && untilMs - notedMs <= noteLastsMs;
    await store.alerts.noteServed({ fromMs: isOne ? notedMs : untilMs, untilMs });
    notedMs = untilMs;
  };
  const forget = async () => {
    if (now() < forgetMs) return;
    const hasMore = await store.alerts.forget(now() - keepDays * dayMs);
    if (!hasMore) forgetMs = now() + forgetEveryMs;
  };
  const work = async (signal: AbortSignal) => {
    try {
      await note();
      await evaluateAlerts({
        store: store.alerts,
        now,
        by,
        observe,
        tells: alertDestinations,
        signal,
        onFailure: (error) => logger.warn({ err: error }, 'an alert could not be judged'),
      });
      await forget();
    } catch (error) {
      logger.warn({ err: error }, 'alerts could not be judged; they will be judged later');
    }
  };
  const end = () => store.alerts.release(by).catch(() => undefined);
  return createTimedWork(everyMs, work, end);
}
