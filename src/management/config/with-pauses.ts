import { setImmediate as turn } from 'node:timers/promises';

const itemsPerTurn = 20;

/**
 * The items one after the other. Every few items the event loop turns once: a database in this thread would otherwise
 * keep all other work waiting.
 */
export async function* withPauses<T>(items: Iterable<T>): AsyncGenerator<T> {
  let count = 0;
  for (const item of items) {
    yield item;
    count += 1;
    if (count % itemsPerTurn === 0) await turn();
  }
}
