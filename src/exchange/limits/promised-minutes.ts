import type { Nanos } from '../money.ts';
import { minutesAhead } from './promise-minutes.ts';
import { type SlotMemory, type SlotWords, slotMemory } from './slots.ts';

/** Promises of a minute, or of a day: how many ads, and what they may cost. */
export interface PromisedSum {
  readonly impressions: number;
  readonly nanos: Nanos;
}

/**
 * What a process has promised, by slot and by the minute since 1970 of the auction, until it is known what became of it.
 */
export interface PromisedMinutes {
  /**
   * Adds promises of a minute of a day, or takes back what was added; false where the minute is too far from those that
   * are held.
   */
  add(slot: number, minute: number, day: number, { impressions, nanos }: PromisedSum): boolean;
  /** Takes up to one promise of so much away, and answers what it has taken. */
  take(slot: number, minute: number, nanos: Nanos): PromisedSum;
  of(slot: number, minute: number): PromisedSum;
  /** Of days whose keys have this last bit. */
  openOf(slot: number, parity: number): PromisedSum;
  end(slot: number, minute: number): void;
  /**
   * Ends the promises of minutes up to `from` and after `to`, once for each `from`; tells the minute of each sum that it
   * has ended.
   */
  endOutside(slot: number, from: number, to: number, ended: (minute: number, sum: PromisedSum) => void): void;
  forget(slot: number): void;
}

export interface PromisedMinutesMemory {
  readonly counts: SlotMemory;
  readonly amounts: SlotMemory;
}

const parities = 2;
/** Up to which minute all has ended, what is open of even and of odd days, then the mark of each cell and its count. */
const head = 1 + parities;
const countWords = (cells: number) => head + 2 * cells;
const amountWords = (cells: number) => parities + cells;

export function promisedMinutesMemory(slots: number, cells: number): PromisedMinutesMemory {
  return {
    counts: slotMemory(slots, countWords(cells) * Int32Array.BYTES_PER_ELEMENT),
    amounts: slotMemory(slots, amountWords(cells) * BigInt64Array.BYTES_PER_ELEMENT),
  };
}

/** Stands for the mark while a thread empties a cell. */
const emptying = -1;
/** The minute of a cell with its day's parity; 0 = none. */
const markOf = (minute: number, day: number) => 2 * minute + (day & 1) + 1;
const minuteIn = (mark: number) => (mark - 1) >> 1;
const parityIn = (mark: number) => (mark - 1) & 1;
/** Emptying takes nanoseconds. If a thread is killed while it does, the others must not wait forever. */
const triesMax = 10_000;
const nothing: PromisedSum = { impressions: 0, nanos: 0 };

/** The cells of slots, each with the promises of a minute, and what is open of all. */
function cellsIn(memory: PromisedMinutesMemory, cells: number, { int32, int64 }: SlotWords) {
  const [counts, amounts] = [int32(memory.counts), int64(memory.amounts)];
  const cellAt = (slot: number, cell: number) => slot * countWords(cells) + head + 2 * cell;
  const minuteAt = (slot: number, minute: number) => cellAt(slot, minute % cells);
  const amountAt = (slot: number, minute: number) => slot * amountWords(cells) + parities + (minute % cells);
  const addOpen = (slot: number, mark: number, impressions: number, nanos: bigint) => {
    Atomics.add(counts, slot * countWords(cells) + 1 + parityIn(mark), impressions);
    Atomics.add(amounts, slot * amountWords(cells) + parityIn(mark), nanos);
  };
  /** Empties the cell at `minute`, which holds the mark `found`, for another one. */
  const empty = (slot: number, minute: number, found: number, next: number): PromisedSum => {
    const at = minuteAt(slot, minute);
    if (Atomics.compareExchange(counts, at, found, emptying) !== found) return nothing;
    const impressions = Atomics.exchange(counts, at + 1, 0);
    const nanos = Atomics.exchange(amounts, amountAt(slot, minute), 0n);
    if (found > 0) addOpen(slot, found, -impressions, -nanos);
    Atomics.store(counts, at, next);
    return { impressions, nanos: Number(nanos) };
  };
  /** The mark of the minute's cell; 0 where it is not held. */
  const markAt = (slot: number, minute: number): number => {
    const found = Atomics.load(counts, minuteAt(slot, minute));
    return found > 0 && minuteIn(found) === minute ? found : 0;
  };
  /** The same, once it is. */
  const hold = (slot: number, minute: number, day: number): number => {
    const at = minuteAt(slot, minute);
    for (let tries = 0; tries < triesMax; tries += 1) {
      const found = Atomics.load(counts, at);
      if (found > 0 && minuteIn(found) >= minute) return minuteIn(found) === minute ? found : 0;
      if (found !== emptying) empty(slot, minute, found, markOf(minute, day));
    }
    return 0;
  };
  return { counts, amounts, cellAt, minuteAt, amountAt, addOpen, empty, markAt, hold };
}

