import type { Logger } from 'pino';
import { gauge, type Metric } from './exchange/metrics/metric.ts';
import type { Store } from './store/interface.ts';
import type { NumberedThread } from './threads/thread-channel.ts';
import { watchForAll } from './threads/watched.ts';

export interface DatabaseClock {
  /** Why this process is not ready: its clock is off by more than a minute. */
  trouble(): string | undefined;
  /** Of the first thread. */
  metrics(): Metric[];
  close(): Promise<void>;
}

export interface DatabaseClockOptions {
  readonly store: Pick<Store, 'clock'>;
  readonly threadGroup: NumberedThread;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const warnFromMs = 1000;
const readyUntilMs = 60_000;
/** A slower answer tells too little. */
const roundTripMsMax = 500;

const noClock: DatabaseClock = { trouble: () => undefined, metrics: () => [], close: async () => undefined };

/** In milliseconds: above 0 if this process's clock is ahead; undefined if the answer was slow or the clock was set. */
async function offsetFrom(databaseClock: () => Promise<number>, now: () => number) {
  const sentMs = now();
  const databaseMs = await databaseClock();
  const tookMs = now() - sentMs;
  if (tookMs < 0 || tookMs > roundTripMsMax) return undefined;
  return sentMs + tookMs / 2 - databaseMs;
}

const differenceIn = (offsetMs: number) =>
  `${(Math.abs(offsetMs) / 1000).toFixed(1)} s ${offsetMs > 0 ? 'ahead of' : 'behind'} the database's`;

/** Compares this process's clock with that of its database server every second. Rejects if the server is away now. */
export async function watchDatabaseClock(options: DatabaseClockOptions): Promise<DatabaseClock> {
  const { threadGroup, logger, now } = options;
  const { clock } = options.store;
  if (!clock) return noClock;
  let offsetMs = 0;
  let isOff = false;
  const log = () => {
    const wasOff = isOff;
    isOff = Math.abs(offsetMs) > warnFromMs;
    if (isOff && !wasOff)
      logger.warn({ offsetMs }, `the clock is ${differenceIn(offsetMs)}; set both by NTP`);
    if (wasOff && !isOff) logger.info({ offsetMs }, "the clock agrees with the database's again");
  };
  const close = await watchForAll(
    threadGroup,
    'database clock',
    () => offsetFrom(clock, now),
    (measuredMs) => {
      if (measuredMs === undefined) return;
      offsetMs = measuredMs;
      if (threadGroup.number === 0) log();
    },
  );
  return {
    trouble: () =>
      Math.abs(offsetMs) > readyUntilMs
        ? `The clock of this server is ${differenceIn(offsetMs)}; set both by NTP`
        : undefined,
    metrics: () =>
      threadGroup.number > 0
        ? []
        : [
            gauge(
              'bourse_clock_offset_seconds',
              "How far the clock of this server is ahead of the database's; below 0: behind it",
              offsetMs / 1000,
            ),
          ],
    close,
  };
}
