import { frequencyHoursMax } from '../../reference/frequency.ts';
import { finishHash, hashOn, mixHashes } from '../../shared/hash.ts';
import type { CountedKey } from '../viewer-hash.ts';

/**
 * A table of fixed size with an entry for each object and viewer that has promised or counted something: by address for
 * each UTC day, by hash for as long as one counts.
 */
export interface ViewerTable {
  nameOf(hashes: ReturnType<typeof entryHashes>): EntryName;
  /** The entries of a name; there may be several, where threads entered one at once. */
  all(name: EntryName): readonly number[];
  /** Whether a new entry may be made for an object. */
  hasRoom(slot: number): boolean;
  /**
   * An entry of a name, made where there is none, that stays at least until `untilMinute`; undefined where there is no
   * room. `isCounted` where it is for what was shown already: then the object's share of the table is no bound.
   */
  enter(slot: number, name: EntryName, minutes: EntryMinutes, isCounted?: boolean): number | undefined;
}

export interface EntryName {
  readonly tag: number;
  /** Two, or one where both are the same. */
  readonly buckets: readonly number[];
}

/** Minutes since 1970: now, and until when an entry is needed. */
export interface EntryMinutes {
  readonly now: number;
  readonly until: number;
}

/** As many tags as fit into a line of the processor's cache. */
const entriesPerBucket = 16;
const triesMax = 1000;
/** Entries that are looked at for each one that is made: those that nobody needs any more are given up. */
const lookedAtPerEntry = 32;
/** The rest is left for objects with few entries. Two full buckets are hardly ever met then. */
const fullAt = 0.75;
/** This part of the table every object may have, however many entries others have. */
const partForEach = 1 / 1024;

const free = 0;
/** Stands for the tag while a thread makes or gives up an entry. */
const changing = -1;

const none: readonly number[] = [];
/** Days more than the longest time that counts: after a restart, an hour counts to the end of its last day. */
const neededMinutesMax = (frequencyHoursMax + 48) * 60;
const headWords = 2;
const entryWords = 3;

/** How many entries each slot has, of this slot or of one that had its number before. */
export interface OwnEntries {
  of(slot: number): number;
  add(slot: number, entries: number): void;
}

export function entriesOfViewerTable(wanted: number): number {
  return Math.ceil(wanted / entriesPerBucket) * entriesPerBucket;
}

export function wordsOfViewerTable(entries: number): number {
  return headWords + entries * entryWords;
}

const ipV6PrefixBytes = 8;

/**
 * What is needed to name an object's entry for a day and an address, IPv6 by its /64, or for a viewer's hash. Nobody
 * outside can find those that share a name or a bucket, because `seed` is secret.
 */
export function entryHashes(seed: number, slot: number, day: number, { version, bytes }: CountedKey) {
  const length = version === 6 ? ipV6PrefixBytes : bytes.length;
  let place = mixHashes(mixHashes(seed, slot), day);
  let tag = mixHashes(place, version);
  for (let index = 0; index < length; index += 1) {
    place = hashOn(place, bytes[index] ?? 0);
    tag = hashOn(tag, bytes[index] ?? 0);
  }
  return { place: finishHash(place) >>> 0, tag: finishHash(tag) };
}

/**
 * The entries of a table. An object may have as many as are still free, or a fixed small part. So one object that is
 * asked from ever new addresses takes half of the table at most, two take two thirds, and there is always room for the
 * next.
 */
