import { setTimeout as delay } from 'node:timers/promises';

const closeMs = 5_000;

export interface TimedWork {
  /** Of calls at a time, the first does it. Never rejects. */
  run(): Promise<void>;
  start(): void;
  /** Resolves when the work under way has ended, or was given up after some seconds. */
  close(): Promise<void>;
}

/** Once the signal is aborted it begins nothing more. */
export function createTimedWork(
  everyMs: number,
  work: (signal: AbortSignal) => Promise<void>,
  end: () => Promise<unknown> = async () => undefined,
): TimedWork {
  const closing = new AbortController();
  let underWay: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const run = () => {
    underWay ??= work(closing.signal).finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
  return {
    run,
    start() {
      timer = setInterval(run, everyMs).unref();
    },
    async close() {
      clearInterval(timer);
      closing.abort();
      await Promise.race([Promise.all([underWay, end()]), delay(closeMs, undefined, { ref: false })]);
    },
  };
}
