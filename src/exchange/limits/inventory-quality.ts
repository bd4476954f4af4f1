import { periodCounters, wordsOfRing } from './period-counters.ts';

/** How much of the traffic of an inventory is invalid (decisions, "Targeting", `MaxIvt`). */
export interface InventoryQuality {
  /** Counts one event of an inventory: a supply object with a domain or bundle. */
  count(inventory: Inventory, isInvalid: boolean, timeMs: number): void;
  /** Percent of invalid events of the last hour; undefined below 100 events. */
  invalidPercent(inventory: Inventory, timeMs: number): number | undefined;
}

/** A supply object and where its ads are shown. */
export interface Inventory {
  readonly kind: string;
  readonly id: number;
  /** Domain or bundle. */
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
export function inventoryQualityMemory(inventories = 1 << 16): QualityMemory {
  return {
    keys: new SharedArrayBuffer(inventories * BigInt64Array.BYTES_PER_ELEMENT),
    rings: new SharedArrayBuffer(inventories * wordsPerEntry * Int32Array.BYTES_PER_ELEMENT),
  };
}

/** What all threads share. */
export interface QualityMemory {
  readonly keys: SharedArrayBuffer;
  readonly rings: SharedArrayBuffer;
}

/**
 * An entry is one word: the hash of its inventory in the upper bits, and the period of its last event in the lower
 * ones. 0 = no entry.
 */
const periodBits = 24n;
const periodMask = (1n << periodBits) - 1n;

/** A hash of 38 bits. */
function hashOf({ kind, id, place }: Inventory): bigint {
  let low = 0x811c9dc5 ^ id;
  let high = 0x1b873593 ^ id;
  for (const text of [kind, place]) {
    for (let index = 0; index < text.length; index += 1) {
      low = Math.imul(low ^ text.charCodeAt(index), 0x01000193);
      high = Math.imul(high ^ text.charCodeAt(index), 0x85ebca6b) ^ (high >>> 13);
    }
  }
  return (BigInt((high ^ (high >>> 16)) & 0x3f) << 32n) | BigInt(low >>> 0);
}

/**
 * Quality counted in shared memory, by periods of five minutes, in a table of fixed size. An entry without an event in
 * the last hour may be given to another inventory: the counts that are left in its rings are too old to be summed.
 */
export function createInventoryQuality(memory: QualityMemory): InventoryQuality {
  const words = new BigInt64Array(memory.keys);
  const ring = periodCounters(new Int32Array(memory.rings), cells);
  /**
   * Finds the inventory's entry, with its word. Where there is none, `free` is the first entry that may be taken for
   * it.
   */
  const look = (hash: bigint, staleBefore: bigint) => {
    const first = Number(hash % BigInt(words.length));
    let free: { entry: number; word: bigint } | undefined;
    for (let probe = 0; probe < Math.min(probesMax, words.length); probe += 1) {
      const entry = (first + probe) % words.length;
      const word = Atomics.load(words, entry);
      if (word !== 0n && word >> periodBits === hash) return { entry, word };
      if (free === undefined && (word & periodMask) < staleBefore) free = { entry, word };
      if (word === 0n) break;
    }
    return { entry: undefined, free };
  };
  /**
   * Finds or takes the inventory's entry, and records `period` as that of its last event; undefined where there is no
   * room.
   */
  const enter = (inventory: Inventory, period: number): number | undefined => {
    const hash = hashOf(inventory);
    const wanted = (hash << periodBits) | BigInt(period);
    for (let tries = 0; tries < triesMax; tries += 1) {
      const found = look(hash, BigInt(Math.max(1, period - periods + 1)));
      const place = found.entry === undefined ? found.free : found;
      if (place === undefined) return undefined;
      const isNoted = found.entry !== undefined && place.word >= wanted;
      if (isNoted || Atomics.compareExchange(words, place.entry, place.word, wanted) === place.word)
        return place.entry;
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
      const { entry } = look(hashOf(inventory), 0n);
      if (entry === undefined) return undefined;
      const at = entry * wordsPerEntry;
      const events = ring.sum(at, last - periods + 1, last);
      if (events < eventsMin) return undefined;
      return (100 * ring.sum(at + wordsOfRing(cells), last - periods + 1, last)) / events;
    },
  };
}