function createEntries(words: Int32Array<SharedArrayBuffer>, entries: number, own: OwnEntries) {
  const [hand, used] = [0, 1];
  const tags = headWords;
  const [owners, needed] = [tags + entries, tags + 2 * entries];
  const [forAll, forEach] = [Math.floor(entries * fullAt), Math.floor(entries * partForEach)];
  const tagOf = (entry: number) => Atomics.load(words, tags + entry);

  // A time far ahead is one of a clock that has been set back since.
  const isNeeded = (entry: number, now: number) => {
    const until = Atomics.load(words, needed + entry);
    return until >= now && until <= now + neededMinutesMax;
  };
  const giveUp = (entry: number, now: number) => {
    const tag = tagOf(entry);
    if (tag === free || tag === changing || isNeeded(entry, now)) return;
    if (Atomics.compareExchange(words, tags + entry, tag, changing) !== tag) return;
    const isStillNeeded = isNeeded(entry, now);
    if (!isStillNeeded) {
      own.add(Atomics.load(words, owners + entry), -1);
      Atomics.sub(words, used, 1);
    }
    Atomics.store(words, tags + entry, isStillNeeded ? tag : free);
  };
  return {
    tagOf,
    giveUp,
    /** Gives up those of the next entries that nobody needs any more. */
    turnHand(now: number): void {
      const from = Atomics.add(words, hand, lookedAtPerEntry) >>> 0;
      for (let step = 0; step < lookedAtPerEntry; step += 1) giveUp((from + step) % entries, now);
    },
    /** Has a found entry stay; false where it was given up meanwhile. */
    need(entry: number, tag: number, until: number): boolean {
      for (;;) {
        const found = Atomics.load(words, needed + entry);
        if (found >= until || Atomics.compareExchange(words, needed + entry, found, until) === found) break;
      }
      return tagOf(entry) === tag;
    },
    /** Makes a free entry one of that tag; false where another thread did so first. */
    make(entry: number, slot: number, name: EntryName, until: number, onNew: (entry: number) => void) {
      if (Atomics.compareExchange(words, tags + entry, free, changing) !== free) return false;
      Atomics.store(words, owners + entry, slot);
      Atomics.store(words, needed + entry, until);
      onNew(entry);
      own.add(slot, 1);
      Atomics.add(words, used, 1);
      Atomics.store(words, tags + entry, name.tag);
      return true;
    },
    hasRoom(slot: number, isCounted = false): boolean {
      const left = forAll - Atomics.load(words, used);
      return own.of(slot) < Math.max(forEach, left) || (isCounted && left > 0);
    },
  };
}

/**
 * A hash table in shared memory; an entry is in the emptier of its two buckets. All threads may use it at once, without
 * a lock: an entry is needed before it is looked at again, so none is given up while somebody counts in it. `onNew`
 * empties what is kept of an entry elsewhere.
 */
export function createViewerTable(
  words: Int32Array<SharedArrayBuffer>,
  entries: number,
  own: OwnEntries,
  onNew: (entry: number) => void,
): ViewerTable {
  const { tagOf, giveUp, turnHand, need, make, hasRoom } = createEntries(words, entries, own);
  const buckets = entries / entriesPerBucket;
  const all = ({ tag, buckets: places }: EntryName): readonly number[] => {
    let found = none;
    for (const bucket of places) {
      const first = bucket * entriesPerBucket;
      for (let entry = first; entry < first + entriesPerBucket; entry += 1)
        if (tagOf(entry) === tag) found = [...found, entry];
    }
    return found;
  };
  /** The first free entry of a bucket, and how many there are. */
  const freeIn = (bucket: number, now: number) => {
    let [first, count]: [first: number | undefined, count: number] = [undefined, 0];
    for (let place = 0; place < entriesPerBucket; place += 1) {
      const entry = bucket * entriesPerBucket + place;
      giveUp(entry, now);
      if (tagOf(entry) !== free) continue;
      first ??= entry;
      count += 1;
    }
    return { first, count };
  };
  const findFree = (places: EntryName['buckets'], now: number): number | undefined => {
    const [one, other] = places.map((bucket) => freeIn(bucket, now));
    return (other && one && other.count > one.count ? other : one)?.first;
  };
  /** The entry of a name, found or made now; undefined where there is no room, null where another thread was faster. */
  const tryToEnter = (slot: number, name: EntryName, { now, until }: EntryMinutes, isCounted: boolean) => {
    const [found] = all(name);
    if (found !== undefined) return need(found, name.tag, until) ? found : null;
    turnHand(now);
    const entry = hasRoom(slot, isCounted) ? findFree(name.buckets, now) : undefined;
    if (entry === undefined) return undefined;
    return make(entry, slot, name, until, onNew) ? entry : null;
  };
  return {
    nameOf({ place, tag }) {
      const other = mixHashes(place, tag) >>> 0;
      const isReserved = tag === free || tag === changing;
      const [one, two] = [place % buckets, other % buckets];
      return { tag: isReserved ? 1 : tag, buckets: one === two ? [one] : [one, two] };
    },
    all,
    hasRoom,
    enter(slot, name, minutes, isCounted = false) {
      let entry: number | undefined | null = null;
      for (let tries = 0; entry === null && tries < triesMax; tries += 1)
        entry = tryToEnter(slot, name, minutes, isCounted);
      return entry ?? undefined;
    },
  };
}
