import { periodCounters, wordsOfRing } from '../../shared/period-counters.ts';
import { minutesPerDay } from './day-line.ts';
import { minuteOf, minutesAhead, minutesSeen, promiseMinutes } from './promise-minutes.ts';
import { takeOne } from './take-one.ts';

/** Impressions that auctions have been promised and that have not come yet, by slot. */
export interface Promises {
  /** How many promised impressions of the UTC day of `timeMs` may still come. */
  open(slot: number, timeMs: number): number;
  /** Makes a promise, and keeps it only if `isWithin` is true once it is counted. Returns whether it was made. */
  take(slot: number, timeMs: number, isWithin: () => boolean): boolean;
  /** Ends a promise that was made at `promisedMs`; where others' are followed, perhaps one that comes later. */
  end(slot: number, promisedMs: number): void;
  /** Adds promises of an hour (hours since 1970) that were made before the process began. */
  restore(slot: number, hour: number, promised: number): void;
  /** Adds so many that other processes have made since they were last asked, or ends so many of that hour. */
  follow(slot: number, hour: number, by: number, timeMs: number): void;
}

const cellsOf = (minutes: number) => minutes + minutesAhead + 1;

export function promisesMemory(slots: number, minutes: number): SharedArrayBuffer {
  return new SharedArrayBuffer(slots * wordsOfRing(cellsOf(minutes)) * Int32Array.BYTES_PER_ELEMENT);
}

/**
 * Promises in shared memory, by the minute since 1970 in which they were made; after so many minutes they are
 * forgotten. An impression counts for the UTC day of its promise, so promises of another day are not open on this one.
 * The process began at `startMs`. `areFollowed`: whether promises of other processes are counted here, too.
 */
export function createPromises(
  memory: SharedArrayBuffer,
  minutes: number,
  startMs: number,
  areFollowed: () => boolean,
): Promises {
  const cells = cellsOf(minutes);
  const ring = periodCounters(new Int32Array(memory), cells);
  const made = promiseMinutes(startMs);
  const atOf = (slot: number) => slot * wordsOfRing(cells);
  return {
    open(slot, timeMs) {
      const minute = minuteOf(timeMs);
      const firstOfDay = minute - (minute % minutesPerDay);
      const lastOfDay = firstOfDay + minutesPerDay - 1;
      const from = Math.max(minute - minutes, firstOfDay);
      return ring.sum(atOf(slot), from, Math.min(minute + minutesAhead, lastOfDay));
    },
    take: (slot, timeMs, isWithin) => takeOne(ring, atOf(slot), minuteOf(timeMs), isWithin),
    end(slot, promisedMs) {
      const minute = made.of(promisedMs);
      // A promise from before a second that was lost is not counted here; one of another process may be soon.
      if (areFollowed() || ring.sum(atOf(slot), minute, minute) > 0) ring.add(atOf(slot), minute, -1);
    },
    restore: (slot, hour, promised) => void ring.add(atOf(slot), made.restored(hour), promised),
    follow(slot, hour, by, timeMs) {
      const at = atOf(slot);
      const seen = minutesSeen(hour, timeMs, minutes);
      if (by > 0) ring.add(at, seen.last, by);
      // Which of the hour have ended is not known. Those that are left must count for long enough.
      let left = -by;
      for (let minute = seen.first; minute <= seen.until && left > 0; minute += 1) {
        const ended = Math.min(left, Math.max(0, ring.sum(at, minute, minute)));
        if (ended > 0) ring.add(at, minute, -ended);
        left -= ended;
      }
    },
  };
}
