import type { Logger } from 'pino';

/** Tells the log of what failed, and why. */
export type FaultLog = (error: unknown, what: string) => void;

const everyMs = 10_000;
const kindsMax = 100;

/** When faults of a kind were told last, and how many more there have been since. */
interface Told {
  readonly atMs: number;
  more: number;
}

/**
 * A log that tells of what fails again and again, as each tracker does while the database is away, once in ten seconds,
 * with how many more there were (`repeated`). `now` gives milliseconds that never go back.
 */
export function createFaultLog(logger: Pick<Logger, 'error'>, now: () => number): FaultLog {
  const toldOf = new Map<string, Told>();
  return (error, what) => {
    const kind = `${what}: ${error instanceof Error ? error.message : error}`;
    const before = toldOf.get(kind);
    const atMs = now();
    if (before && atMs - before.atMs < everyMs) {
      before.more += 1;
      return;
    }
    if (toldOf.size >= kindsMax) toldOf.clear();
    toldOf.set(kind, { atMs, more: 0 });
    logger.error({ err: error, ...(before && before.more > 0 && { repeated: before.more }) }, what);
  };
}
