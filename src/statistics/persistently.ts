import { setTimeout as delay } from 'node:timers/promises';
import { Refusal } from '../fields/fault.ts';

const retryMs = 250;

/** Whether an error means only that the database is away. */
export function isAway(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'unavailable';
}

/**
 * Does a step, and again each time it fails with an error that `mayRetry` accepts. Rejects with
 * `Refusal('unavailable')` as soon as `patienceMs` are over, even during an attempt: that one goes on, and whether it
 * succeeds stays unknown.
 */
export async function persistently<T>(
  step: () => Promise<T>,
  patienceMs: number,
  mayRetry: (error: unknown) => boolean,
): Promise<T> {
  const timeUp = Promise.withResolvers<never>();
  let isUp = false;
  const timer = setTimeout(() => {
    isUp = true;
    timeUp.reject(
      new Refusal('unavailable', 'The database has not answered in time; try again', {
        retryAfterSeconds: 5,
      }),
    );
  }, patienceMs);
  const attempts = async (): Promise<T> => {
    for (;;) {
      try {
        return await step();
      } catch (error) {
        if (!mayRetry(error)) throw error;
        await delay(retryMs);
        if (isUp) throw error;
      }
    }
  };
  try {
    return await Promise.race([attempts(), timeUp.promise]);
  } finally {
    clearTimeout(timer);
    isUp = true;
  }
}
