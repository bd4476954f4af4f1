import { setImmediate as turn } from 'node:timers/promises';

const itemsPerTurn = 20;

/** A tick after every few items: a database in this thread would block all other work. */
export async function* withPauses<T>(items: Iterable<T>): AsyncGenerator<T> {
  let count = 0;
  for (const item of items) {
    yield item;
    count += 1;
    if (count % itemsPerTurn === 0) await turn();
  }
}
