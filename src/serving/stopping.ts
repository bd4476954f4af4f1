import type { Logger } from 'pino';
import type { ThreadGroup } from './thread-group.ts';
import { threadStoppedText } from './threads.ts';

/** What a server is that stops, as its first thread does it. */
interface Stop {
  readonly logger: Logger;
  readonly threadGroup: Pick<ThreadGroup, 'markStopping'>;
  /** How long `/readyz` says 503 before the port closes. */
  readonly drainSeconds: number;
  readonly wait: (ms: number) => Promise<unknown>;
  /** Accepts no more connections, answers what is under way, and ends the other threads. */
  readonly closePort: () => Promise<unknown>;
  /** Stores what was counted, and closes the database. */
  readonly closeRest: () => Promise<unknown>;
}

/**
 * Stops a server: `/readyz` says so first, so that load balancers send their requests elsewhere; then the port closes,
 * requests under way are answered, and what was counted is stored. Each step is logged as it begins, with the
 * milliseconds since the first.
 */
export async function stopInSteps(stop: Stop): Promise<void> {
  const { logger, drainSeconds } = stop;
  const beganMs = performance.now();
  const tell = (text: string, details: object = {}) =>
    logger.info({ ...details, afterMs: Math.round(performance.now() - beganMs) }, text);
  stop.threadGroup.markStopping();
  if (drainSeconds > 0) {
    tell('/readyz says 503 before the port closes', { seconds: drainSeconds });
    await stop.wait(drainSeconds * 1000);
  }
  tell('the port closes; requests under way are answered');
  await stop.closePort();
  tell('requests are answered; what was counted is stored');
  await stop.closeRest();
  tell(threadStoppedText, { thread: 0 });
}
