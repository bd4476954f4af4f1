import { setImmediate as turn } from 'node:timers/promises';

const itemsPerLot = 100;

/** A tick after every few batches: a database in this thread would otherwise block all other work. */
export async function* inBatches<T>(items: readonly T[]): AsyncGenerator<readonly T[]> {
  for (let from = 0; from < items.length; from += itemsPerLot) {
    yield items.slice(from, from + itemsPerLot);
    if (items.length > itemsPerLot) await turn();
  }
}
