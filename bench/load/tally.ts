/** What was answered since the tally was begun. */
export interface Tally {
  readonly sums: { readonly answers: number; readonly failures: number; readonly bytes: number };
  readonly waitsMs: readonly number[];
  /** Counts an answer; `bodyBytes` is undefined if its status was no 2xx. */
  add(waitMs: number, bodyBytes: number | undefined): void;
}

export function createTally(): Tally {
  const sums = { answers: 0, failures: 0, bytes: 0 };
  const waitsMs: number[] = [];
  return {
    sums,
    waitsMs,
    add: (waitMs, bodyBytes) => {
      waitsMs.push(waitMs);
      sums.answers += 1;
      if (bodyBytes === undefined) sums.failures += 1;
      else sums.bytes += bodyBytes;
    },
  };
}

/** Begins to measure. The returned function gives the share of one core that this process has used since. */
export function loadShare(): () => number {
  const startMs = performance.now();
  const start = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000 / (performance.now() - startMs);
  };
}
