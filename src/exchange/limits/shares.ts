import type { Nanos } from '../money.ts';
import { amountPool, countPool, type Pool, wordsOfPool } from './pool.ts';
import { type Limited, minutesFor, type PromisedTo } from './promised.ts';
import {
  createPromisedMinutes,
  type PromisedMinutes,
  type PromisedMinutesMemory,
  promisedMinutesMemory,
} from './promised-minutes.ts';

/** Of what shares are held: `requests` to `amount` of a day, `total` of all days. */
export const sharedMeasures = ['requests', 'bids', 'impressions', 'amount', 'total'] as const;
/** One of these. `amount` and `total` are in nano-USD, the others in units. */
export type SharedMeasure = (typeof sharedMeasures)[number];

export interface SharesMemory {
  /** Int32: number of the holder, until when its shares count (see `validUntil`), and whether anything was lacked. */
  readonly control: SharedArrayBuffer;
  readonly counts: SharedArrayBuffer;
  readonly amounts: SharedArrayBuffer;
  readonly rates: SharedArrayBuffer;
  /** A bit for each slot whose shares were asked for something, or changed, since that was last looked at. */
  readonly touched: SharedArrayBuffer;
  readonly promised: Readonly<Record<PromisedTo, PromisedMinutesMemory>>;
}

/** What was billed without a promise of a share, and so is used all the same. */
export interface Unpromised {
  readonly impressions: number;
  readonly nanos: Nanos;
}

export interface Shares {
  /** The slot of an object; undefined where there is no room for another one. */
  slotOf(object: { readonly kind: string; readonly id: number }): number | undefined;
  /** Whose slot it is. */
  objectOf(slot: number): Pick<Limited, 'kind' | 'id'>;
  /** To be called with whatever an auction takes, lacks or gives back. */
  touch(slot: number): void;
  /** Slots touched since this was last asked; of one thread. */
  takeTouched(): number[];
  /** Number under which this process holds anything; 0 = none yet. */
  holder(): number;
  /** Whether what it holds may be used now. */
  isValid(): boolean;
  /** The pool of a measure, and where the slot's is of a day. */
  pool(measure: SharedMeasure): Pool;
  at(slot: number, measure: SharedMeasure, day: number): number;
  /** Requests a second that it may let through, and so many that it would have, since that was last asked. */
  rate(slot: number): number;
  noteRate(slot: number): void;
  takeRateNoted(slot: number): number;
  setRate(slot: number, perSecond: number): void;
  readonly promised: Readonly<Record<PromisedTo, PromisedMinutes>>;
  /** Notes what was billed without a promise, on the UTC day of its auction. */
  noteUnpromised(slot: number, day: number, nanos: Nanos): void;
  takeUnpromised(slot: number, day: number): Unpromised;
  /** Notes that something was lacked, so that more is asked for soon. */
  lack(): void;
  /** Whether anything was lacked since this was last asked. */
  wasLacked(): boolean;
  /** Begins to hold under a number, until a time of the steady clock. */
  hold(holder: number, untilMs: number): void;
}

/** How long it may take until it is known what became of promises: a silent server is waited for an hour. */
const minutesUnknown = 64;
const cellsOf: Readonly<Record<PromisedTo, number>> = {
  ad: minutesFor.ad + minutesUnknown,
  offer: minutesFor.offer + minutesUnknown,
};

const parities = 2;
const counted = ['requests', 'bids', 'impressions'] as const;
/** Behind the pools: impressions that nobody promised, by parity of their day. */
const countWords = counted.length * parities * wordsOfPool + parities;
const amountPools = parities + 1;
const amountWords = amountPools * wordsOfPool + parities;
const rateWords = 2;
const control = { holder: 0, until: 1, lacked: 2, length: 3 } as const;
const tickMs = 100;
const wordBits = 32;

