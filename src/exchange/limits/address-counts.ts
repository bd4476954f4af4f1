import type { IpAddress } from '../opportunity.ts';
import { addressCells, wordsOfAddressCells } from './address-cells.ts';
import {
  createAddressTable,
  entriesOfAddressTable,
  entryHashes,
  type OwnEntries,
  wordsOfAddressTable,
} from './address-table.ts';
import { dayOf, minutesPerDay } from './day-line.ts';
import { minuteOf } from './promise-minutes.ts';
import { minutesAtAddress, minutesFor, type PromisedIn } from './promised.ts';
import { type SlotMemory, type Slots, slotMemory } from './slots.ts';

/**
 * Impressions of a UTC day by object and IP address, IPv6 by its /64: those that came, and those that may still come.
 */
export interface AddressCounts {
  /** Both together; Infinity where the object has no room for another address. */
  of(slot: number, ip: IpAddress, timeMs: number): number;
  /** Promises an impression, unless both together would then be more than `limit`. Answers whether it was promised. */
  take(slot: number, limit: number, ip: IpAddress, promise: Promise): boolean;
  end(slot: number, ip: IpAddress, promise: Promise): void;
  /** Counts impressions of auctions of the day of `timeMs`. */
  count(slot: number, ip: IpAddress, timeMs: number, impressions: number): void;
  /** Raises the impressions of the day of `timeMs` to so many. */
  raise(slot: number, ip: IpAddress, timeMs: number, impressions: number): void;
  /** Adds promises of an hour (hours since 1970) that were made before the process began, at `startMs`. */
  restore(slot: number, ip: IpAddress, hour: number, promised: number): void;
}
type Promise = Pick<PromisedIn, 'timeMs' | 'to'>;

export interface AddressMemory {
  readonly words: SharedArrayBuffer;
  readonly entries: number;
  readonly slots: SlotMemory;
  /** Secret, so that nobody can choose addresses by where their entries are. */
  readonly seed: number;
}

/** An impression that comes in the last moment takes seconds to be durable. */
const heldMinutes = minutesAtAddress + 1;
/** The promise of an offer ends earlier: it counts as one that was made earlier. */
const earlierMinutes = { ad: 0, offer: minutesAtAddress - minutesFor.offer } as const;
/** How long a promise may be counted at most, and auctions of yesterday may still ask. */
const spareMinutes = 3;
const hourMs = 3_600_000;
/** Of a slot: how many entries it has, and the day (plus one) of which some are missing. */
const slotWord = { own: 0, incomplete: 1, length: 2 } as const;

export function addressMemory(addresses: number, slots: number, seed: number): AddressMemory {
  const entries = entriesOfAddressTable(addresses);
  const words = wordsOfAddressTable(entries) + entries * (1 + wordsOfAddressCells);
  return {
    words: new SharedArrayBuffer(words * Int32Array.BYTES_PER_ELEMENT),
    entries,
    slots: slotMemory(slots, slotWord.length * Int32Array.BYTES_PER_ELEMENT),
    seed,
  };
}

/**
 * Counts in shared memory, of fixed size. The object's entries of addresses that were never shown anything are given up
 * once their promises have ended, all others when their day is over.
 */
export function createAddressCounts(
  { words: shared, entries, slots, seed }: AddressMemory,
  startMs: number,
  { view, reach }: Pick<Slots, 'view' | 'reach'>,
): AddressCounts {
  const words = new Int32Array(shared);
  const ofSlots = view(({ int32 }) => int32(slots));
  const own: OwnEntries = {
    of: (slot) => Atomics.load(ofSlots.current, slot * slotWord.length),
    add(slot, by) {
      // An entry that is given up may be of an object that this thread has not met.
      if (slot * slotWord.length >= ofSlots.current.length) reach();
      Atomics.add(ofSlots.current, slot * slotWord.length, by);
    },
  };
  const counted = wordsOfAddressTable(entries);
  const cells = addressCells(words.subarray(counted + entries), heldMinutes, startMs);
  const table = createAddressTable(words, entries, own, (entry) => {
    Atomics.store(words, counted + entry, 0);
    cells.clear(entry);
  });
  const nameOf = (slot: number, ip: IpAddress, timeMs: number) =>
    table.nameOf(entryHashes(seed, slot, dayOf(timeMs), ip));
  const whilePromised = (timeMs: number) => ({
    now: minuteOf(timeMs),
    until: minuteOf(timeMs) + heldMinutes + spareMinutes,
  });
  const sumOf = (found: readonly number[], timeMs: number): number => {
    let sum = 0;
    for (const entry of found) {
      // Promises first: a promise that is kept meanwhile is counted before it ends.
      sum += cells.open(entry, timeMs);
      sum += Atomics.load(words, counted + entry);
    }
    return sum;
  };
  const incompleteAt = (slot: number) => slot * slotWord.length + slotWord.incomplete;
  const isIncomplete = (slot: number, timeMs: number) =>
    Atomics.load(ofSlots.current, incompleteAt(slot)) === dayOf(timeMs) + 1;
  const noteIncomplete = (slot: number, timeMs: number) =>
    Atomics.store(ofSlots.current, incompleteAt(slot), dayOf(timeMs) + 1);
  const count: AddressCounts['count'] = (slot, ip, timeMs, impressions) => {
    const day = dayOf(timeMs);
    // Auctions of the day may ask for a moment after it.
    const until = (day + 1) * minutesPerDay + spareMinutes;
    const minutes = { now: minuteOf(timeMs), until };
    const entry = table.enter(slot, nameOf(slot, ip, timeMs), minutes, true);
    if (entry === undefined) noteIncomplete(slot, timeMs);
    else Atomics.add(words, counted + entry, impressions);
  };
  return {
    of(slot, ip, timeMs) {
      const found = table.all(nameOf(slot, ip, timeMs));
      if (found.length > 0) return sumOf(found, timeMs);
      return isIncomplete(slot, timeMs) || !table.hasRoom(slot) ? Number.POSITIVE_INFINITY : 0;
    },
    take(slot, limit, ip, { timeMs, to }) {
      const name = nameOf(slot, ip, timeMs);
      if (isIncomplete(slot, timeMs) && table.all(name).length === 0) return false;
      const entry = table.enter(slot, name, whilePromised(timeMs));
      if (entry === undefined || !cells.add(entry, timeMs, earlierMinutes[to])) return false;
      if (sumOf(table.all(name), timeMs) <= limit) return true;
      cells.take(entry, timeMs, earlierMinutes[to]);
      return false;
    },
    end(slot, ip, { timeMs, to }) {
      // Any one that holds such a promise.
      table.all(nameOf(slot, ip, timeMs)).some((entry) => cells.take(entry, timeMs, earlierMinutes[to]));
    },
    count,
    raise(slot, ip, timeMs, impressions) {
      let known = 0;
      for (const entry of table.all(nameOf(slot, ip, timeMs))) known += Atomics.load(words, counted + entry);
      if (impressions > known) count(slot, ip, timeMs, impressions - known);
    },
    restore(slot, ip, hour, promised) {
      const madeMs = Math.min((hour + 1) * hourMs - 1, startMs);
      const entry = table.enter(slot, nameOf(slot, ip, hour * hourMs), whilePromised(madeMs), true);
      if (entry === undefined) noteIncomplete(slot, madeMs);
      else cells.restore(entry, hour, promised);
    },
  };
}
