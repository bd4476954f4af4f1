import { mixHashes, seededHash } from '../../shared/hash.ts';
import { periodCounters, wordsOfRing } from '../../shared/period-counters.ts';
import { createTable, headWords, idleFor, type TableMemory, tableMemory } from '../../shared/table.ts';

/** How much of the traffic of an inventory is invalid (reference, "Targeting", `MaxIvt`). */
export interface InventoryQuality {
  /** Counts one event of an inventory: a supply object with a domain or bundle. */
  count(inventory: Inventory, isInvalid: boolean, timeMs: number): void;
  /** Of the last hour, as estimated from its own events and its publisher's. */
  invalidPercent(inventory: Inventory, timeMs: number): number;
}

export interface Inventory {
  readonly kind: string;
  readonly id: number;
  readonly publisherId: number;
  readonly place: string;
}

/** Of events that are as invalid as what is known beyond them. */
const priorEvents = 100;
interface Events {
  readonly total: number;
  readonly invalid: number;
}

const noEvents: Events = { total: 0, invalid: 0 };

/** From 0 to 1, coarsest level first: each is the prior of the next, and nothing is invalid before the first. @internal */
export const estimatedShare = (levels: readonly Events[]): number =>
  levels.reduce((prior, { total, invalid }) => (invalid + prior * priorEvents) / (total + priorEvents), 0);

/** All of its publisher, the publisher's site or app, and itself: no other publisher spoils it. */
const levelsOf = ({ kind, id, publisherId, place }: Inventory): readonly string[] => [
  `${publisherId}`,
  `${publisherId}\n${place}`,
  `${kind}\n${id}\n${place}`,
];

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

/** Memory for so many inventories, sites and publishers. Any beyond these count as without events. */
export function inventoryQualityMemory(inventories = 1 << 17, seed?: number): QualityMemory {
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
  const ringsOf = (entry: number) => (entry / headWords) * wordsPerEntry;
  const periodOf = (timeMs: number) => Math.floor(timeMs / periodMs);
  const eventsOf = (text: string, last: number): Events => {
    const entry = table.find(seededHash(seed, text), seededHash(markSeed, text));
    if (entry === -1) return noEvents;
    const [total, invalid] = [ringsOf(entry), ringsOf(entry) + wordsOfRing(cells)].map((at) =>
      ring.sum(at, last - periods + 1, last),
    );
    return { total: total ?? 0, invalid: invalid ?? 0 };
  };
  return {
    count(inventory, isInvalid, timeMs) {
      const period = periodOf(timeMs);
      for (const text of levelsOf(inventory)) {
        const entry = table.enter(seededHash(seed, text), seededHash(markSeed, text), period);
        if (entry === -1) continue;
        const at = ringsOf(entry);
        ring.addNow(at, period, 1);
        if (isInvalid) ring.addNow(at + wordsOfRing(cells), period, 1);
      }
    },
    invalidPercent: (inventory, timeMs) =>
      100 * estimatedShare(levelsOf(inventory).map((text) => eventsOf(text, periodOf(timeMs)))),
  };
}
