import { type LimitedKind, limitedKindNames } from '../../entities/kinds.ts';
import type { Limited } from '../snapshot/limited.ts';
import type { PromisedTo } from './promised.ts';
import { minutesFor } from './promised.ts';
import {
  createPromisedMinutes,
  type PromisedMinutes,
  type PromisedMinutesMemory,
  promisedMinutesMemory,
} from './promised-minutes.ts';
import { amountCells, countCells, createPool, type Pool, wordsOfPool } from './quota-pool.ts';
import {
  createSlots,
  type SlotMemory,
  type Slots,
  type SlotsMemory,
  slotMemory,
  slotsMemory,
} from './slots.ts';

/** Of what quotas are held: `requests` to `amount` of a day, totals of all days. */
export const quotaMeasures = [
  'requests',
  'bids',
  'impressions',
  'amount',
  'total',
  'impressionsTotal',
] as const;
/** One of these. `amount` and `total` are in nano-USD, the others in units. */
export type QuotaMeasure = (typeof quotaMeasures)[number];

export interface QuotasMemory {
  /** Whether no other process uses these limits. */
  readonly isAlone: boolean;
  /** A time of the steady clock, before anything was held. */
  readonly originMs: number;
  readonly slots: SlotsMemory;
  /** Int32: see `control`. */
  readonly control: SharedArrayBuffer;
  readonly counts: SlotMemory;
  readonly amounts: SlotMemory;
  readonly rates: SlotMemory;
  /** A bit for each slot that was asked for something, or changed, since that was last looked at. */
  readonly touched: SharedArrayBuffer;
  /** A bit for each slot of which somebody only wants to know what it has met. */
  readonly looked: SharedArrayBuffer;
  readonly promised: Readonly<Record<PromisedTo, PromisedMinutesMemory>>;
}

type Named = Pick<Limited, 'kind' | 'id'>;

/** Times of the steady clock: until when shares may be used, those of rates, and after that their safe shares. */
export type LeaseEnds = Readonly<Record<'untilMs' | 'ratesMs' | 'safeRatesMs', number>>;

/** What a process may use of limits, as one of its threads sees it. */
export interface Quotas extends Pick<Slots, 'view' | 'reach'> {
  readonly isAlone: boolean;
  /** The slot of an object; undefined where there is no room for another one. */
  slotOf(object: { readonly kind: string; readonly id: number }): number | undefined;
  /** Whose slot it is. */
  objectOf(slot: number): Named;
  /** Frees slots of objects without auctions for two UTC days that `mayFree` (`Slots`). */
  freeIdle(mayFree: (slot: number) => boolean): void;
  /** To be called with whatever an auction takes, lacks or gives back. */
  touch(slot: number): void;
  /** Slots touched since this was last asked; of one thread. */
  takeTouched(): number[];
  /** To be called by whoever asks what an object has met, and takes nothing. */
  look(slot: number): void;
  takeLooked(): number[];
  /** See `LimitInquiry`. */
  untilTold(): Promise<boolean>;
  /** To be called when a slot's answer is here, and when all answers to a round are. */
  noteTold(slot: number): void;
  noteRound(): void;
  /** Number under which this process holds anything; 0 = none yet. */
  holder(): number;
  /** Whether what it holds may be used now. */
  isValid(): boolean;
  /** The pool of a measure, and where the slot's is of a day, by its key. */
  pool(measure: QuotaMeasure): Pool;
  at(slot: number, measure: QuotaMeasure, day: number): number;
  /** Requests a second that it may let through now: its share, or while the authority is away its safe share. */
  rate(slot: number): number;
  /** When shares of rates fell to the safe shares, or these to 0; undefined while the authority is there. */
  ratesFellMs(): number | undefined;
  noteRate(slot: number): void;
  /** How many were asked for since this was last asked. */
  takeRateNoted(slot: number): number;
  setRate(slot: number, share: number, safe: number): void;
  readonly promised: Readonly<Record<PromisedTo, PromisedMinutes>>;
  /** Notes that something was lacked, so that more is asked for soon. */
  lack(): void;
  /** Whether anything was lacked since this was last asked. */
  wasLacked(): boolean;
  /** Begins to hold under a number. */
  hold(holder: number, ends: LeaseEnds): void;
}

/** How long it may take until it is known what became of promises: a silent server is waited for an hour. */
const minutesUnknown = 64;
const cellsOf: Readonly<Record<PromisedTo, number>> = {
  ad: minutesFor.ad + minutesUnknown,
  offer: minutesFor.offer + minutesUnknown,
};

