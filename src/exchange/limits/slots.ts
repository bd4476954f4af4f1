export interface Slots {
  /** The slot of a key, taken now where it had none; undefined where all are taken. */
  of(kind: number, id: number): number | undefined;
  /** Kind and ID of a slot; both 0 if it was never taken. */
  keyOf(slot: number): readonly [kind: number, id: number];
}

export function slotsMemory(slots: number): SharedArrayBuffer {
  return new SharedArrayBuffer(slots * BigInt64Array.BYTES_PER_ELEMENT);
}

const hashFactor = 0x9e3779b1;
const kindBits = 8n;
const kindMask = 0xffn;

/**
 * Slots by a kind (1 to 255) and an ID, as a hash table with open addressing whose keys are never removed. A thread
 * asks the shared table once for each key, and then remembers.
 */
export function createSlots(memory: SharedArrayBuffer): Slots {
  const keys = new BigInt64Array(memory);
  const known = new Map<number, Map<number, number>>();
  const take = (kind: number, id: number): number | undefined => {
    const key = (BigInt(id) << kindBits) | BigInt(kind);
    const first = (Math.imul(id ^ (kind << 24), hashFactor) >>> 0) % keys.length;
    for (let step = 0; step < keys.length; step += 1) {
      const slot = (first + step) % keys.length;
      const found = Atomics.compareExchange(keys, slot, 0n, key);
      if (found === 0n || found === key) return slot;
    }
    return undefined;
  };
  return {
    of(kind, id) {
      let ofKind = known.get(kind);
      if (!ofKind) {
        ofKind = new Map();
        known.set(kind, ofKind);
      }
      const slot = ofKind.get(id) ?? take(kind, id);
      if (slot !== undefined) ofKind.set(id, slot);
      return slot;
    },
    keyOf(slot) {
      const key = Atomics.load(keys, slot);
      return [Number(key & kindMask), Number(key >> kindBits)];
    },
  };
}
