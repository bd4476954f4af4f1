import { setTimeout as delay } from 'node:timers/promises';

/** The promise's value, or a rejection with `text` where it takes longer; the work itself goes on. */
export async function withTimeout<T>(timeoutMs: number, promise: Promise<T>, text: string): Promise<T> {
  const controller = new AbortController();
  const late = delay(timeoutMs, undefined, { signal: controller.signal }).then(() => {
    throw new Error(text);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    controller.abort();
  }
}
