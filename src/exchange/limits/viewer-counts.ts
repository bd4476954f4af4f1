import type { CountedKey, Viewer } from '../viewer-hash.ts';
import { dayOf, minutesPerDay } from './day-line.ts';
import { promiseCells, wordsOfPromiseCells } from './promise-cells.ts';
import { minuteOf } from './promise-minutes.ts';
import { minutesAtAddress, minutesFor, type PromisedIn } from './promised.ts';
import { shownCells, wordsOfShownCells } from './shown-cells.ts';
import { type SlotMemory, type Slots, slotMemory } from './slots.ts';
import type { ViewerBounds, ViewerCount } from './viewer-rules.ts';
import {
  createViewerTable,
  type EntryMinutes,
  entriesOfViewerTable,
  entryHashes,
  type OwnEntries,
  wordsOfViewerTable,
} from './viewer-table.ts';

/**
 * Impressions of an object by viewer: those that came, and those that may still come. An address has them by the UTC day
 * of their auctions, a hash by the minute in which they were shown.
 */
export interface ViewerCounts {
  /** What an ad that is to be shown at `timeMs` would meet. */
  of(slot: number, viewer: Viewer, bounds: ViewerBounds, timeMs: number): ViewerCount;
  /** Promises an impression, unless that would exceed the bounds. Answers whether it was promised. */
  take(slot: number, viewer: Viewer, bounds: ViewerBounds, promise: Promise): boolean;
  end(slot: number, key: CountedKey, promise: Promise): void;
  /** Counts what was shown: of an auction of the day of `timeMs`, or at that time to be remembered for `kept` minutes. */
  count(slot: number, key: CountedKey, timeMs: number, kept: number, impressions: number): void;
  /** Raises to so many what was shown on the day, or in the hour, of `timeMs`. */
  raise(slot: number, key: CountedKey, timeMs: number, kept: number, impressions: number): void;
  /** Adds promises of an hour (hours since 1970) that were made before the process began, at `startMs`. */
  restore(slot: number, key: CountedKey, hour: number, promised: number): void;
}
type Promise = Pick<PromisedIn, 'timeMs' | 'to'>;

export interface ViewerMemory {
  readonly words: SharedArrayBuffer;
  readonly entries: number;
  readonly slots: SlotMemory;
  /** Secret, so that nobody can choose viewers by where their entries are. */
  readonly seed: number;
}

/** An impression that comes in the last moment takes seconds to be durable. */
const heldMinutes = minutesAtAddress + 1;
/** The promise of an offer ends earlier: it counts as one that was made earlier. */
const earlierMinutes = { ad: 0, offer: minutesAtAddress - minutesFor.offer } as const;
/** How long a promise may be counted at most, and auctions of yesterday may still ask. */
const spareMinutes = 3;
const minutesPerHour = 60;
const minuteMs = 60_000;
const hourMs = minutesPerHour * minuteMs;
/** Of a slot: how many entries it has, and until which minute some are missing, of addresses and of hashes. */
const slotWord = { own: 0, addresses: 1, hashes: 2, length: 3 } as const;

export function viewerMemory(viewers: number, slots: number, seed: number): ViewerMemory {
  const entries = entriesOfViewerTable(viewers);
  const words = wordsOfViewerTable(entries) + entries * (1 + wordsOfPromiseCells + wordsOfShownCells);
  return {
    words: new SharedArrayBuffer(words * Int32Array.BYTES_PER_ELEMENT),
    entries,
    slots: slotMemory(slots, slotWord.length * Int32Array.BYTES_PER_ELEMENT),
    seed,
  };
}

const isHash = ({ version }: CountedKey) => version === 0;
const keysOf = ({ now, before }: Viewer) => (before ? [now, before] : [now]);

/** Auctions of the day may ask for a moment after it. */
const endOfDay = (timeMs: number) => (dayOf(timeMs) + 1) * minutesPerDay + spareMinutes;

const whilePromised = (timeMs: number): EntryMinutes => ({
  now: minuteOf(timeMs),
  until: minuteOf(timeMs) + heldMinutes + spareMinutes,
});

