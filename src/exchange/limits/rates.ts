import { periodCounters, wordsOfRing } from '../../shared/period-counters.ts';
import { type SlotMemory, slotMemory } from './slots.ts';

/** Requests of the last second by slot. Times are ms that never go back (`createSteadyClock`). */
export interface Rates {
  /** Counts one, unless some window of one second would then hold more than `perSecond`. */
  take(slot: number, perSecond: number, timeMs: number): boolean;
  /** Whether `take` would count one now. */
  may(slot: number, perSecond: number, timeMs: number): boolean;
}

const tickMs = 50;
const ticksPerSecond = 20;
const cells = 32;
/**
 * Threads do not read the clock at the same moment: ticks up to half a second ahead, which other threads may have
 * counted already, count too.
 */
const ticksAhead = cells - ticksPerSecond - 1;

export function ratesMemory(slots: number): SlotMemory {
  return slotMemory(slots, wordsOfRing(cells) * Int32Array.BYTES_PER_ELEMENT);
}

/**
 * Rates in shared memory. Any second touches at most 21 ticks of 50 ms; these together never hold more than the limit,
 * so no second does, wherever it begins. The price: a steady stream gets up to 5 % less than the limit.
 */
export function createRates(words: Int32Array<SharedArrayBuffer>, originMs: number): Rates {
  const ring = periodCounters(words, cells);
  const tickOf = (timeMs: number) => Math.max(0, Math.floor((timeMs - originMs) / tickMs));
  const atOf = (slot: number) => slot * wordsOfRing(cells);
  const around = (at: number, tick: number) => ring.sum(at, tick - ticksPerSecond, tick + ticksAhead);
  return {
    take(slot, perSecond, timeMs) {
      const [at, tick] = [atOf(slot), tickOf(timeMs)];
      if (ring.addNow(at, tick, 1) === undefined) return false;
      if (around(at, tick) <= perSecond) return true;
      ring.add(at, tick, -1);
      return false;
    },
    may: (slot, perSecond, timeMs) => around(atOf(slot), tickOf(timeMs)) < perSecond,
  };
}
