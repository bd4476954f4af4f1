/** In the current second, in memory that threads may share. */
export interface TokenRates {
  /** Returns the uses in this second, this one included. */
  count(tokenId: number, nowMs: number): number;
}

/** A token has one of `ways` slots in its bucket; with more tokens in a second, some share. */
const buckets = 4096;
const ways = 8;
const places = buckets * ways;
const wordBytes = BigInt64Array.BYTES_PER_ELEMENT;
const idBytes = Int32Array.BYTES_PER_ELEMENT;
const countBits = 20n;
const countMax = (1n << countBits) - 1n;

export function tokenRatesMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(places * (wordBytes + idBytes));
}

/** In atomic steps: a slot holds a token's ID, the second and the count. */
export function createTokenRates(memory: SharedArrayBuffer): TokenRates {
  const words = new BigInt64Array(memory, 0, places);
  const ids = new Int32Array(memory, places * wordBytes, places);

  const isIdle = (place: number, second: bigint) => Atomics.load(words, place) >> countBits < second;
  const placeOf = (tokenId: number, second: bigint): number => {
    const first = (tokenId % buckets) * ways;
    const own = Array.from({ length: ways }, (_, way) => first + way);
    const found = own.find((place) => Atomics.load(ids, place) === tokenId);
    if (found !== undefined) return found;
    for (const place of own) {
      const holder = Atomics.load(ids, place);
      if (isIdle(place, second) && Atomics.compareExchange(ids, place, holder, tokenId) === holder)
        return place;
    }
    return first;
  };
  return {
    count(tokenId, nowMs) {
      const second = BigInt(Math.floor(nowMs / 1000));
      const place = placeOf(tokenId, second);
      for (;;) {
        const before = Atomics.load(words, place);
        const used = before >> countBits === second ? before & countMax : 0n;
        if (used === countMax) return Number(used);
        const after = (second << countBits) | (used + 1n);
        if (Atomics.compareExchange(words, place, before, after) === before) return Number(used + 1n);
      }
    },
  };
}