/** Of which slots some entries are missing, because they did not fit. */
function missingEntries(words: { readonly current: Int32Array<SharedArrayBuffer> }) {
  const at = (slot: number, key: CountedKey) =>
    slot * slotWord.length + (isHash(key) ? slotWord.hashes : slotWord.addresses);
  return {
    has(slot: number, key: CountedKey, timeMs: number): boolean {
      const [until, now] = [Atomics.load(words.current, at(slot, key)), minuteOf(timeMs)];
      // Further ahead is of a clock that was set back since.
      return until >= now && (isHash(key) || until <= now + 2 * minutesPerDay);
    },
    note(slot: number, key: CountedKey, until: number) {
      const before = Atomics.load(words.current, at(slot, key));
      if (before < until) Atomics.store(words.current, at(slot, key), until);
    },
  };
}

function raiseTo(words: Int32Array<SharedArrayBuffer>, at: number, minute: number): void {
  for (let found = Atomics.load(words, at); found < minute; ) {
    const before = Atomics.compareExchange(words, at, found, minute);
    if (before === found) return;
    found = before;
  }
}

/** What entries hold: of an address how many were shown, of a hash when, and in `counted` the last minute. */
function entryContents({ words: shared, entries }: ViewerMemory, startMs: number) {
  const words = new Int32Array(shared);
  const counted = wordsOfViewerTable(entries);
  const promisedFrom = counted + entries;
  const shownFrom = promisedFrom + entries * wordsOfPromiseCells;
  return {
    words,
    counted,
    promised: promiseCells(words.subarray(promisedFrom, shownFrom), heldMinutes, startMs),
    shown: shownCells(words.subarray(shownFrom)),
  };
}
type Contents = ReturnType<typeof entryContents>;

/** A minute that is further ahead is one of a clock that was set back since. */
const isAhead = (minute: number, now: number) => minute > now + minutesPerHour;

/** What entries of a viewer together have met. */
function meeting({ words, counted, promised, shown }: Contents) {
  const shownIn = (found: readonly number[], { windowMinutes }: ViewerBounds, now: number) =>
    found.reduce(
      (sum, entry) =>
        sum +
        (windowMinutes === 0
          ? Atomics.load(words, counted + entry)
          : shown.since(entry, now - windowMinutes)),
      0,
    );
  const lastIn = (found: readonly number[], now: number) =>
    Math.max(
      0,
      ...found.map((entry) => Atomics.load(words, counted + entry)).filter((minute) => !isAhead(minute, now)),
    );
  /** When enough of those that were shown have left the window; 0 while promises may take their place. */
  const againMinute = (found: readonly number[], { limit, windowMinutes }: ViewerBounds, now: number) => {
    if (windowMinutes === 0 || !Number.isFinite(limit)) return 0;
    const last = Math.max(...found.map((entry) => shown.lastBefore(entry, now - windowMinutes, limit - 1)));
    return last > 0 ? last + windowMinutes + 1 : 0;
  };
  /** `own`: how many of the promises are of the one who asks. */
  return (found: readonly number[], bounds: ViewerBounds, timeMs: number, own: number): ViewerCount => {
    const now = minuteOf(timeMs);
    // Promises first: one that is kept meanwhile is counted before it ends.
    const open = found.reduce((sum, entry) => sum + promised.open(entry, timeMs), -own);
    const met = open + shownIn(found, bounds, now);
    const { limit, minMinutes } = bounds;
    const last = minMinutes > 0 ? lastIn(found, now) : 0;
    const isTooSoon = minMinutes > 0 && (open > 0 || last >= now - minMinutes);
    const again = Math.max(
      met >= limit ? againMinute(found, bounds, now) : 0,
      isTooSoon && open === 0 ? last + minMinutes + 1 : 0,
    );
    return { met, isTooSoon, againMs: again * minuteMs };
  };
}

/**
 * Counts in shared memory, of fixed size. The object's entries of viewers that were never shown anything are given up
 * once their promises have ended, all others when nothing in them counts any more.
 */
