/**
 * What a process may use of limits, in shared memory: of each limit so many units for a day. All threads use it at once,
 * without a lock.
 */
export interface Pool {
  /** Uses units of a day; false, with nothing used, if that exceeds what is granted here, or alone the `line`. */
  reserve(at: number, day: number, units: number, line: number): boolean;
  /** Whether `reserve` would use them now. */
  has(at: number, day: number, units: number, line: number): boolean;
  /** Gives back, or grants, units of a day, unless the pool holds another one. */
  release(at: number, day: number, units: number): void;
  /** Uses units of a day whatever is left. `isNow`: it is the present day, even if the pool has begun a later one. */
  use(at: number, day: number, units: number, isNow: boolean): void;
  /** Notes units that were used while nothing was limited; how many those are. */
  useUnlimited(at: number, day: number, units: number): void;
  unlimited(at: number, day: number): number;
  /** Used by all processes, as far as is known here. */
  met(at: number, day: number): number;
  /** Of what is granted; below 0 if more was used. */
  left(at: number, day: number): number;
  /** Takes back so many of those that are left, and answers how many those were. */
  takeBack(at: number, day: number, units: number): number;
  /** What was granted in total, and what others have used. */
  tell(at: number, day: number, held: number, others: number): void;
  lack(at: number, units: number): void;
  /** How many were lacking since this was last asked. */
  lacked(at: number): number;
  /** Makes a pool hold the present day, of which nothing is granted, unless it already does. */
  begin(at: number, day: number): void;
}

const word = { day: 0, left: 1, held: 2, others: 3, unlimited: 4, lacked: 5 } as const;
export const wordsOfPool = 6;

/** Stands for the day while a thread empties a pool for another one. */
const emptying = -1;
/** Emptying takes nanoseconds. If a thread is killed while it does, the others must not wait forever. */
const triesMax = 10_000;

/** Atomic operations on numbers, whatever they are stored as. */
export interface Cells {
  load(at: number): number;
  store(at: number, value: number): void;
  add(at: number, value: number): number;
  exchange(at: number, value: number): number;
  /** Whether it held `found`, and now holds `value`. */
  replace(at: number, found: number, value: number): boolean;
}

export const countCells = (words: Int32Array<SharedArrayBuffer>): Cells => ({
  load: (at) => Atomics.load(words, at),
  store: (at, value) => void Atomics.store(words, at, value),
  add: (at, value) => Atomics.add(words, at, value),
  exchange: (at, value) => Atomics.exchange(words, at, value),
  replace: (at, found, value) => Atomics.compareExchange(words, at, found, value) === found,
});

/** Of amounts in nano-USD. */
export const amountCells = (words: BigInt64Array<SharedArrayBuffer>): Cells => ({
  load: (at) => Number(Atomics.load(words, at)),
  store: (at, value) => void Atomics.store(words, at, BigInt(value)),
  add: (at, value) => Number(Atomics.add(words, at, BigInt(value))),
  exchange: (at, value) => Number(Atomics.exchange(words, at, BigInt(value))),
  replace(at, found, value) {
    const wanted = BigInt(found);
    return Atomics.compareExchange(words, at, wanted, BigInt(value)) === wanted;
  },
});

/** Which day each pool holds. */
function daysIn(cells: Cells) {
  /** Days are stored plus one: 0 = none. */
  const isOf = (at: number, day: number) => cells.load(at) === day + 1;
  const beginAnew = (at: number, day: number) => {
    for (let offset = 1; offset < wordsOfPool; offset += 1) cells.store(at + offset, 0);
    cells.store(at, day + 1);
  };
  /** `isNow`: a later day is given up, since the clock was set back. */
  const begin = (at: number, day: number, isNow: boolean): boolean => {
    for (let tries = 0; tries < triesMax; tries += 1) {
      const found = cells.load(at);
      if (found === day + 1) return true;
      if (found > day && !isNow) return false;
      if (found !== emptying && cells.replace(at, found, emptying)) beginAnew(at, day);
    }
    return false;
  };
  return { isOf, begin };
}

/** The part of whoever talks to the authority. */
function granting(cells: Cells, isOf: (at: number, day: number) => boolean) {
  return {
    left: (at, day) => (isOf(at, day) ? cells.load(at + word.left) : 0),
    takeBack(at, day, units) {
      while (isOf(at, day)) {
        const left = cells.load(at + word.left);
        const taken = Math.min(units, left);
        if (taken <= 0) return 0;
        if (cells.replace(at + word.left, left, left - taken)) return taken;
      }
      return 0;
    },
    tell(at, day, held, others) {
      if (!isOf(at, day)) return;
      cells.store(at + word.held, held);
      cells.store(at + word.others, others);
    },
    unlimited: (at, day) => (isOf(at, day) ? cells.load(at + word.unlimited) : 0),
    lacked: (at) => cells.exchange(at + word.lacked, 0),
  } satisfies Partial<Pool>;
}

/**
 * `isAlone`: whether no other process uses these limits, so that `reserve` goes by the line. What was used is what is held
 * and not left; alone, nothing is held.
 */
export function createPool(cells: Cells, isAlone: boolean): Pool {
  const { isOf, begin } = daysIn(cells);
  const usedOf = (at: number, left: number) =>
    cells.load(at + word.others) + cells.load(at + word.held) - left;
  const room = isAlone
    ? (at: number, left: number, line: number) => line - usedOf(at, left)
    : (_: number, left: number) => left;
  /** Alone, what was counted of a day before is told only once it has begun. */
  const beginNow = (at: number, day: number) => (isAlone ? begin(at, day, true) : isOf(at, day));
  return {
    ...granting(cells, isOf),
    reserve(at, day, units, line) {
      while (beginNow(at, day)) {
        const left = cells.load(at + word.left);
        if (room(at, left, line) < units) return false;
        if (cells.replace(at + word.left, left, left - units)) return true;
      }
      return false;
    },
    has: (at, day, units, line) =>
      isOf(at, day) ? room(at, cells.load(at + word.left), line) >= units : isAlone && units <= line,
    release(at, day, units) {
      if (isOf(at, day)) cells.add(at + word.left, units);
    },
    use(at, day, units, isNow) {
      if (begin(at, day, isNow)) cells.add(at + word.left, -units);
    },
    useUnlimited(at, day, units) {
      if (begin(at, day, false)) cells.add(at + word.unlimited, units);
    },
    met: (at, day) => (isOf(at, day) ? usedOf(at, cells.load(at + word.left)) : 0),
    lack: (at, units) => void cells.add(at + word.lacked, units),
    begin: (at, day) => void begin(at, day, true),
  };
}
