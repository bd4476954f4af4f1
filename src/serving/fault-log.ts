import type { Logger } from 'pino';

/** Logs an error, with what failed by it. */
export type FaultLog = (error: unknown, what: string) => void;

const everyMs = 10_000;
const kindsMax = 100;

interface LoggedFault {
  readonly atMs: number;
  repeats: number;
}

/** A log that writes a repeated fault once in ten seconds, with how many it left out. `now`: ms that never go back. */
export function createFaultLog(logger: Pick<Logger, 'error'>, now: () => number): FaultLog {
  const lastLogged = new Map<string, LoggedFault>();
  return (error, what) => {
    const kind = `${what}: ${error instanceof Error ? error.message : error}`;
    const before = lastLogged.get(kind);
    const atMs = now();
    if (before && atMs - before.atMs < everyMs) {
      before.repeats += 1;
      return;
    }
    if (lastLogged.size >= kindsMax) lastLogged.clear();
    lastLogged.set(kind, { atMs, repeats: 0 });
    logger.error({ err: error, ...(before && before.repeats > 0 && { repeated: before.repeats }) }, what);
  };
}
