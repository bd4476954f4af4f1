import { minutesPerDay } from './day-line.ts';
import { periodCounters, wordsOfRing } from './period-counters.ts';
import { takeOne } from './take-one.ts';

/** Impressions that auctions have been promised and that have not come yet, by slot. */
export interface Promises {
  /** How many promised impressions of the UTC day of `timeMs` may still come. */
  open(slot: number, timeMs: number): number;
  /** Makes a promise, and keeps it only if `isWithin` is true once it is counted. Returns whether it was made. */
  take(slot: number, timeMs: number, isWithin: () => boolean): boolean;
  /** Ends a promise that was made at `promisedMs`. */
  end(slot: number, promisedMs: number): void;
  /** Adds promises of an hour (hours since 1970) that were made before the process began. */
  restore(slot: number, hour: number, promised: number): void;
}

const minuteMs = 60_000;
const minutesPerHour = 60;
/**
 * A promise is counted in the minute in which its auction began. An auction that began later may have made its promise
 * earlier, so these minutes count as well.
 */
const minutesAhead = 3;
const cellsOf = (minutes: number) => minutes + minutesAhead + 1;

/** Shared memory for the promises of so many slots, each kept for so many minutes. */
export function promisesMemory(slots: number, minutes: number): SharedArrayBuffer {
  return new SharedArrayBuffer(slots * wordsOfRing(cellsOf(minutes)) * Int32Array.BYTES_PER_ELEMENT);
}

/**
 * Promises in shared memory, by the minute since 1970 in which they were made; after so many minutes they are
 * forgotten. An impression counts for the UTC day of its promise, so promises of another day are not open on this one.
 * Of promises from before the process began, at `startMs`, only the hour is known: they count as made in the last
 * minute of that hour, or in the minute of `startMs` if that is earlier.
 */
export function createPromises(memory: SharedArrayBuffer, minutes: number, startMs: number): Promises {
  const cells = cellsOf(minutes);
  const ring = periodCounters(new Int32Array(memory), cells);
  const minuteOf = (timeMs: number) => Math.floor(timeMs / minuteMs);
  const atOf = (slot: number) => slot * wordsOfRing(cells);
  const restoredAt = (hour: number) => Math.min((hour + 1) * minutesPerHour - 1, minuteOf(startMs));
  const open = (slot: number, timeMs: number) => {
    const minute = minuteOf(timeMs);
    const firstOfDay = minute - (minute % minutesPerDay);
    const lastOfDay = firstOfDay + minutesPerDay - 1;
    const from = Math.max(minute - minutes, firstOfDay);
    return ring.sum(atOf(slot), from, Math.min(minute + minutesAhead, lastOfDay));
  };
  return {
    open,
    take: (slot, timeMs, isWithin) => takeOne(ring, atOf(slot), minuteOf(timeMs), isWithin),
    end(slot, promisedMs) {
      const made = minuteOf(promisedMs);
      const minute = promisedMs < startMs ? restoredAt(Math.floor(made / minutesPerHour)) : made;
      // Without a limit, promises are not counted. If the limit was set later, there is nothing to take back.
      if (ring.sum(atOf(slot), minute, minute) > 0) ring.add(atOf(slot), minute, -1);
    },
    restore: (slot, hour, promised) => void ring.add(atOf(slot), restoredAt(hour), promised),
  };
}
