import { periodCounters, wordsOfRing } from './period-counters.ts';

/** How much of the traffic of an inventory is invalid (delivery, "Targeting", `MaxIvt`). */
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

/** Memory for the quality of so many inventories; those beyond it are not known, and not refused. */
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

/** A 62-bit hash, never 0. */
function keyOf({ kind, id, place }: Inventory): bigint {
  let low = 0x811c9dc5 ^ id;
  let high = 0x1b873593 ^ id;
  for (const text of [kind, place]) {
    for (let index = 0; index < text.length; index += 1) {
      low = Math.imul(low ^ text.charCodeAt(index), 0x01000193);
      high = Math.imul(high ^ text.charCodeAt(index), 0x85ebca6b) ^ (high >>> 13);
    }
  }
  return (BigInt((high & 0x3fff_ffff) | 1) << 32n) | BigInt(low >>> 0);
}

/** Quality counted in shared memory, by periods of five minutes; a table of fixed size whose entries stay. */
export function createInventoryQuality(memory: QualityMemory): InventoryQuality {
  const keys = new BigInt64Array(memory.keys);
  const ring = periodCounters(new Int32Array(memory.rings), cells);
  const find = (inventory: Inventory, isTaken: boolean): number | undefined => {
    const key = keyOf(inventory);
    const first = Number(key % BigInt(keys.length));
    for (let probe = 0; probe < Math.min(probesMax, keys.length); probe += 1) {
      const entry = (first + probe) % keys.length;
      const found = isTaken ? Atomics.compareExchange(keys, entry, 0n, key) : Atomics.load(keys, entry);
      if (found === key || (isTaken && found === 0n)) return entry;
      if (found === 0n) return undefined;
    }
    return undefined;
  };
  const periodOf = (timeMs: number) => Math.floor(timeMs / periodMs);
  return {
    count(inventory, isInvalid, timeMs) {
      const entry = find(inventory, true);
      if (entry === undefined) return;
      const at = entry * wordsPerEntry;
      ring.add(at, periodOf(timeMs), 1);
      if (isInvalid) ring.add(at + wordsOfRing(cells), periodOf(timeMs), 1);
    },
    invalidPercent(inventory, timeMs) {
      const entry = find(inventory, false);
      if (entry === undefined) return undefined;
      const at = entry * wordsPerEntry;
      const last = periodOf(timeMs);
      const events = ring.sum(at, last - periods + 1, last);
      if (events < eventsMin) return undefined;
      return (100 * ring.sum(at + wordsOfRing(cells), last - periods + 1, last)) / events;
    },
  };
}
