import { frequencyCapMax } from '../../reference/frequency.ts';

/** Impressions by the minute in which they were shown, by entry of a table. */
export interface ShownCells {
  /** Those of minute `from` or later. */
  since(entry: number, from: number): number;
  /** Of minute `from` or later, but the last `newest` of them; 0 = there are none. */
  lastBefore(entry: number, from: number, newest: number): number;
  /** `kept`: how many minutes it may be counted. */
  add(entry: number, minute: number, impressions: number, kept: number): void;
  clear(entry: number): void;
}

const cells = 16;
export const wordsOfShownCells = cells;
const countBits = 8;
/** No cap is higher, so that what is beyond it makes no difference. */
const shownInMinuteMax = frequencyCapMax;
/** From here on, minutes fit for 31 years. */
const originMinute = Date.UTC(2026, 0, 1) / 60_000;
const minuteMax = 2 ** (32 - countBits) - 1;

interface Cell {
  readonly at: number;
  readonly word: number;
  readonly minute: number;
  readonly count: number;
}

const wordOf = (minute: number, count: number) =>
  ((Math.max(0, Math.min(minute - originMinute, minuteMax)) << countBits) |
    Math.min(count, shownInMinuteMax)) >>>
  0;

/**
 * Each cell is a word of a minute and a count, so that threads change both at once. Where more minutes are to be
 * remembered than there are cells, the two nearest become one of the later minute: then an impression counts for longer,
 * never shorter.
 */
export function shownCells(words: Int32Array<SharedArrayBuffer>): ShownCells {
  const cellAt = (at: number): Cell => {
    const word = Atomics.load(words, at) >>> 0;
    return { at, word, minute: (word >>> countBits) + originMinute, count: word & shownInMinuteMax };
  };
  const cellsOf = (entry: number) =>
    Array.from({ length: cells }, (_, index) => cellAt(entry * cells + index));
  const change = ({ at, word }: Cell, minute: number, count: number) =>
    Atomics.compareExchange(words, at, word | 0, wordOf(minute, count) | 0) === (word | 0);
  /** In between it counts twice, but is never missed. */
  const mergeNearest = (all: readonly Cell[]): void => {
    const inTime = all.toSorted((one, other) => one.minute - other.minute);
    const gaps = inTime.slice(1).map(({ minute }, index) => minute - (inTime[index]?.minute ?? 0));
    const nearest = gaps.indexOf(Math.min(...gaps));
    const [earlier, later] = [inTime[nearest] as Cell, inTime[nearest + 1] as Cell];
    if (change(later, later.minute, later.count + earlier.count)) change(earlier, 0, 0);
  };
  /** False where another thread was faster, or all cells are taken. */
  const tryToAdd = (entry: number, minute: number, impressions: number, kept: number): boolean => {
    const all = cellsOf(entry);
    const same = all.find((cell) => cell.count > 0 && cell.minute === minute);
    if (same) return change(same, minute, same.count + impressions);
    const free = all.find((cell) => cell.count === 0 || cell.minute < minute - kept);
    if (free) return change(free, minute, impressions);
    mergeNearest(all);
    return false;
  };
  const from = (entry: number, minute: number) =>
    cellsOf(entry).filter((cell) => cell.count > 0 && cell.minute >= minute);
  return {
    since(entry, minute) {
      let sum = 0;
      for (let at = entry * cells; at < (entry + 1) * cells; at += 1) {
        const word = Atomics.load(words, at) >>> 0;
        if ((word >>> countBits) + originMinute >= minute) sum += word & shownInMinuteMax;
      }
      return sum;
    },
    lastBefore(entry, minute, newest) {
      let left = newest;
      for (const cell of from(entry, minute).toSorted((one, other) => other.minute - one.minute)) {
        left -= cell.count;
        if (left < 0) return cell.minute;
      }
      return 0;
    },
    add(entry, minute, impressions, kept) {
      while (!tryToAdd(entry, minute, impressions, kept));
    },
    clear(entry) {
      for (let cell = 0; cell < cells; cell += 1) {
        // Cells that were never used take no physical memory.
        if (Atomics.load(words, entry * cells + cell) !== 0) Atomics.store(words, entry * cells + cell, 0);
      }
    },
  };
}
