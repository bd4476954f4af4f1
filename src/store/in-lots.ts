import { setImmediate as turn } from 'node:timers/promises';

const itemsPerLot = 100;

/** The items in lots; after each other work gets its turn, which a database in this process does not give it. */
export async function* inLots<T>(items: readonly T[]): AsyncGenerator<readonly T[]> {
  for (let from = 0; from < items.length; from += itemsPerLot) {
    yield items.slice(from, from + itemsPerLot);
    if (items.length > itemsPerLot) await turn();
  }
}
