import { periodCounters, wordsOfRing } from './period-counters.ts';
import { takeOne } from './take-one.ts';

/** Impressions that auctions have been promised and that have not come yet, by slot. */
export interface Promises {
  open(slot: number, timeMs: number): number;
  /** Makes one, where `isWithin` agrees with the number that is then open. */
  take(slot: number, timeMs: number, isWithin: (open: number) => boolean): boolean;
  /** Ends one that was made at that time. */
  end(slot: number, promisedMs: number): void;
}

const minuteMs = 60_000;
/** Ads are shown within the hour, or not at all. */
const minutes = 60;
const cells = 64;

/** Shared memory for the promises of so many slots. */
export function promisesMemory(slots: number): SharedArrayBuffer {
  return new SharedArrayBuffer(slots * wordsOfRing(cells) * Int32Array.BYTES_PER_ELEMENT);
}

/** Promises in shared memory, by the minute in which they were made; after an hour they are forgotten. */
export function createPromises(memory: SharedArrayBuffer, originMs: number): Promises {
  const ring = periodCounters(new Int32Array(memory), cells);
  const minuteOf = (timeMs: number) => Math.max(0, Math.floor((timeMs - originMs) / minuteMs));
  const atOf = (slot: number) => slot * wordsOfRing(cells);
  const open = (slot: number, timeMs: number) =>
    ring.sum(atOf(slot), minuteOf(timeMs) - minutes, minuteOf(timeMs));
  return {
    open,
    take: (slot, timeMs, isWithin) =>
      takeOne(ring, atOf(slot), minuteOf(timeMs), () => isWithin(open(slot, timeMs))),
    end(slot, promisedMs) {
      const minute = minuteOf(promisedMs);
      // The limit may have been set after the promise, which then was not noted.
      if (ring.sum(atOf(slot), minute, minute) > 0) ring.add(atOf(slot), minute, -1);
    },
  };
}
