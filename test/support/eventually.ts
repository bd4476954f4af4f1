import { setTimeout as delay } from 'node:timers/promises';

const pollMs = 50;
const waitMsMax = 30_000;

/** Resolves once a check holds; rejects with what it said last where it does not within half a minute. */
export async function eventually(check: () => unknown, what: string): Promise<void> {
  const lateMs = performance.now() + waitMsMax;
  for (;;) {
    try {
      await check();
      return;
    } catch (error) {
      if (performance.now() > lateMs) throw new Error(`${what}: not in time`, { cause: error });
    }
    await delay(pollMs);
  }
}
