import { minuteOf, promiseMinutes } from './promise-minutes.ts';

/** Impressions promised to viewers that have not come yet, by entry of a table. */
export interface PromiseCells {
  /** How many may still come. */
  open(entry: number, timeMs: number): number;
  /** Adds promises that were made to an ad or offer at `promisedMs`. False where the entry holds too many. */
  add(entry: number, promisedMs: number, earlierMinutes: number): boolean;
  /** Adds promises of an hour (hours since 1970) that were made before the process began. */
  restore(entry: number, hour: number, promised: number): void;
  /** Takes one away that was made at `promisedMs`. Answers whether there was one. */
  take(entry: number, promisedMs: number, earlierMinutes: number): boolean;
  clear(entry: number): void;
}

const minutesPerPeriod = 2;
const cells = 12;
export const wordsOfPromiseCells = cells;
/** Auctions that began later may have promised earlier: periods ahead that count, too. */
const periodsAhead = 2;
const countBits = 16;
const countMask = (1 << countBits) - 1;

/**
 * Promises by periods of two minutes, each in one word with the lower bits of its period, so that threads change both
 * at once. A promise counts for at least `minutes`, and for up to two minutes more.
 */
export function promiseCells(
  words: Int32Array<SharedArrayBuffer>,
  minutes: number,
  startMs: number,
): PromiseCells {
  const periodsOpen = Math.ceil(minutes / minutesPerPeriod);
  const made = promiseMinutes(startMs);
  const periodOf = (minute: number) => Math.floor(minute / minutesPerPeriod);
  const wordOf = (period: number, count: number) => ((period & countMask) << countBits) | count;
  const cellOf = (entry: number, period: number) => entry * cells + (period % cells);
  const countIn = (word: number, period: number) =>
    word >>> countBits === (period & countMask) ? word & countMask : 0;
  /** Changes the count of a period, unless it would leave its range. */
  const change = (entry: number, period: number, by: number): boolean => {
    const at = cellOf(entry, period);
    for (;;) {
      const found = Atomics.load(words, at);
      const count = countIn(found, period) + by;
      if (count < 0 || count > countMask) return false;
      if (Atomics.compareExchange(words, at, found, wordOf(period, count)) === found) return true;
    }
  };
  const periodOfPromise = (promisedMs: number, earlierMinutes: number) => {
    // Of what was restored it is not known whether it was an offer: it counts as long as an ad does.
    const minute = promisedMs < startMs ? made.of(promisedMs) : minuteOf(promisedMs) - earlierMinutes;
    return periodOf(minute);
  };
  return {
    open(entry, timeMs) {
      const now = periodOf(minuteOf(timeMs));
      let open = 0;
      for (let period = now - periodsOpen; period <= now + periodsAhead; period += 1) {
        open += countIn(Atomics.load(words, cellOf(entry, period)), period);
      }
      return open;
    },
    add: (entry, promisedMs, earlier) => change(entry, periodOfPromise(promisedMs, earlier), 1),
    restore(entry, hour, promised) {
      change(entry, periodOf(made.restored(hour)), Math.min(promised, countMask));
    },
    take: (entry, promisedMs, earlier) => change(entry, periodOfPromise(promisedMs, earlier), -1),
    clear(entry) {
      for (let cell = 0; cell < cells; cell += 1) Atomics.store(words, entry * cells + cell, 0);
    },
  };
}
