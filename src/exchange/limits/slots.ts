import { alone } from '../../shared/alone.ts';
import { finishHash } from '../../shared/hash.ts';

/** The same number of bytes for each slot; mere address space until slots are taken. */
export interface SlotMemory {
  readonly shared: SharedArrayBuffer;
  readonly bytesPerSlot: number;
}

export const slotMemory = (slotsMax: number, bytesPerSlot: number): SlotMemory => ({
  shared: new SharedArrayBuffer(0, { maxByteLength: (slotsMax + 1) * bytesPerSlot }),
  bytesPerSlot,
});

export interface SlotsMemory {
  readonly slotsMax: number;
  readonly control: SharedArrayBuffer;
  readonly rows: SlotMemory;
}

/** Views of a thread. */
export interface SlotWords {
  int32(memory: SlotMemory): Int32Array<SharedArrayBuffer>;
  int64(memory: SlotMemory): BigInt64Array<SharedArrayBuffer>;
}

/** Numbers of objects, from 1 on: places of their counters in shared memory. */
export interface Slots {
  /** The slot of a kind (from 1 on) and an ID, taken now if it has none; undefined if there is no room. */
  of(kind: number, id: number): number | undefined;
  /** Kind and ID of a slot; kind 0 if it is free. */
  keyOf(slot: number): readonly [kind: number, id: number];
  /** Made again whenever this thread meets slots beyond the views. */
  view<T>(make: (words: SlotWords) => T): { readonly current: T };
  /** Has the views show all slots taken by now; those are below the answer. */
  reach(): number;
  /**
   * Frees slots that no thread has used for two UTC days and that `mayFree`, once `clear` has emptied them. To be called
   * each minute, by one thread; `hour` never goes back.
   */
  freeIdle(hour: number, mayFree: (slot: number) => boolean, clear: (slot: number) => void): void;
}

const control = { lock: 0, end: 1, free: 2, hour: 3, length: 4 } as const;
/** `head` is of the bucket with the slot's number; `next` of the same bucket, or free too. */
const row = { kind: 0, id: 1, next: 2, hour: 3, head: 4, length: 5 } as const;
const none = 0;
/** Memory grows by so many slots. */
const step = 4096;
const hoursKept = 49;
/** At a time, so that no auction waits for long. */
const lookedAtMax = 8192;

export function slotsMemory(slotsMax: number): SlotsMemory {
  const words = new Int32Array(new SharedArrayBuffer(control.length * Int32Array.BYTES_PER_ELEMENT));
  words[control.end] = 1;
  const rows = slotMemory(slotsMax, row.length * Int32Array.BYTES_PER_ELEMENT);
  return { slotsMax, control: words.buffer, rows };
}

const hashOf = (kind: number, id: number) => finishHash(id ^ (kind << 24));
const maskOf = (buckets: number) => 2 ** (32 - Math.clz32(buckets - 1)) - 1;

/** What a thread has seen of the memory of slots. */
function createViews({ slotsMax }: SlotsMemory) {
  const renewals: (() => void)[] = [];
  let seen = 0;
  // Views that follow the length of a buffer would make atomic operations six times slower.
  const grown = ({ shared, bytesPerSlot }: SlotMemory): number => {
    const bytes = seen * bytesPerSlot;
    if (shared.byteLength < bytes) shared.grow(bytes);
    return bytes;
  };
  const words: SlotWords = {
    int32: (memory) => new Int32Array(memory.shared, 0, grown(memory) / Int32Array.BYTES_PER_ELEMENT),
    int64: (memory) => new BigInt64Array(memory.shared, 0, grown(memory) / BigInt64Array.BYTES_PER_ELEMENT),
  };
  return {
    view<T>(make: (words: SlotWords) => T) {
      const view = { current: make(words) };
      renewals.push(() => {
        view.current = make(words);
      });
      return view;
    },
    /** Of one thread at a time. */
    reach(end: number): void {
      if (end <= seen) return;
      seen = Math.min(slotsMax + 1, Math.ceil(end / step) * step);
      for (const renew of renewals) renew();
    },
  };
}

