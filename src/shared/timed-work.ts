export interface TimedWork {
  /** Once more, after the work under way. Never rejects. */
  run(): Promise<void>;
  /** Until closed; the first rest may differ from the others. */
  start(firstRestMs?: number): void;
  /** Ends the rest, or the one after the work under way; not one after a failure. */
  wake(): void;
  /** Resolves when the work under way has ended, or was given up. */
  close(): Promise<void>;
}

export interface TimedWorkOptions {
  /** How long it rests after so many failures in a row; by default as usual. */
  readonly retryMs?: (failures: number) => number;
  /** `failures` in a row: 1 for the first, which alone may need a line in the log. */
  readonly onFailure?: (error: unknown, failures: number) => void;
  /** Called when it succeeds after failures. */
  readonly onRecovery?: () => void;
  /** Called on close. */
  readonly end?: () => unknown;
  /** A close gives up then: after five seconds by default. */
  readonly closeMsMax?: number;
  /** Ends early on the signal. Tests do not wait. */
  readonly wait?: ((ms: number, signal: AbortSignal) => Promise<unknown>) | undefined;
}

const defaultCloseMs = 5_000;

/** Twice as long after each failure in a row. */
export const growingMs = (leastMs: number, mostMs: number) => (failures: number) =>
  Math.min(mostMs, leastMs * 2 ** (failures - 1));

const unrefWait = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const timer = setTimeout(resolve, ms).unref();
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** Ends when `work` does, or after `ms`; until then the thread stays, which loses what it closes if it ends first. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, ms);
  await Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}

/** Rests between one work and the next. Once the signal is aborted, the work begins nothing more. */
export function createTimedWork(
  everyMs: number,
  work: (signal: AbortSignal) => unknown,
  options: TimedWorkOptions = {},
): TimedWork {
  const { retryMs = () => everyMs, onFailure, onRecovery, end } = options;
  const { closeMsMax = defaultCloseMs, wait = unrefWait } = options;
  const closing = new AbortController();
  const { signal } = closing;
  let resting = new AbortController();
  let underWay = Promise.resolve();
  let repeating: Promise<void> | undefined;
  let failures = 0;
  const once = async () => {
    try {
      await work(signal);
      if (failures > 0) onRecovery?.();
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      failures += 1;
      resting = new AbortController();
      onFailure?.(error, failures);
    }
  };
  const run = () => {
    underWay = underWay.then(once);
    return underWay;
  };
  const repeat = async (firstRestMs: number) => {
    for (let restMs = firstRestMs; !signal.aborted; restMs = failures > 0 ? retryMs(failures) : everyMs) {
      if (restMs > 0) await wait(restMs, resting.signal).catch(() => undefined);
      if (signal.aborted) return;
      resting = new AbortController();
      await run();
    }
  };
  return {
    run,
    start(firstRestMs = everyMs) {
      repeating ??= repeat(firstRestMs);
    },
    wake() {
      if (failures === 0) resting.abort();
    },
    async close() {
      closing.abort();
      resting.abort();
      const ended = Promise.all([underWay, repeating, end?.()]);
      await (Number.isFinite(closeMsMax) ? within(closeMsMax, ended) : ended);
    },
  };
}