export function sharesMemory(slots: number): SharesMemory {
  const int32 = (words: number) => new SharedArrayBuffer(words * Int32Array.BYTES_PER_ELEMENT);
  return {
    control: int32(control.length),
    counts: int32(slots * countWords),
    amounts: new SharedArrayBuffer(slots * amountWords * BigInt64Array.BYTES_PER_ELEMENT),
    rates: int32(slots * rateWords),
    touched: int32(Math.ceil(slots / wordBits)),
    promised: {
      ad: promisedMinutesMemory(slots, cellsOf.ad),
      offer: promisedMinutesMemory(slots, cellsOf.offer),
    },
  };
}

const isCounted = (measure: SharedMeasure): measure is (typeof counted)[number] =>
  (counted as readonly string[]).includes(measure);

export interface SharesOptions extends Pick<Shares, 'slotOf' | 'objectOf'> {
  /** Milliseconds that never go back, with the same origin in all threads. */
  readonly steadyMs: () => number;
  /** A time of that clock, before the process held anything. */
  readonly originMs: number;
}

export function createShares(
  memory: SharesMemory,
  { originMs, steadyMs, slotOf, objectOf }: SharesOptions,
): Shares {
  const state = new Int32Array(memory.control);
  const countCells = new Int32Array(memory.counts);
  const amountCells = new BigInt64Array(memory.amounts);
  const rates = new Int32Array(memory.rates);
  const touched = new Int32Array(memory.touched);
  const counts = countPool(countCells);
  const amounts = amountPool(amountCells);
  const unpromisedAt = (slot: number, day: number) => ({
    count: slot * countWords + countWords - parities + (day % parities),
    amount: slot * amountWords + amountWords - parities + (day % parities),
  });
  return {
    slotOf,
    objectOf,
    touch(slot) {
      const [word, bit] = [Math.floor(slot / wordBits), 1 << (slot % wordBits)];
      // Most are touched already; only reading leaves the word in all processors' caches.
      if ((Atomics.load(touched, word) & bit) === 0) Atomics.or(touched, word, bit);
    },
    takeTouched() {
      const slots: number[] = [];
      for (let word = 0; word < touched.length; word += 1) {
        if (touched[word] === 0) continue;
        const bits = Atomics.exchange(touched, word, 0);
        for (let bit = 0; bit < wordBits; bit += 1) if (bits & (1 << bit)) slots.push(word * wordBits + bit);
      }
      return slots;
    },
    holder: () => Atomics.load(state, control.holder),
    isValid: () => steadyMs() - originMs < Atomics.load(state, control.until) * tickMs,
    pool: (measure) => (isCounted(measure) ? counts : amounts),
    at(slot, measure, day) {
      const parity = day % parities;
      if (isCounted(measure))
        return slot * countWords + (counted.indexOf(measure) * parities + parity) * wordsOfPool;
      return slot * amountWords + (measure === 'total' ? parities : parity) * wordsOfPool;
    },
    rate: (slot) => Atomics.load(rates, slot * rateWords),
    noteRate: (slot) => void Atomics.add(rates, slot * rateWords + 1, 1),
    takeRateNoted: (slot) => Atomics.exchange(rates, slot * rateWords + 1, 0),
    setRate: (slot, perSecond) => void Atomics.store(rates, slot * rateWords, perSecond),
    promised: {
      ad: createPromisedMinutes(memory.promised.ad, cellsOf.ad),
      offer: createPromisedMinutes(memory.promised.offer, cellsOf.offer),
    },
    noteUnpromised(slot, day, nanos) {
      const at = unpromisedAt(slot, day);
      Atomics.add(countCells, at.count, 1);
      Atomics.add(amountCells, at.amount, BigInt(nanos));
    },
    takeUnpromised(slot, day) {
      const at = unpromisedAt(slot, day);
      const nanos = Number(Atomics.exchange(amountCells, at.amount, 0n));
      return { impressions: Atomics.exchange(countCells, at.count, 0), nanos };
    },
    lack: () => void Atomics.store(state, control.lacked, 1),
    wasLacked: () => Atomics.exchange(state, control.lacked, 0) === 1,
    hold(holder, untilMs) {
      Atomics.store(state, control.until, Math.floor((untilMs - originMs) / tickMs));
      Atomics.store(state, control.holder, holder);
    },
  };
}