const parities = 2;
const counted = ['requests', 'bids', 'impressions'] as const;
/** With one of all days. */
const countWords = (counted.length * parities + 1) * wordsOfPool;
const amountWords = (parities + 1) * wordsOfPool;
const rateWords = 4;
/** The holder, until when what it holds counts, whether anything was lacked, and how many rounds have begun and ended. */
const control = {
  holder: 0,
  until: 1,
  lacked: 2,
  begun: 3,
  ended: 4,
  rates: 5,
  safeRates: 6,
  length: 7,
} as const;
const tickMs = 100;
/** How old an answer may be. */
const toldTicks = 30;
const wordBits = 32;
const waitMsMax = 1000;
const hourMs = 3_600_000;

/** The number of a kind in shared memory is its place in this list, from 1 on. */
const kindNames: readonly string[] = limitedKindNames;

export function quotasMemory(
  objects: number,
  { isAlone, originMs }: Pick<QuotasMemory, 'isAlone' | 'originMs'>,
): QuotasMemory {
  const int32 = (words: number) => new SharedArrayBuffer(words * Int32Array.BYTES_PER_ELEMENT);
  const bits = () => int32(Math.floor(objects / wordBits) + 1);
  return {
    isAlone,
    originMs,
    slots: slotsMemory(objects),
    control: int32(control.length),
    counts: slotMemory(objects, countWords * Int32Array.BYTES_PER_ELEMENT),
    amounts: slotMemory(objects, amountWords * BigInt64Array.BYTES_PER_ELEMENT),
    rates: slotMemory(objects, rateWords * Int32Array.BYTES_PER_ELEMENT),
    touched: bits(),
    looked: bits(),
    promised: {
      ad: promisedMinutesMemory(objects, cellsOf.ad),
      offer: promisedMinutesMemory(objects, cellsOf.offer),
    },
  };
}

/** A set of slots, a bit for each. */
function slotSet(memory: SharedArrayBuffer, { reach }: Slots) {
  const words = new Int32Array(memory);
  const placeOf = (slot: number) => [Math.floor(slot / wordBits), 1 << (slot % wordBits)] as const;
  return {
    add(slot: number): void {
      const [word, bit] = placeOf(slot);
      // Most are there already; only reading leaves the word in all processors' caches.
      if ((Atomics.load(words, word) & bit) === 0) Atomics.or(words, word, bit);
    },
    remove(slot: number): void {
      const [word, bit] = placeOf(slot);
      Atomics.and(words, word, ~bit);
    },
    take(): number[] {
      const slots: number[] = [];
      const end = reach();
      for (let word = 0; word * wordBits < end; word += 1) {
        if (words[word] === 0) continue;
        const bits = Atomics.exchange(words, word, 0);
        for (let bit = 0; bit < wordBits; bit += 1) if (bits & (1 << bit)) slots.push(word * wordBits + bit);
      }
      reach();
      return slots;
    },
  };
}

type RateWords = { readonly current: Int32Array<SharedArrayBuffer> };
type RateNames = 'rate' | 'ratesFellMs' | 'noteRate' | 'takeRateNoted' | 'setRate';

function ratesIn(
  { isAlone, originMs, control: shared }: QuotasMemory,
  rates: RateWords,
  ticks: () => number,
): Pick<Quotas, RateNames> {
  const state = new Int32Array(shared);
  return {
    rate(slot) {
      if (isAlone) return Number.MAX_SAFE_INTEGER;
      const [share, now] = [Atomics.load(rates.current, slot * rateWords), ticks()];
      if (now < Atomics.load(state, control.rates)) return share;
      const isSafe = now < Atomics.load(state, control.safeRates);
      return isSafe ? Math.min(share, Atomics.load(rates.current, slot * rateWords + 3)) : 0;
    },
    ratesFellMs() {
      if (isAlone) return undefined;
      const ends = [Atomics.load(state, control.safeRates), Atomics.load(state, control.rates)];
      const fell = ends.find((end) => end <= ticks());
      return fell === undefined ? undefined : originMs + fell * tickMs;
    },
    noteRate(slot) {
      if (!isAlone) Atomics.add(rates.current, slot * rateWords + 1, 1);
    },
    takeRateNoted: (slot) => Atomics.exchange(rates.current, slot * rateWords + 1, 0),
    setRate(slot, share, safe) {
      Atomics.store(rates.current, slot * rateWords + 3, safe);
      Atomics.store(rates.current, slot * rateWords, share);
    },
  };
}

type LookNames = 'look' | 'takeLooked' | 'untilTold' | 'noteTold' | 'noteRound';

