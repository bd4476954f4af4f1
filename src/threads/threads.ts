import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';

/** From a thread to its parent, once it serves. */
export const readyMessage = 'serves';

/** Logged for each thread, with its number. */
export const threadServesText = 'thread serves';
/** Logged when it has ended as told. */
export const threadStoppedText = 'thread stopped';

const stopMessage = 'finish';

export interface Threads {
  /** Lets each finish what is under way. */
  close(): Promise<void>;
}

export interface ThreadOptions {
  /** From 1. */
  readonly numbers: readonly number[];
  readonly entry: string;
  /** Worker data besides the number; cloneable. */
  readonly data: object;
  readonly threadGroup: { release(number: number): void };
  readonly logger: Logger;
  /** Wait before the next start, after this many failures in a row; tests wait less. */
  readonly restartAfterMs?: (failures: number) => number;
}

const restartWaitMsMax = 60_000;
/** A thread that lives longer starts again without failures. */
const stableAfterMs = 60_000;

/** None after the first failure in a row, then 1, 2, 4 … 60 s. */
export function restartWaitMs(failures: number): number {
  return failures <= 1 ? 0 : Math.min(restartWaitMsMax, 1000 * 2 ** (failures - 2));
}

/** Restarts it when it dies, after longer and longer waits. */
function supervise(number: number, options: ThreadOptions): Threads {
  const { entry, data, threadGroup, logger, restartAfterMs = restartWaitMs } = options;
  let worker: Worker | undefined;
  let gone = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let isClosing = false;
  let failures = 0;

  const start = () => {
    const startedAt = performance.now();
    const fresh = new Worker(new URL(entry), { workerData: { ...data, number }, name: `bourse-${number}` });
    worker = fresh;
    fresh.once('message', () => logger.info({ thread: number }, threadServesText));
    fresh.on('error', (error) => logger.error({ thread: number, err: error }, 'thread failed'));
    gone = new Promise((resolve) => {
      fresh.once('exit', (code) => {
        threadGroup.release(number);
        resolve();
        if (isClosing) logger.info({ thread: number }, threadStoppedText);
        else startAgain(code, performance.now() - startedAt);
      });
    });
  };
  const startAgain = (code: number, livedMs: number) => {
    failures = livedMs > stableAfterMs ? 1 : failures + 1;
    const waitMs = restartAfterMs(failures);
    logger.error({ thread: number, code, restartAfterMs: waitMs }, 'thread ended; it is restarted');
    timer = setTimeout(start, waitMs);
  };
  start();
  return {
    async close() {
      isClosing = true;
      clearTimeout(timer);
      worker?.postMessage(stopMessage);
      await gone;
    },
  };
}

/** Does not wait for them; the log says when each one serves. */
export function startThreads(options: ThreadOptions): Threads {
  const threads = options.numbers.map((number) => supervise(number, options));
  return {
    close: async () => {
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}
