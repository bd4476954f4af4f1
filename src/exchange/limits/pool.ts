/** What a process holds of limits in shared memory: of each so many units, for a day. All threads take at once. */
export interface Pool {
  /** Takes units of a day; false, with nothing taken, where fewer are left. */
  take(at: number, day: number, units: number): boolean;
  /** Whether `take` would take them now. */
  has(at: number, day: number, units: number): boolean;
  /** Puts units of a day back, where that day is still held. */
  put(at: number, day: number, units: number): void;
  left(at: number, day: number): number;
  lack(at: number, units: number): void;
  /** How many were lacking since this was last asked. */
  lacked(at: number): number;
  /** Makes a pool hold a day, of which nothing is left, unless it already does. To be called by one thread. */
  begin(at: number, day: number): void;
}

/** Words that a pool takes: its day, what is left of it, and what was lacked. */
export const wordsOfPool = 3;

/** Days are stored plus one: 0 = none. */
const stored = (day: number) => day + 1;

export function countPool(words: Int32Array<SharedArrayBuffer>): Pool {
  const isOf = (at: number, day: number) => Atomics.load(words, at) === stored(day);
  return {
    take(at, day, units) {
      while (isOf(at, day)) {
        const found = Atomics.load(words, at + 1);
        if (found < units) break;
        if (Atomics.compareExchange(words, at + 1, found, found - units) === found) return true;
      }
      return false;
    },
    has: (at, day, units) => isOf(at, day) && Atomics.load(words, at + 1) >= units,
    put(at, day, units) {
      if (isOf(at, day)) Atomics.add(words, at + 1, units);
    },
    left: (at, day) => (isOf(at, day) ? Atomics.load(words, at + 1) : 0),
    lack: (at, units) => void Atomics.add(words, at + 2, units),
    lacked: (at) => Atomics.exchange(words, at + 2, 0),
    begin(at, day) {
      if (isOf(at, day)) return;
      Atomics.store(words, at + 1, 0);
      Atomics.store(words, at, stored(day));
    },
  };
}

/** Pools of amounts in nano-USD. */
export function amountPool(words: BigInt64Array<SharedArrayBuffer>): Pool {
  const isOf = (at: number, day: number) => Atomics.load(words, at) === BigInt(stored(day));
  return {
    take(at, day, units) {
      const wanted = BigInt(units);
      while (isOf(at, day)) {
        const found = Atomics.load(words, at + 1);
        if (found < wanted) break;
        if (Atomics.compareExchange(words, at + 1, found, found - wanted) === found) return true;
      }
      return false;
    },
    has: (at, day, units) => isOf(at, day) && Atomics.load(words, at + 1) >= BigInt(units),
    put(at, day, units) {
      if (isOf(at, day)) Atomics.add(words, at + 1, BigInt(units));
    },
    left: (at, day) => (isOf(at, day) ? Number(Atomics.load(words, at + 1)) : 0),
    lack: (at, units) => void Atomics.add(words, at + 2, BigInt(units)),
    lacked: (at) => Number(Atomics.exchange(words, at + 2, 0n)),
    begin(at, day) {
      if (isOf(at, day)) return;
      Atomics.store(words, at + 1, 0n);
      Atomics.store(words, at, BigInt(stored(day)));
    },
  };
}
