import { mixHashes, seededHash } from '../../shared/hash.ts';
import { periodCounters, wordsOfRing } from '../../shared/period-counters.ts';
import { createTable, headWords, idleFor, type TableMemory, tableMemory } from '../../shared/table.ts';

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
const ways = 16;

export interface QualityMemory {
  readonly inventories: TableMemory;
  readonly rings: SharedArrayBuffer;
}

/**
 * Memory for the quality of so many inventories. The quality of any beyond these is not known, so they are not refused.
 */
export function inventoryQualityMemory(inventories = 1 << 16, seed?: number): QualityMemory {
  return {
    inventories: tableMemory(inventories, Math.min(ways, inventories), 0, seed),
    rings: new SharedArrayBuffer(inventories * wordsPerEntry * Int32Array.BYTES_PER_ELEMENT),
  };
}

/**
 * Quality counted in shared memory, by periods of five minutes. An entry without an event in the last hour may be given
 * to another inventory: the counts that are left in its rings are too old to be summed.
 */
export function createInventoryQuality({ inventories, rings: words }: QualityMemory): InventoryQuality {
  const table = createTable(inventories, { worth: idleFor(periods - 1) });
  const ring = periodCounters(new Int32Array(words), cells);
  const [seed, markSeed] = [inventories.seed, mixHashes(inventories.seed, 1)];
  const textOf = ({ kind, id, place }: Inventory) => `${kind}\n${id}\n${place}`;
  const ringsOf = (entry: number) => (entry / headWords) * wordsPerEntry;
  const periodOf = (timeMs: number) => Math.floor(timeMs / periodMs);
  return {
    count(inventory, isInvalid, timeMs) {
      const [text, period] = [textOf(inventory), periodOf(timeMs)];
      const entry = table.enter(seededHash(seed, text), seededHash(markSeed, text), period);
      if (entry === -1) return;
      const at = ringsOf(entry);
      ring.addNow(at, period, 1);
      if (isInvalid) ring.addNow(at + wordsOfRing(cells), period, 1);
    },
    invalidPercent(inventory, timeMs) {
      const [text, last] = [textOf(inventory), periodOf(timeMs)];
      const entry = table.find(seededHash(seed, text), seededHash(markSeed, text));
      if (entry === -1) return undefined;
      const at = ringsOf(entry);
      const events = ring.sum(at, last - periods + 1, last);
      if (events < eventsMin) return undefined;
      return (100 * ring.sum(at + wordsOfRing(cells), last - periods + 1, last)) / events;
    },
  };
}
