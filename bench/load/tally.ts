/** What was answered since it was begun. */
export interface Tally {
  readonly sums: { readonly answers: number; readonly failures: number; readonly bytes: number };
  readonly waitsMs: readonly number[];
  /** Takes the length of the body; undefined where the answer was no 2xx. */
  add(waitMs: number, bodyBytes: number | undefined): void;
}

/** A tally of nothing yet. */
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
