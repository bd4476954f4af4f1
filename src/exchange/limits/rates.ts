import { periodCounters, wordsOfRing } from '../../shared/period-counters.ts';
import { type SlotMemory, slotMemory } from './slots.ts';

/** Requests of the last second by slot. Times are ms that never go back (`createSteadyClock`). */
export interface Rates {
  /** Counts one, unless some window of one second would then hold more than `perSecond`. */
  take(slot: number, perSecond: number, timeMs: number): boolean;
  /** Whether `take` would count one now. */
  may(slot: number, perSecond: number, timeMs: number): boolean;
}

const secondMs = 1000;
const tickMs = 50;
const ticksPerSecond = 20;
const cells = 32;
/**
 * Threads do not read the clock at the same moment: ticks up to half a second ahead, which other threads may have
 * counted already, count too.
 */
const ticksAhead = cells - ticksPerSecond - 1;
/** A thread may be interrupted for so long after it has read the clock. */
const aheadMs = 60_000;
/** Rates up to this one have a word for each request a second: when it was last taken. */
const unitsMax = 16;
/** After the units: when a higher rate was last counted. */
const ticked = wordsOfRing(cells) + unitsMax;
const wordsOfSlot = ticked + 1;

export function ratesMemory(slots: number): SlotMemory {
  return slotMemory(slots, wordsOfSlot * Int32Array.BYTES_PER_ELEMENT);
}

/** Moments in words that wrap after 49 days; 0 = never. */
function moments(words: Int32Array<SharedArrayBuffer>) {
  const wordOf = (ms: number) => Math.ceil(ms) | 0 || 1;
  const isWithin = (word: number, ms: number, windowMs: number): boolean => {
    const sinceMs = (Math.floor(ms) - word) | 0;
    return word !== 0 && sinceMs < windowMs && sinceMs > -aheadMs;
  };
  const isRecent = (at: number, ms: number, windowMs: number) =>
    isWithin(Atomics.load(words, at), ms, windowMs);
  return {
    isRecent,
    note: (at: number, ms: number) => void Atomics.store(words, at, wordOf(ms)),
    /** A unit that may be taken, unless `perSecond` of them were taken in the last second. */
    freeUnit(from: number, perSecond: number, ms: number): number | undefined {
      let taken = 0;
      let free: number | undefined;
      for (let at = from; at < from + unitsMax; at += 1) {
        if (isRecent(at, ms, secondMs)) taken += 1;
        else free ??= at;
      }
      return taken < perSecond ? free : undefined;
    },
    /** Whether no other thread has taken it meanwhile. */
    takeUnit(at: number, ms: number): boolean {
      const word = Atomics.load(words, at);
      return !isWithin(word, ms, secondMs) && Atomics.compareExchange(words, at, word, wordOf(ms)) === word;
    },
  };
}

/**
 * Rates in shared memory, exact up to 16 a second. Above, any second touches at most 21 ticks of 50 ms; these together
 * never hold more than the limit, so no second does, wherever it begins. The price: a steady stream gets up to 5 % less
 * than the limit.
 */
export function createRates(words: Int32Array<SharedArrayBuffer>, originMs: number): Rates {
  const ring = periodCounters(words, cells);
  const { isRecent, note, freeUnit, takeUnit } = moments(words);
  const tickOf = (timeMs: number) => Math.max(0, Math.floor((timeMs - originMs) / tickMs));
  const atOf = (slot: number) => slot * wordsOfSlot;
  const around = (at: number, tick: number) => ring.sum(at, tick - ticksPerSecond, tick + ticksAhead);
  /** Whether ticks decide: of a higher rate, and for a second after it was lowered. */
  const isByTicks = (at: number, perSecond: number, ms: number) =>
    perSecond > unitsMax || isRecent(at + ticked, ms, secondMs + tickMs);
  const unitOf = (at: number, perSecond: number, ms: number) =>
    freeUnit(at + wordsOfRing(cells), perSecond, ms);
  const hasUnit = (at: number, perSecond: number, ms: number) =>
    perSecond > unitsMax || unitOf(at, perSecond, ms) !== undefined;
  const takesUnit = (at: number, perSecond: number, ms: number): boolean => {
    if (perSecond > unitsMax) return true;
    for (let unit = unitOf(at, perSecond, ms); unit !== undefined; unit = unitOf(at, perSecond, ms))
      if (takeUnit(unit, ms)) return true;
    return false;
  };
  return {
    take(slot, perSecond, timeMs) {
      const [at, tick, ms] = [atOf(slot), tickOf(timeMs), timeMs - originMs];
      if (!takesUnit(at, perSecond, ms) || ring.addNow(at, tick, 1) === undefined) return false;
      if (!isByTicks(at, perSecond, ms)) return true;
      if (around(at, tick) > perSecond) {
        ring.add(at, tick, -1);
        return false;
      }
      if (perSecond > unitsMax) note(at + ticked, ms);
      return true;
    },
    may(slot, perSecond, timeMs) {
      const [at, ms] = [atOf(slot), timeMs - originMs];
      if (!hasUnit(at, perSecond, ms)) return false;
      return !isByTicks(at, perSecond, ms) || around(at, tickOf(timeMs)) < perSecond;
    },
  };
}
