import { periodCounters, wordsOfRing } from '../../shared/period-counters.ts';
import { createTable, headWords, idleFor, type TableMemory, tableMemory } from '../../shared/table.ts';

/** In the current second, in memory that threads may share. */
export interface TokenRates {
  /** Returns the uses in this second, this one included. */
  count(tokenId: number, nowMs: number): number;
}

const buckets = 4096;
const ways = 8;
const cells = 1;
const secondsMax = 2 ** 30;

export const tokenRatesMemory = (): TableMemory => tableMemory(buckets * ways, ways, wordsOfRing(cells));

/** With more tokens of a bucket in a second than it has entries, some share one. */
export function createTokenRates(memory: TableMemory): TokenRates {
  const table = createTable(memory, { worth: idleFor(0) });
  const ring = periodCounters(new Int32Array(memory.words), cells);
  return {
    count(tokenId, nowMs) {
      const second = Math.floor(nowMs / 1000) % secondsMax;
      const entry = table.enter(tokenId, tokenId, second);
      const shared = (tokenId % buckets) * memory.wordsPerBucket;
      return ring.addNow((entry === -1 ? shared : entry) + headWords, second, 1) ?? 1;
    },
  };
}