/** Slots by key: a hash table with a bucket for each slot, one of which is split in two with each slot that is added. */
function createBuckets(state: Int32Array, rows: { readonly current: Int32Array }) {
  const end = () => state[control.end] as number;
  const get = (slot: number, word: number) => rows.current[slot * row.length + word] as number;
  const set = (slot: number, word: number, value: number) => {
    rows.current[slot * row.length + word] = value;
  };
  const bucketOf = (hash: number): number => {
    const mask = maskOf(end());
    const bucket = hash & mask;
    return bucket < end() ? bucket : bucket & (mask >>> 1);
  };
  const link = (bucket: number, slot: number) => {
    set(slot, row.next, get(bucket, row.head));
    set(bucket, row.head, slot);
  };
  const unlink = (bucket: number, slot: number) => {
    if (get(bucket, row.head) === slot) return set(bucket, row.head, get(slot, row.next));
    for (let one = get(bucket, row.head); one !== none; one = get(one, row.next))
      if (get(one, row.next) === slot) set(one, row.next, get(slot, row.next));
  };
  const hashAt = (slot: number) => hashOf(get(slot, row.kind), get(slot, row.id));
  return {
    get,
    set,
    end,
    find(kind: number, id: number): number {
      let slot = get(bucketOf(hashOf(kind, id)), row.head);
      while (slot !== none && (get(slot, row.id) !== id || get(slot, row.kind) !== kind))
        slot = get(slot, row.next);
      return slot;
    },
    add(slot: number, kind: number, id: number): void {
      set(slot, row.kind, kind);
      set(slot, row.id, id);
      link(bucketOf(hashOf(kind, id)), slot);
    },
    remove(slot: number): void {
      unlink(bucketOf(hashAt(slot)), slot);
      set(slot, row.kind, 0);
    },
    /** Answers a slot that nobody has had before. */
    extend(): number {
      const added = end();
      state[control.end] = added + 1;
      const split = added & (maskOf(added + 1) >>> 1);
      for (let next = get(split, row.head); next !== none; ) {
        const slot = next;
        next = get(slot, row.next);
        if (bucketOf(hashAt(slot)) !== added) continue;
        unlink(split, slot);
        link(added, slot);
      }
      return added;
    },
  };
}

/**
 * A thread asks the shared table once for each key each hour, and remembers: a slot that it knows was used within
 * that hour, so that it cannot be another key's.
 */
export function createSlots(memory: SlotsMemory): Slots {
  const state = new Int32Array(memory.control);
  const views = createViews(memory);
  const rows = views.view(({ int32 }) => int32(memory.rows));
  const buckets = createBuckets(state, rows);
  const { get, set, end } = buckets;
  const known = new Map<number, Map<number, number>>();
  let knownAt = 0;
  /** The slot looked at last. */
  let hand = 0;
  const inTurn = <T>(work: () => T): T =>
    alone(state, control.lock, () => {
      views.reach(end());
      return work();
    });
  const takeFree = (): number | undefined => {
    const free = state[control.free] as number;
    if (free !== none) {
      state[control.free] = get(free, row.next);
      return free;
    }
    if (end() > memory.slotsMax) return undefined;
    try {
      views.reach(end() + 1);
    } catch (error) {
      // The system has no more memory.
      if (error instanceof RangeError) return undefined;
      throw error;
    }
    return buckets.extend();
  };
  const take = (kind: number, id: number): number | undefined => {
    const found = buckets.find(kind, id);
    const slot = found === none ? takeFree() : found;
    if (slot === undefined) return undefined;
    if (found === none) buckets.add(slot, kind, id);
    set(slot, row.hour, state[control.hour] as number);
    return slot;
  };
  return {
    of(kind, id) {
      const now = state[control.hour] as number;
      if (knownAt !== now) known.clear();
      knownAt = now;
      let ofKind = known.get(kind);
      if (!ofKind) {
        ofKind = new Map();
        known.set(kind, ofKind);
      }
      const slot = ofKind.get(id) ?? inTurn(() => take(kind, id));
      if (slot !== undefined) ofKind.set(id, slot);
      return slot;
    },
    keyOf: (slot) => [get(slot, row.kind), get(slot, row.id)],
    view: (make) => inTurn(() => views.view(make)),
    reach: () => inTurn(end),
    freeIdle(hour, mayFree, clear) {
      // By one at most: no thread is in the midst of an auction for all the hours that a slot is kept.
      const now = Math.min(hour, (state[control.hour] as number) + 1);
      Atomics.store(state, control.hour, now);
      const isIdle = (slot: number) => get(slot, row.kind) !== 0 && get(slot, row.hour) < now - hoursKept;
      const free = (slot: number) => {
        if (!isIdle(slot) || !mayFree(slot)) return;
        buckets.remove(slot);
        clear(slot);
        set(slot, row.next, state[control.free] as number);
        state[control.free] = slot;
      };
      const slots = inTurn(end) - 1;
      for (let looked = 0; looked < Math.min(slots, lookedAtMax); looked += 1) {
        hand = (hand % slots) + 1;
        const slot = hand;
        if (isIdle(slot)) inTurn(() => free(slot));
      }
    },
  };
}
