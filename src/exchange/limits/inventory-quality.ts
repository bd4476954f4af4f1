import { mixHashes, randomSeed, seededHash } from '../../shared/hash.ts';
import { periodCounters, wordsOfRing } from './period-counters.ts';

/** How much of the traffic of an inventory is invalid (reference, "Targeting", `MaxIvt`). */
export interface InventoryQuality {
  /** Counts one event of an inventory: a supply object with a domain or bundle. */
  count(inventory: Inventory, isInvalid: boolean, timeMs: number): void;
  /** Percent of invalid events of the last hour; undefined below 100 events. */
  invalidPercent(inventory: Inventory, timeMs: number): number | undefined;
}

export interface Inventory {
  readonly kind: string;
  readonly id: number;
  readonly place: string;
}

const eventsMin = 100;
const periodMs = 5 * 60_000;
const periods = 12;
const cells = 16;
const rings = 2;
const wordsPerEntry = rings * wordsOfRing(cells);
const probesMax = 16;
/** How often to try again when another thread changes the same entry at that moment. */
const triesMax = 100;

/**
 * Memory for the quality of so many inventories. The quality of any beyond these is not known, so they are not refused.
 */
export function inventoryQualityMemory(inventories = 1 << 16, seed = randomSeed()): QualityMemory {
  return {
    seed,
    keys: new SharedArrayBuffer(inventories * BigInt64Array.BYTES_PER_ELEMENT),
    marks: new SharedArrayBuffer(inventories * Int32Array.BYTES_PER_ELEMENT),
    rings: new SharedArrayBuffer(inventories * wordsPerEntry * Int32Array.BYTES_PER_ELEMENT),
  };
}

export interface QualityMemory {
  /** Where hashing begins: a secret. */
  readonly seed: number;
  readonly keys: SharedArrayBuffer;
  readonly marks: SharedArrayBuffer;
  readonly rings: SharedArrayBuffer;
}

/**
 * An entry is one word and a mark. The word has one hash of its inventory in the upper bits, and the period of its last
 * event in the lower ones; 0 = no entry. The mark is another hash, so that 64 bits tell inventories apart.
 */
const periodBits = 24n;
const periodMask = (1n << periodBits) - 1n;

interface Key {
  readonly hash: bigint;
  readonly mark: number;
}

/** Nobody outside can find inventories that share a key or a place, because `seed` is secret. */
function keyOf({ kind, id, place }: Inventory, seed: number): Key {
  const text = `${kind}\n${id}\n${place}`;
  return { hash: BigInt(seededHash(seed, text) >>> 0), mark: seededHash(mixHashes(seed, 1), text) };
}

/**
 * Quality counted in shared memory, by periods of five minutes, in a table of fixed size. An entry without an event in
 * the last hour may be given to another inventory: the counts that are left in its rings are too old to be summed.
 */
export function createInventoryQuality(memory: QualityMemory): InventoryQuality {
  const { seed } = memory;
  const words = new BigInt64Array(memory.keys);
  const marks = new Int32Array(memory.marks);
  const ring = periodCounters(new Int32Array(memory.rings), cells);
  /**
   * Finds the inventory's entry, with its word. Where there is none, `free` is the first entry that may be taken for
   * it.
   */
  const look = ({ hash, mark }: Key, staleBefore: bigint) => {
    const first = Number(hash % BigInt(words.length));
    let free: { entry: number; word: bigint } | undefined;
    for (let probe = 0; probe < Math.min(probesMax, words.length); probe += 1) {
      const entry = (first + probe) % words.length;
      const word = Atomics.load(words, entry);
      const isThis = word !== 0n && word >> periodBits === hash && Atomics.load(marks, entry) === mark;
      if (isThis) return { entry, word };
      if (free === undefined && (word & periodMask) < staleBefore) free = { entry, word };
      if (word === 0n) break;
    }
    return { entry: undefined, free };
  };
  /**
   * Notes `wanted` as the word of what was found; false where another thread was faster. Until a new entry has its mark,
   * another thread may make a second one of the inventory, which is over in an hour.
   */
  const note = (place: { entry: number; word: bigint }, isNew: boolean, wanted: bigint, mark: number) => {
    if (!isNew && place.word >= wanted) return true;
    if (Atomics.compareExchange(words, place.entry, place.word, wanted) !== place.word) return false;
    if (isNew) Atomics.store(marks, place.entry, mark);
    return true;
  };
  /**
   * Finds or takes the inventory's entry, and records `period` as that of its last event; undefined where there is no
   * room.
   */
  const enter = (inventory: Inventory, period: number): number | undefined => {
    const key = keyOf(inventory, seed);
    const wanted = (key.hash << periodBits) | BigInt(period);
    for (let tries = 0; tries < triesMax; tries += 1) {
      const found = look(key, BigInt(Math.max(1, period - periods + 1)));
      const isNew = found.entry === undefined;
      const place = isNew ? found.free : found;
      if (place === undefined) return undefined;
      if (note(place, isNew, wanted, key.mark)) return place.entry;
    }
    return undefined;
  };
  const periodOf = (timeMs: number) => Math.floor(timeMs / periodMs);
  return {
    count(inventory, isInvalid, timeMs) {
      const period = periodOf(timeMs);
      const entry = enter(inventory, period);
      if (entry === undefined) return;
      const at = entry * wordsPerEntry;
      ring.addNow(at, period, 1);
      if (isInvalid) ring.addNow(at + wordsOfRing(cells), period, 1);
    },
    invalidPercent(inventory, timeMs) {
      const last = periodOf(timeMs);
      const { entry } = look(keyOf(inventory, seed), 0n);
      if (entry === undefined) return undefined;
      const at = entry * wordsPerEntry;
      const events = ring.sum(at, last - periods + 1, last);
      if (events < eventsMin) return undefined;
      return (100 * ring.sum(at + wordsOfRing(cells), last - periods + 1, last)) / events;
    },
  };
}
