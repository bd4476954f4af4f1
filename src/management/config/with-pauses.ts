import { setImmediate as turn } from 'node:timers/promises';

const itemsPerTurn = 20;

/** The items, with a turn of the event loop after every few: a database in this thread would hold up all other work. */
export async function* withPauses<T>(items: Iterable<T>): AsyncGenerator<T> {
  let count = 0;
  for (const item of items) {
    yield item;
    count += 1;
    if (count % itemsPerTurn === 0) await turn();
  }
}
