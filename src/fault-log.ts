import type { Logger } from 'pino';
import { createRecentCache } from './shared/recent-cache.ts';
import { isUnavailable } from './statistics/with-retries.ts';

/** `what` failed. */
export type FaultLog = (error: unknown, what: string) => void;

const everyMs = 10_000;
const kindsMax = 100;

interface LoggedFault {
  readonly atMs: number;
  repeats: number;
}

/**
 * Logs a repeated fault once in ten seconds, with how many were left out. A database that is away is a warning without
 * a stack. `now` never goes back.
 */
export function createFaultLog(logger: Pick<Logger, 'error' | 'warn'>, now: () => number): FaultLog {
  const lastLogged = createRecentCache<string, LoggedFault>(kindsMax);
  return (error, what) => {
    const kind = `${what}: ${error instanceof Error ? error.message : error}`;
    const before = lastLogged.get(kind);
    const atMs = now();
    if (before && atMs - before.atMs < everyMs) {
      before.repeats += 1;
      return;
    }
    lastLogged.set(kind, { atMs, repeats: 0 });
    const repeated = before && before.repeats > 0 && { repeated: before.repeats };
    if (isUnavailable(error)) logger.warn({ reason: (error as Error).message, ...repeated }, what);
    else logger.error({ err: error, ...repeated }, what);
  };
}
