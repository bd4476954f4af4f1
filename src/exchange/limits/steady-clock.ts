const nanosPerMs = 1e6;

/**
 * Milliseconds that never go back, whatever is done to the system's clock, from a moment that all threads share:
 * `performance.now()` alone begins anew in each.
 */
export function createSteadyClock(): () => number {
  const startMs = Number(process.hrtime.bigint()) / nanosPerMs - performance.now();
  return () => startMs + performance.now();
}