export function createViewerCounts(
  memory: ViewerMemory,
  startMs: number,
  { view, reach }: Pick<Slots, 'view' | 'reach'>,
): ViewerCounts {
  const { entries, seed } = memory;
  const ofSlots = view(({ int32 }) => int32(memory.slots));
  const own: OwnEntries = {
    of: (slot) => Atomics.load(ofSlots.current, slot * slotWord.length),
    add(slot, by) {
      // An entry that is given up may be of an object that this thread has not met.
      if (slot * slotWord.length >= ofSlots.current.length) reach();
      Atomics.add(ofSlots.current, slot * slotWord.length, by);
    },
  };
  const missing = missingEntries(ofSlots);
  const contents = entryContents(memory, startMs);
  const { words, counted, promised, shown } = contents;
  const table = createViewerTable(words, entries, own, (entry) => {
    Atomics.store(words, counted + entry, 0);
    promised.clear(entry);
    shown.clear(entry);
  });
  const met = meeting(contents);
  const nameOf = (slot: number, key: CountedKey, timeMs: number) =>
    table.nameOf(entryHashes(seed, slot, isHash(key) ? 0 : dayOf(timeMs), key));
  const entriesOf = (slot: number, viewer: Viewer, timeMs: number) =>
    keysOf(viewer).flatMap((key) => table.all(nameOf(slot, key, timeMs)));
  const count: ViewerCounts['count'] = (slot, key, timeMs, kept, impressions) => {
    const minute = minuteOf(timeMs);
    const until = isHash(key) ? minute + kept + spareMinutes : endOfDay(timeMs);
    const entry = table.enter(slot, nameOf(slot, key, timeMs), { now: minute, until }, true);
    if (entry === undefined) return missing.note(slot, key, until);
    if (!isHash(key)) {
      Atomics.add(words, counted + entry, impressions);
      return undefined;
    }
    raiseTo(words, counted + entry, minute);
    return shown.add(entry, minute, impressions, kept);
  };
  const knownOf = (slot: number, key: CountedKey, timeMs: number): number => {
    const found = table.all(nameOf(slot, key, timeMs));
    const hour = Math.floor(timeMs / hourMs) * minutesPerHour;
    const of = (entry: number) =>
      isHash(key) ? shown.since(entry, hour) : Atomics.load(words, counted + entry);
    return found.reduce((sum, entry) => sum + of(entry), 0);
  };
  return {
    of(slot, viewer, bounds, timeMs) {
      const found = entriesOf(slot, viewer, timeMs);
      if (found.length > 0) return met(found, bounds, timeMs, 0);
      const hasRoom = !missing.has(slot, viewer.now, timeMs) && table.hasRoom(slot);
      return { met: hasRoom ? 0 : Number.POSITIVE_INFINITY, isTooSoon: false, againMs: 0 };
    },
    take(slot, viewer, bounds, { timeMs, to }) {
      if (missing.has(slot, viewer.now, timeMs) && entriesOf(slot, viewer, timeMs).length === 0) return false;
      const entry = table.enter(slot, nameOf(slot, viewer.now, timeMs), whilePromised(timeMs));
      if (entry === undefined || !promised.add(entry, timeMs, earlierMinutes[to])) return false;
      const others = met(entriesOf(slot, viewer, timeMs), bounds, timeMs, 1);
      if (others.met < bounds.limit && !others.isTooSoon) return true;
      promised.take(entry, timeMs, earlierMinutes[to]);
      return false;
    },
    end(slot, key, { timeMs, to }) {
      // Any one that holds such a promise.
      table.all(nameOf(slot, key, timeMs)).some((entry) => promised.take(entry, timeMs, earlierMinutes[to]));
    },
    count,
    raise(slot, key, timeMs, kept, impressions) {
      const known = knownOf(slot, key, timeMs);
      if (impressions > known) count(slot, key, timeMs, kept, impressions - known);
    },
    restore(slot, key, hour, made) {
      const madeMs = Math.min((hour + 1) * hourMs - 1, startMs);
      const minutes = whilePromised(madeMs);
      const entry = table.enter(slot, nameOf(slot, key, hour * hourMs), minutes, true);
      if (entry === undefined) missing.note(slot, key, isHash(key) ? minutes.until : endOfDay(madeMs));
      else promised.restore(entry, hour, made);
    },
  };
}
