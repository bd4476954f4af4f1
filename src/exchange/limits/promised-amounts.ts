import type { Nanos } from '../money.ts';
import { minutesPerDay } from './day-line.ts';
import { minuteOf, minutesAhead, minutesSeen, promiseMinutes } from './promise-minutes.ts';

/** Amounts that auctions have been promised and that have not been booked yet, by slot. */
export interface PromisedAmounts {
  /** What may still be booked for auctions of the UTC day of `timeMs`. */
  ofDay(slot: number, timeMs: number): Nanos;
  /** What may still be booked for auctions of any day. */
  inAll(slot: number, timeMs: number): Nanos;
  /** Promises an amount, and keeps to it only if `isWithin` is true once it is counted. Returns whether it was made. */
  take(slot: number, timeMs: number, nanos: Nanos, isWithin: () => boolean): boolean;
  /** Ends the promise of an amount that was made at `promisedMs`, or of a part of it. */
  end(slot: number, promisedMs: number, nanos: Nanos): void;
  /** Adds an amount of an hour (hours since 1970) that was promised before the process began. */
  restore(slot: number, hour: number, nanos: Nanos): void;
  /** Adds an amount that other processes have promised since they were last asked, or ends one of that hour. */
  follow(slot: number, hour: number, nanos: Nanos, timeMs: number): void;
}

export interface PromisedAmountsMemory {
  /** By slot: up to which minute promises have ended, then the minute of each cell. */
  readonly minutes: SharedArrayBuffer;
  /** By slot: the sums of even and of odd days, then the amount of each cell. */
  readonly amounts: SharedArrayBuffer;
}

const cellsOf = (minutes: number) => minutes + minutesAhead + 1;
const sums = 2;
const minuteWords = (cells: number) => 1 + cells;
const amountWords = (cells: number) => sums + cells;

/** Shared memory for the promised amounts of so many slots, each kept for so many minutes. */
export function promisedAmountsMemory(slots: number, minutes: number): PromisedAmountsMemory {
  const cells = cellsOf(minutes);
  return {
    minutes: new SharedArrayBuffer(slots * minuteWords(cells) * Int32Array.BYTES_PER_ELEMENT),
    amounts: new SharedArrayBuffer(slots * amountWords(cells) * BigInt64Array.BYTES_PER_ELEMENT),
  };
}

/** Marks a cell without a minute, so minutes are stored plus one. */
const unused = 0;
/** Stands for the minute while a thread empties a cell. */
const emptying = -1;
/** Emptying a cell takes nanoseconds. If a thread is killed while it does, the others must not wait forever. */
const triesMax = 10_000;

/**
 * The cells of slots: each holds what was promised in a minute. Their sums by day are kept beside them, because adding
 * up big integers of an hour would take an auction microseconds. A day's sum is used again two days later; by then all
 * promises of that day have ended.
 */
