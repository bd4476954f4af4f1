const repeats = 9;

/** Processor microseconds of one run, best of several rounds. Read in steps of up to 4 ms: `times` must be many. */
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
