import { setTimeout as delay } from 'node:timers/promises';
import { Refusal } from '../fields/fault.ts';

const retryMs = 250;

export function isUnavailable(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'unavailable';
}

/** The database will never take it, because of its values. */
export function isRefused(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'invalid';
}

/**
 * Retries while `mayRetry` accepts the error. Rejects with `Refusal('unavailable')` after `timeoutMs`, even during an
 * attempt, whose outcome then stays unknown.
 */
export async function withRetries<T>(
  step: () => Promise<T>,
  timeoutMs: number,
  mayRetry: (error: unknown) => boolean,
): Promise<T> {
  const timeUp = Promise.withResolvers<never>();
  let isTimeUp = false;
  const timer = setTimeout(() => {
    isTimeUp = true;
    timeUp.reject(
      new Refusal('unavailable', 'The database has not answered in time; try again', {
        retryAfterSeconds: 5,
      }),
    );
  }, timeoutMs);
  const attempts = async (): Promise<T> => {
    for (;;) {
      try {
        return await step();
      } catch (error) {
        if (!mayRetry(error)) throw error;
        await delay(retryMs);
        if (isTimeUp) throw error;
      }
    }
  };
  try {
    return await Promise.race([attempts(), timeUp.promise]);
  } finally {
    clearTimeout(timer);
    isTimeUp = true;
  }
}
