import type { Logger } from 'pino';
import { threadStoppedText } from '../threads/threads.ts';
import type { ThreadGroup } from './thread-group.ts';

/** As the first thread does it. */
interface Stop {
  readonly logger: Logger;
  readonly threadGroup: Pick<ThreadGroup, 'markStopping'>;
  /** Until the port closes. */
  readonly drainSeconds: number;
  readonly wait: (ms: number) => Promise<unknown>;
  /** Answers what is under way, and ends the other threads. */
  readonly closePort: () => Promise<unknown>;
  readonly closeRest: () => Promise<unknown>;
}

/**
 * `/readyz` goes first, so that load balancers turn away; then the port closes, requests are answered, counts are
 * stored. Each step is logged with the milliseconds since the first.
 */
export async function stopInSteps(stop: Stop): Promise<void> {
  const { logger, drainSeconds } = stop;
  const beganMs = performance.now();
  const tell = (text: string, details: object = {}) =>
    logger.info({ ...details, afterMs: Math.round(performance.now() - beganMs) }, text);
  stop.threadGroup.markStopping();
  if (drainSeconds > 0) {
    tell('/readyz returns 503 before the port closes', { seconds: drainSeconds });
    await stop.wait(drainSeconds * 1000);
  }
  tell('the port closes; requests under way are answered');
  await stop.closePort();
  tell('requests are answered; what was counted is stored');
  await stop.closeRest();
  tell(threadStoppedText, { thread: 0 });
}
