const nanosPerMs = 1e6;

/**
 * Milliseconds that never go back, even when the system's clock is set, and that have the same origin in all threads,
 * wherever `performance.now()` begins in each of them.
 */
export function createSteadyClock(): () => number {
  const startMs = Number(process.hrtime.bigint()) / nanosPerMs - performance.now();
  return () => startMs + performance.now();
}
