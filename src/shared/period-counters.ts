/**
 * Counts by period (part of a second, minute or day) in shared memory. A ring consists of cells, each with a period and
 * its count.
 */
export interface PeriodCounters {
  /**
   * Adds to the count of a period and returns the new count. Undefined where the cell already counts a later period,
   * where another thread clears it for too long, or where the number is none of a period.
   */
  add(at: number, period: number, by: number): number | undefined;
  /**
   * The same for the current period. If the cell counts a later one, the clock has been set back since, and that count
   * is dropped. Undefined where another thread clears the cell for too long, or where the number is none of a period.
   */
  addNow(at: number, period: number, by: number): number | undefined;
  /** Sum of the counts of `from` to `to`, both included. Looks at each cell once at most, whatever the numbers. */
  sum(at: number, from: number, to: number): number;
}

const wordsPerCell = 2;
/** Stands for the period while a thread clears a cell for another one. */
const clearing = -1;
/** Clearing a cell takes nanoseconds. If a thread is killed while it clears one, the others must not wait forever. */
const triesMax = 10_000;
const periodMax = 2 ** 31 - 2;

/** Whether a number is one of a period; any other would be none of a cell either. */
const isPeriod = (period: number) => Number.isInteger(period) && period >= 0 && period <= periodMax;

export function wordsOfRing(cells: number): number {
  return cells * wordsPerCell;
}

/**
 * Rings of `cells` cells in `words`; `at` is the first word of a ring. All threads may count at once, without a lock. A
 * count is never too small, so a limit that is checked against it is never exceeded. Periods count up from 0 and stay
 * below 2^31 - 1; any other number counts nothing.
 */
export function periodCounters(words: Int32Array<SharedArrayBuffer>, cells: number): PeriodCounters {
  /**
   * The first word of the period's cell, once that cell counts this period. A cell that counts a later period is taken
   * over only with `isNow`; without it, the answer is undefined.
   */
  const cellOf = (at: number, period: number, isNow: boolean): number | undefined => {
    if (!isPeriod(period)) return undefined;
    const cell = at + (period % cells) * wordsPerCell;
    // 0 marks a cell that was never used, so period 0 is stored as 1.
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
      const last = Math.min(to, periodMax);
      // A ring holds no more periods than it has cells.
      for (let period = Math.max(0, from, last - cells + 1); period <= last; period += 1) {
        const cell = at + (period % cells) * wordsPerCell;
        if (Atomics.load(words, cell) === period + 1) total += Atomics.load(words, cell + 1);
      }
      return total;
    },
  };
}
