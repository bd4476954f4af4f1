import { setImmediate as turn } from 'node:timers/promises';

const itemsPerLot = 100;

/**
 * The items in lots. After each of several lots the event loop turns once: a database in this thread would otherwise
 * keep all other work waiting.
 */
export async function* inBatches<T>(items: readonly T[]): AsyncGenerator<readonly T[]> {
  for (let from = 0; from < items.length; from += itemsPerLot) {
    yield items.slice(from, from + itemsPerLot);
    if (items.length > itemsPerLot) await turn();
  }
}
