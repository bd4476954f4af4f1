import { setTimeout as delay } from 'node:timers/promises';

/** Rejects with `text` after the time; the work itself goes on. */
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
