import { alone } from './alone.ts';
import { randomSeed } from './hash.ts';

/** Shared by all threads; the seed is for hashes of what strangers choose. */
export interface TableMemory {
  readonly seed: number;
  readonly buckets: number;
  readonly wordsPerBucket: number;
  readonly wordsPerEntry: number;
  /** Of each entry its mark (0 = free), when it was last used, and what the caller keeps; then the buckets' locks. */
  readonly words: SharedArrayBuffer;
}

/** A key is two hashes: its bucket, and a mark. An entry is the index of its first word; -1 = none. */
export interface Table {
  find(place: number, mark: number): number;
  /** Makes one where there is none; -1 where none of its bucket gives way. `now`: 31 bits, in units of the caller. */
  enter(place: number, mark: number, now: number): number;
}

export interface TablePolicy {
  /** The entry worth least gives way to a new one; one worth Infinity never does. */
  worth(used: number, now: number, entry: number): number;
  /** Empties what is kept of an entry elsewhere. */
  clear?(entry: number): void;
}

/** So many bits that the processor divides whole numbers. */
const placeMask = 0x3fffffff;

const usedAt = 1;

export const idleFor = (time: number) => (used: number, now: number) =>
  used < now - time ? used : Number.POSITIVE_INFINITY;

/** Words at the beginning of an entry, before the caller's. */
export const headWords = 2;

/** `entries`: a multiple of `ways`, which are the entries of a bucket. */
export function tableMemory(
  entries: number,
  ways: number,
  ownWords: number,
  seed = randomSeed(),
): TableMemory {
  const [buckets, wordsPerEntry] = [entries / ways, headWords + ownWords];
  const words = new SharedArrayBuffer((entries * wordsPerEntry + buckets) * Int32Array.BYTES_PER_ELEMENT);
  return { seed, buckets, wordsPerBucket: ways * wordsPerEntry, wordsPerEntry, words };
}

/** Only making an entry takes its bucket's lock, so that no key has two. */
export function createTable(memory: TableMemory, policy: TablePolicy): Table {
  const { buckets, wordsPerBucket, wordsPerEntry } = memory;
  const words = new Int32Array(memory.words);
  const bucketOf = (place: number) => (place & placeMask) % buckets;
  const worthOf = (entry: number, now: number) =>
    policy.worth(Atomics.load(words, entry + usedAt), now, entry);
  const findFrom = (first: number, mark: number): number => {
    // Plain reads are faster; `use` and the lock look again.
    for (let entry = first; entry < first + wordsPerBucket; entry += wordsPerEntry)
      if (words[entry] === mark) return entry;
    return -1;
  };
  /** The entry found, kept from giving way; -1 where it has meanwhile. */
  const use = (first: number, mark: number, now: number): number => {
    const entry = findFrom(first, mark);
    if (entry === -1 || words[entry + usedAt] === now) return entry;
    Atomics.store(words, entry + usedAt, now);
    return Atomics.load(words, entry) === mark ? entry : -1;
  };
  const leastFrom = (first: number, now: number): number => {
    const free = findFrom(first, 0);
    if (free !== -1) return free;
    let [least, worth] = [-1, Number.POSITIVE_INFINITY];
    for (let entry = first; entry < first + wordsPerBucket; entry += wordsPerEntry) {
      const own = worthOf(entry, now);
      if (own < worth) [least, worth] = [entry, own];
    }
    return least;
  };
  const make = (first: number, mark: number, now: number): number => {
    const entry = leastFrom(first, now);
    if (entry === -1) return -1;
    const before = Atomics.exchange(words, entry, 0);
    // Whoever has used it until now goes on; whoever comes later waits for the lock.
    if (before !== 0 && worthOf(entry, now) === Number.POSITIVE_INFINITY) {
      Atomics.store(words, entry, before);
      return make(first, mark, now);
    }
    policy.clear?.(entry);
    Atomics.store(words, entry + usedAt, now);
    Atomics.store(words, entry, mark);
    return entry;
  };
  return {
    find: (place, mark) => findFrom(bucketOf(place) * wordsPerBucket, mark || 1),
    enter(place, key, now) {
      const bucket = bucketOf(place);
      const first = bucket * wordsPerBucket;
      const mark = key || 1;
      const found = use(first, mark, now);
      if (found !== -1) return found;
      return alone(words, buckets * wordsPerBucket + bucket, () => {
        const known = use(first, mark, now);
        return known === -1 ? make(first, mark, now) : known;
      });
    },
  };
}