/** What somebody only wants to know. */
function looksIn(
  { isAlone, control: shared }: QuotasMemory,
  {
    rates,
    looked,
    ticks,
  }: { readonly rates: RateWords; readonly looked: ReturnType<typeof slotSet>; readonly ticks: () => number },
): Pick<Quotas, LookNames> {
  const state = new Int32Array(shared);
  /** The round that answers what was looked at last. */
  let roundWanted = 0;
  return {
    look(slot) {
      const told = Atomics.load(rates.current, slot * rateWords + 2);
      if (isAlone || (told > 0 && ticks() - told < toldTicks)) return;
      looked.add(slot);
      roundWanted = Atomics.load(state, control.begun) + 1;
      Atomics.store(state, control.lacked, 1);
    },
    takeLooked() {
      Atomics.add(state, control.begun, 1);
      return looked.take();
    },
    async untilTold() {
      const endMs = performance.now() + waitMsMax;
      let isTold = false;
      for (let ended = Atomics.load(state, control.ended); ended < roundWanted; ) {
        const waitMs = endMs - performance.now();
        if (waitMs <= 0) return false;
        await Atomics.waitAsync(state, control.ended, ended, waitMs).value;
        ended = Atomics.load(state, control.ended);
        isTold = true;
      }
      return isTold;
    },
    noteTold: (slot) => void Atomics.store(rates.current, slot * rateWords + 2, Math.max(1, ticks())),
    noteRound() {
      Atomics.store(state, control.ended, Atomics.load(state, control.begun));
      Atomics.notify(state, control.ended);
    },
  };
}

/** `steadyMs`: milliseconds that never go back, with the same origin in all threads. */
export function createQuotas(memory: QuotasMemory, steadyMs: () => number): Quotas {
  const { isAlone, originMs } = memory;
  const slots = createSlots(memory.slots);
  const state = new Int32Array(memory.control);
  const [touched, looked] = [slotSet(memory.touched, slots), slotSet(memory.looked, slots)];
  const rates = slots.view(({ int32 }) => int32(memory.rates));
  const counts = slots.view(({ int32 }) => createPool(countCells(int32(memory.counts)), isAlone));
  const amounts = slots.view(({ int64 }) => createPool(amountCells(int64(memory.amounts)), isAlone));
  const promised = slots.view((words) => ({
    ad: createPromisedMinutes(memory.promised.ad, cellsOf.ad, words),
    offer: createPromisedMinutes(memory.promised.offer, cellsOf.offer, words),
  }));
  const { ad, offer } = memory.promised;
  const all = [
    memory.counts,
    memory.amounts,
    memory.rates,
    ad.counts,
    ad.amounts,
    offer.counts,
    offer.amounts,
  ];
  /** Other counters by slot are of a second or a day. */
  const clear = (slot: number) => {
    for (const { shared, bytesPerSlot } of all)
      new Uint8Array(shared, slot * bytesPerSlot, bytesPerSlot).fill(0);
    for (const set of [touched, looked]) set.remove(slot);
  };
  const ticks = () => Math.floor((steadyMs() - originMs) / tickMs);
  return {
    isAlone,
    ...ratesIn(memory, rates, ticks),
    ...looksIn(memory, { rates, looked, ticks }),
    view: slots.view,
    reach: slots.reach,
    freeIdle: (mayFree) => slots.freeIdle(Math.floor((steadyMs() - originMs) / hourMs), mayFree, clear),
    slotOf: ({ kind, id }) => slots.of(kindNames.indexOf(kind) + 1, id),
    objectOf(slot) {
      const [kind, id] = slots.keyOf(slot);
      return { kind: limitedKindNames[kind - 1] as LimitedKind, id };
    },
    touch: touched.add,
    takeTouched: touched.take,
    holder: () => Atomics.load(state, control.holder),
    isValid: () => isAlone || steadyMs() - originMs < Atomics.load(state, control.until) * tickMs,
    pool: (measure) => (measure === 'amount' || measure === 'total' ? amounts : counts).current,
    at(slot, measure, day) {
      const parity = day & 1;
      if (measure === 'total') return slot * amountWords + parities * wordsOfPool;
      if (measure === 'impressionsTotal') return (slot + 1) * countWords - wordsOfPool;
      if (measure === 'amount') return slot * amountWords + parity * wordsOfPool;
      return slot * countWords + (counted.indexOf(measure) * parities + parity) * wordsOfPool;
    },
    get promised() {
      return promised.current;
    },
    lack: () => void Atomics.store(state, control.lacked, 1),
    wasLacked: () => Atomics.exchange(state, control.lacked, 0) === 1,
    hold(holder, { untilMs, ratesMs, safeRatesMs }) {
      const note = (word: number, ms: number) =>
        Atomics.store(state, word, Math.floor((ms - originMs) / tickMs));
      note(control.until, untilMs);
      note(control.rates, ratesMs);
      note(control.safeRates, safeRatesMs);
      Atomics.store(state, control.holder, holder);
    },
  };
}
