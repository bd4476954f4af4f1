import type { Nanos } from '../money.ts';

export interface Amounts {
  /** Adds to the total and to the amount of `day`, which is today or yesterday. */
  add(slot: number, day: number, nanos: Nanos): void;
  /** Adds an amount of an earlier day: to the total alone. */
  addBefore(slot: number, nanos: Nanos): void;
  ofDay(slot: number, day: number): Nanos;
  total(slot: number): Nanos;
}

/** How many days are kept: today, and yesterday for ads that are shown after midnight. */
const days = 2;
const wordsPerDay = 2;
const wordsPerSlot = 1 + days * wordsPerDay;

export function amountsMemory(slots: number): SharedArrayBuffer {
  return new SharedArrayBuffer(slots * wordsPerSlot * BigInt64Array.BYTES_PER_ELEMENT);
}

export function createAmounts(memory: SharedArrayBuffer): Amounts {
  const words = new BigInt64Array(memory);
  const cellOf = (slot: number, day: number) => slot * wordsPerSlot + 1 + (day % days) * wordsPerDay;
  /**
   * Makes a cell hold `day`, from 0 on, unless it already does. What it held is dropped: the amount of the day before
   * yesterday, or of a later day if the clock has been set back since.
   */
  const begin = (cell: number, day: bigint) => {
    const found = Atomics.load(words, cell);
    if (found === day) return;
    const stale = Atomics.load(words, cell + 1);
    // Whoever moves the day on takes the old amount away; what others add meanwhile stays.
    if (Atomics.compareExchange(words, cell, found, day) === found) Atomics.sub(words, cell + 1, stale);
  };
  return {
    add(slot, day, nanos) {
      const amount = BigInt(nanos);
      Atomics.add(words, slot * wordsPerSlot, amount);
      const cell = cellOf(slot, day);
      begin(cell, BigInt(day));
      if (Atomics.load(words, cell) === BigInt(day)) Atomics.add(words, cell + 1, amount);
    },
    addBefore: (slot, nanos) => void Atomics.add(words, slot * wordsPerSlot, BigInt(nanos)),
    ofDay(slot, day) {
      const cell = cellOf(slot, day);
      return Atomics.load(words, cell) === BigInt(day) ? Number(Atomics.load(words, cell + 1)) : 0;
    },
    total: (slot) => Number(Atomics.load(words, slot * wordsPerSlot)),
  };
}
