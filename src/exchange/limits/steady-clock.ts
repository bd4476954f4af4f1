const nanosPerMs = 1e6;
const tries = 20;

/**
 * Milliseconds that never go back, even when the system's clock is set, and that have the same origin in all threads,
 * wherever `performance.now()` begins in each of them.
 */
export function createSteadyClock(): () => number {
  let startMs = 0;
  let leastMs = Number.POSITIVE_INFINITY;
  // A thread that is interrupted between two readings would be late by that for as long as it lives.
  for (let left = tries; left > 0; left -= 1) {
    const beforeMs = performance.now();
    const ms = Number(process.hrtime.bigint()) / nanosPerMs;
    const tookMs = performance.now() - beforeMs;
    if (tookMs < leastMs) [startMs, leastMs] = [ms - beforeMs, tookMs];
  }
  return () => startMs + performance.now();
}