/**
 * Promises in shared memory. What is taken back is taken from what is open first, and what is new is added to it last, so
 * that `openOf` is never too much: what is not open counts as used for good.
 */
export function createPromisedMinutes(
  memory: PromisedMinutesMemory,
  cells: number,
  words: SlotWords,
): PromisedMinutes {
  const { counts, amounts, cellAt, minuteAt, amountAt, addOpen, empty, markAt, hold } = cellsIn(
    memory,
    cells,
    words,
  );
  /** Takes units away, but no more than there are. */
  const takeCount = (at: number): number => {
    for (;;) {
      const found = Atomics.load(counts, at);
      if (found <= 0) return 0;
      if (Atomics.compareExchange(counts, at, found, found - 1) === found) return 1;
    }
  };
  const takeAmount = (at: number, wanted: bigint): bigint => {
    for (;;) {
      const found = Atomics.load(amounts, at);
      const taken = wanted < found ? wanted : found;
      if (taken <= 0n) return 0n;
      if (Atomics.compareExchange(amounts, at, found, found - taken) === found) return taken;
    }
  };
  return {
    add(slot, minute, day, { impressions, nanos }) {
      const amount = BigInt(nanos);
      const isLess = impressions < 0 || nanos < 0;
      const mark = isLess ? markAt(slot, minute) : hold(slot, minute, day);
      if (mark === 0) return false;
      if (isLess) addOpen(slot, mark, impressions, amount);
      Atomics.add(counts, minuteAt(slot, minute) + 1, impressions);
      Atomics.add(amounts, amountAt(slot, minute), amount);
      if (!isLess) addOpen(slot, mark, impressions, amount);
      return true;
    },
    take(slot, minute, nanos) {
      const mark = markAt(slot, minute);
      if (mark === 0) return nothing;
      const impressions = takeCount(minuteAt(slot, minute) + 1);
      const amount = takeAmount(amountAt(slot, minute), BigInt(nanos));
      addOpen(slot, mark, -impressions, -amount);
      return { impressions, nanos: Number(amount) };
    },
    of(slot, minute) {
      if (markAt(slot, minute) === 0) return nothing;
      const nanos = Number(Atomics.load(amounts, amountAt(slot, minute)));
      return { impressions: Atomics.load(counts, minuteAt(slot, minute) + 1), nanos };
    },
    openOf(slot, parity) {
      return {
        impressions: Atomics.load(counts, slot * countWords(cells) + 1 + parity),
        nanos: Number(Atomics.load(amounts, slot * amountWords(cells) + parity)),
      };
    },
    end(slot, minute) {
      const mark = markAt(slot, minute);
      if (mark > 0) empty(slot, minute, mark, 0);
    },
    endOutside(slot, from, to, ended) {
      const at = slot * countWords(cells);
      const done = Atomics.load(counts, at);
      // It is done, unless the clock was set back since; or another thread does it.
      if (from <= done && from >= done - minutesAhead) return;
      if (Atomics.compareExchange(counts, at, done, from) !== done) return;
      for (let cell = 0; cell < cells; cell += 1) {
        const found = Atomics.load(counts, cellAt(slot, cell));
        if (found <= 0) continue;
        const minute = minuteIn(found);
        if (minute <= from || minute > to) ended(minute, empty(slot, cell, found, 0));
      }
    },
    forget(slot) {
      for (let cell = 0; cell < cells; cell += 1) {
        const found = Atomics.load(counts, cellAt(slot, cell));
        if (found > 0) empty(slot, cell, found, 0);
      }
    },
  };
}
