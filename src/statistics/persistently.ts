import { setTimeout as delay } from 'node:timers/promises';
import { Refusal } from '../fields/fault.ts';

const retryMs = 250;

/** Whether an error says no more than that the database is away. */
export function isAway(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'unavailable';
}

/**
 * Does a step, and does it again where it fails and `mayRetry`. Rejects with `Refusal('unavailable')` as soon as so
 * much time is up, also while an attempt is under way, which then ends by itself: whether it has done anything is open.
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
