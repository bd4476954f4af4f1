const repeats = 9;

/**
 * Processor time of this thread for one run, in microseconds: the best of several rounds, so that other work on the
 * machine counts little. The system gives this time in steps of up to 4 ms, so `times` runs must take much longer.
 */
export function microsecondsOf(run: () => unknown, times: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    const start = process.threadCpuUsage();
    for (let time = 0; time < times; time += 1) run();
    const { user, system } = process.threadCpuUsage(start);
    best = Math.min(best, (user + system) / times);
  }
  return best;
}
