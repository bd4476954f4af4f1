/** Counts by period (a second's part, a minute, a day) in shared memory: a ring of cells, each a period and a count. */
export interface PeriodCounters {
  /** Adds to the count of a period and answers what it is then; undefined where the ring has moved past it. */
  add(at: number, period: number, by: number): number | undefined;
  /**
   * The same of the period that it is now: where the ring is past it, the clock has been set back since, and what was
   * counted ahead of it goes. Undefined where another thread clears the cell for too long.
   */
  addNow(at: number, period: number, by: number): number | undefined;
  /** Sum of the counts of `from` to `to`, both included. */
  sum(at: number, from: number, to: number): number;
}

const wordsPerCell = 2;
/** The period of a cell that is being cleared for another one. */
const clearing = -1;
/** Clearing takes another thread some nanoseconds; one that was killed meanwhile must not stop everyone. */
const triesMax = 10_000;

/** Words of memory that a ring of so many cells takes. */
export function wordsOfRing(cells: number): number {
  return cells * wordsPerCell;
}

/**
 * Rings of `cells` cells in `words`; `at` is the first word of one. All threads may count at once: nobody waits for
 * a lock, and a count is never too small, so what is limited by it is never exceeded. Periods count up from 0 and
 * stay below 2^31 - 1.
 */
export function periodCounters(words: Int32Array<SharedArrayBuffer>, cells: number): PeriodCounters {
  /** First word of the period's cell, once that cell counts this period; which a later one leaves to none but `isNow`. */
  const cellOf = (at: number, period: number, isNow: boolean): number | undefined => {
    const cell = at + (period % cells) * wordsPerCell;
    // 0 is the cell that was never used.
    const wanted = period + 1;
    for (let tries = 0; tries < triesMax; tries += 1) {
      const found = Atomics.load(words, cell);
      if (found === wanted) return cell;
      if (found > wanted && !isNow) return undefined;
      if (found !== clearing && Atomics.compareExchange(words, cell, found, clearing) === found) {
        Atomics.store(words, cell + 1, 0);
        Atomics.store(words, cell, wanted);
      }
    }
    return undefined;
  };
  const added = (cell: number | undefined, by: number) =>
    cell === undefined ? undefined : Atomics.add(words, cell + 1, by) + by;
  return {
    add: (at, period, by) => added(cellOf(at, period, false), by),
    addNow: (at, period, by) => added(cellOf(at, period, true), by),
    sum(at, from, to) {
      let total = 0;
      for (let period = Math.max(0, from); period <= to; period += 1) {
        const cell = at + (period % cells) * wordsPerCell;
        if (Atomics.load(words, cell) === period + 1) total += Atomics.load(words, cell + 1);
      }
      return total;
    },
  };
}
