import type { IpAddress } from '../opportunity.ts';

/** Impressions of a day by object and IP address, IPv6 by its /64 (delivery, "Limits"). */
export interface IpCounts {
  /** The count; Infinity where the pair has no entry and the table has no room for one. */
  of(slot: number, ip: IpAddress, day: number): number;
  add(slot: number, ip: IpAddress, day: number): void;
}

const bytesOfKeys = BigInt64Array.BYTES_PER_ELEMENT;
const bytesPerEntry = bytesOfKeys + Int32Array.BYTES_PER_ELEMENT;
const dayBits = 16n;
const dayMask = (1n << dayBits) - 1n;
const clearing = -1n;
const probesMax = 32;
const triesMax = 10_000;
const ipV6PrefixBytes = 8;

/** Shared memory for so many pairs of object and address a day. */
export function ipCountsMemory(entries: number): SharedArrayBuffer {
  return new SharedArrayBuffer(entries * bytesPerEntry);
}

/** Two independent 32-bit hashes of a slot and an address (FNV-1a with two offsets), as 46 bits. */
function hashOf(slot: number, { version, bytes }: IpAddress): bigint {
  const length = version === 4 ? bytes.length : ipV6PrefixBytes;
  let low = 0x811c9dc5 ^ slot;
  let high = 0xcbf29ce4 ^ (slot * 31 + version);
  for (let index = 0; index < length; index += 1) {
    low = Math.imul(low ^ (bytes[index] ?? 0), 0x01000193);
    high = Math.imul(high ^ (bytes[index] ?? 0), 0x01000197);
  }
  low = Math.imul(low ^ (low >>> 15), 0x2c1b3c6d);
  high = Math.imul(high ^ (high >>> 13), 0x297a2d39);
  return (BigInt((high ^ (high >>> 16)) & 0x3fff) << 32n) | BigInt((low ^ (low >>> 12)) >>> 0);
}

/** Counts in a table of fixed size: entries of days gone by make room for today's. */
export function createIpCounts(memory: SharedArrayBuffer): IpCounts {
  const entries = Math.floor(memory.byteLength / bytesPerEntry);
  const keys = new BigInt64Array(memory, 0, entries);
  const counts = new Int32Array(memory, entries * bytesOfKeys, entries);
  const settled = (entry: number): bigint => {
    let key = Atomics.load(keys, entry);
    for (let tries = 0; key === clearing && tries < triesMax; tries += 1) key = Atomics.load(keys, entry);
    return key;
  };
  /**
   * Finds the pair's entry. Where there is none, `free` is the first entry that may be taken for it, if there is one.
   */
  const look = (key: bigint, hash: bigint, day: bigint) => {
    const first = Number(hash % BigInt(entries));
    let free: number | undefined;
    for (let probe = 0; probe < Math.min(probesMax, entries); probe += 1) {
      const entry = (first + probe) % entries;
      const found = settled(entry);
      if (found === key) return { entry, free: undefined };
      if (free === undefined && (found & dayMask) < day) free = entry;
      if (found === 0n) break;
    }
    return { entry: undefined, free };
  };
  const keyOf = (hash: bigint, day: bigint) => (hash << dayBits) | day;
  return {
    of(slot, ip, day) {
      const hash = hashOf(slot, ip);
      const { entry, free } = look(keyOf(hash, BigInt(day)), hash, BigInt(day));
      if (entry !== undefined) return Atomics.load(counts, entry);
      return free === undefined ? Number.POSITIVE_INFINITY : 0;
    },
    add(slot, ip, day) {
      const hash = hashOf(slot, ip);
      const key = keyOf(hash, BigInt(day));
      for (let tries = 0; tries < triesMax; tries += 1) {
        const { entry, free } = look(key, hash, BigInt(day));
        if (entry !== undefined) return void Atomics.add(counts, entry, 1);
        if (free === undefined) return;
        const found = Atomics.load(keys, free);
        if (found === clearing || (found & dayMask) >= BigInt(day)) continue;
        if (Atomics.compareExchange(keys, free, found, clearing) !== found) continue;
        Atomics.store(counts, free, 1);
        Atomics.store(keys, free, key);
        return;
      }
    },
  };
}
