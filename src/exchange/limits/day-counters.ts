import { periodCounters, wordsOfRing } from '../../shared/period-counters.ts';
import { dayLine, dayOf } from './day-line.ts';
import { takeOne } from './take-one.ts';

const counted = ['requests', 'bids', 'impressions'] as const;
export type CountedByDay = (typeof counted)[number];

/** Cells of a ring: today's counts, and yesterday's for events that come late. */
const cells = 2;
const wordsPerSlot = counted.length * wordsOfRing(cells);

/** Counts by slot and UTC day. */
export interface DayCounters {
  /** Counts one of a day, today or before; one of long ago counts nothing. */
  add(slot: number, what: CountedByDay, day: number, today: number): void;
  /** Raises today's count to `to` where it is lower. */
  raise(slot: number, what: CountedByDay, today: number, to: number): void;
  of(slot: number, what: CountedByDay, day: number): number;
  /** Counts one, unless the count would then be above what `dayLine` allows of `limit` by now; 0 = unlimited. */
  take(slot: number, what: CountedByDay, limit: number, timeMs: number): boolean;
  /** Whether `take` would count one now. */
  may(slot: number, what: CountedByDay, limit: number, timeMs: number): boolean;
  giveBack(slot: number, what: CountedByDay, timeMs: number): void;
}

export function dayCountersMemory(slots: number): SharedArrayBuffer {
  return new SharedArrayBuffer(slots * wordsPerSlot * Int32Array.BYTES_PER_ELEMENT);
}

export function createDayCounters(memory: SharedArrayBuffer): DayCounters {
  const ring = periodCounters(new Int32Array(memory), cells);
  const atOf = (slot: number, what: CountedByDay) =>
    slot * wordsPerSlot + counted.indexOf(what) * wordsOfRing(cells);
  return {
    add(slot, what, day, today) {
      if (day === today) ring.addNow(atOf(slot, what), day, 1);
      else ring.add(atOf(slot, what), day, 1);
    },
    raise(slot, what, today, to) {
      const at = atOf(slot, what);
      ring.addNow(at, today, Math.max(0, to - ring.sum(at, today, today)));
    },
    of: (slot, what, day) => ring.sum(atOf(slot, what), day, day),
    take(slot, what, limit, timeMs) {
      const at = atOf(slot, what);
      const day = dayOf(timeMs);
      // Without a limit nothing is refused, even where the ring could not count it.
      if (limit === 0) ring.addNow(at, day, 1);
      return limit === 0 || takeOne(ring, at, day, (count) => count <= dayLine(limit, timeMs));
    },
    may: (slot, what, limit, timeMs) =>
      limit === 0 || ring.sum(atOf(slot, what), dayOf(timeMs), dayOf(timeMs)) + 1 <= dayLine(limit, timeMs),
    giveBack: (slot, what, timeMs) => void ring.add(atOf(slot, what), dayOf(timeMs), -1),
  };
}