function createCells({ minutes, amounts }: PromisedAmountsMemory, cells: number) {
  const held = new Int32Array(minutes);
  const words = new BigInt64Array(amounts);
  const sumOf = (slot: number, minute: number) =>
    slot * amountWords(cells) + (Math.floor(minute / minutesPerDay) % sums);
  const minuteAt = (slot: number, cell: number) => slot * minuteWords(cells) + 1 + cell;
  const amountAt = (slot: number, cell: number) => slot * amountWords(cells) + sums + cell;
  /** Ends the promises of a cell that holds minute `found - 1`. */
  const empty = (slot: number, cell: number, found: number) => {
    const at = minuteAt(slot, cell);
    if (Atomics.compareExchange(held, at, found, emptying) !== found) return;
    const amount = Atomics.exchange(words, amountAt(slot, cell), 0n);
    Atomics.sub(words, sumOf(slot, found - 1), amount);
    Atomics.store(held, at, unused);
  };
  return {
    /** The sum of the days with the same parity as that of `minute`. */
    sum: (slot: number, minute: number) => Number(Atomics.load(words, sumOf(slot, minute))),
    /** Adds to the cell of a minute. False where another thread empties the cell for too long. */
    add(slot: number, minute: number, amount: bigint): boolean {
      const cell = minute % cells;
      const at = minuteAt(slot, cell);
      for (let tries = 0; tries < triesMax; tries += 1) {
        const found = Atomics.load(held, at);
        if (found === minute + 1) {
          Atomics.add(words, amountAt(slot, cell), amount);
          Atomics.add(words, sumOf(slot, minute), amount);
          return true;
        }
        if (found === unused) Atomics.compareExchange(held, at, unused, minute + 1);
        else if (found !== emptying) empty(slot, cell, found);
      }
      return false;
    },
    /** Takes from the cell of a minute, but no more than it holds; answers how much. */
    take(slot: number, minute: number, amount: bigint): bigint {
      const cell = minute % cells;
      if (Atomics.load(held, minuteAt(slot, cell)) !== minute + 1) return 0n;
      for (;;) {
        const found = Atomics.load(words, amountAt(slot, cell));
        if (found <= 0n) return 0n;
        const taken = amount < found ? amount : found;
        if (Atomics.compareExchange(words, amountAt(slot, cell), found, found - taken) !== found) continue;
        Atomics.sub(words, sumOf(slot, minute), taken);
        return taken;
      }
    },
    /** Ends promises before `from` and after `to`: what is promised for later was so by a clock set back since. */
    end(slot: number, from: number, to: number): void {
      for (let cell = 0; cell < cells; cell += 1) {
        const found = Atomics.load(held, minuteAt(slot, cell));
        const isWithin = found > from && found <= to + 1;
        if (found !== unused && found !== emptying && !isWithin) empty(slot, cell, found);
      }
    },
    /** Whether this is the first call of a slot with that minute, or the first since the clock was set back. */
    isNew(slot: number, minute: number): boolean {
      const at = slot * minuteWords(cells);
      const found = Atomics.load(held, at);
      const isDue = minute > found || minute < found - minutesAhead;
      return isDue && Atomics.compareExchange(held, at, found, minute) === found;
    },
  };
}

/**
 * Promised amounts in shared memory, by the minute since 1970 in which they were promised; after so many minutes a
 * promise ends. An amount counts for the UTC day of its promise. All threads may count at once, without a lock. What is
 * promised is never too little, so a limit that is checked against it is never exceeded. The process began at
 * `startMs`. `areFollowed`: whether amounts that other processes promise are counted here, too.
 */
export function createPromisedAmounts(
  memory: PromisedAmountsMemory,
  minutes: number,
  startMs: number,
  areFollowed: () => boolean,
): PromisedAmounts {
  const cells = createCells(memory, cellsOf(minutes));
  const made = promiseMinutes(startMs);
  const endOld = (slot: number, minute: number) => {
    if (cells.isNew(slot, minute)) cells.end(slot, minute - minutes, minute + minutesAhead);
  };
  return {
    ofDay(slot, timeMs) {
      const minute = minuteOf(timeMs);
      endOld(slot, minute);
      return cells.sum(slot, minute);
    },
    inAll(slot, timeMs) {
      const minute = minuteOf(timeMs);
      endOld(slot, minute);
      return cells.sum(slot, minute) + cells.sum(slot, minute + minutesPerDay);
    },
    take(slot, timeMs, nanos, isWithin) {
      const [minute, amount] = [minuteOf(timeMs), BigInt(nanos)];
      if (!cells.add(slot, minute, amount)) return false;
      if (isWithin()) return true;
      cells.take(slot, minute, amount);
      return false;
    },
    end(slot, promisedMs, nanos) {
      const [minute, amount] = [made.of(promisedMs), BigInt(nanos)];
      if (areFollowed()) cells.add(slot, minute, -amount);
      else cells.take(slot, minute, amount);
    },
    restore: (slot, hour, nanos) => void cells.add(slot, made.restored(hour), BigInt(nanos)),
    follow(slot, hour, nanos, timeMs) {
      const seen = minutesSeen(hour, timeMs, minutes);
      if (nanos > 0) cells.add(slot, seen.last, BigInt(nanos));
      let left = BigInt(-nanos);
      for (let minute = seen.first; minute <= seen.until && left > 0n; minute += 1)
        left -= cells.take(slot, minute, left);
    },
  };
}
