import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Clock } from './simulate-day.ts';

/** Starts now; `signal` ends every wait. */
export function realClock(signal: AbortSignal): Clock {
  const startMs = performance.now();
  const nowMs = () => performance.now() - startMs;
  return {
    nowMs,
    async until(ms) {
      const leftMs = ms - nowMs();
      if (leftMs <= 0 || signal.aborted) await setImmediate();
      else await setTimeout(leftMs, undefined, { signal }).catch(() => undefined);
    },
  };
}
