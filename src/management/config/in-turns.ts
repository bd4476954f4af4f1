import { setImmediate as turn } from 'node:timers/promises';

const itemsPerTurn = 20;

/** The items one after the other; every few of them, other work gets its turn, which a database in this process does not give it. */
export async function* inTurns<T>(items: Iterable<T>): AsyncGenerator<T> {
  let count = 0;
  for (const item of items) {
    yield item;
    count += 1;
    if (count % itemsPerTurn === 0) await turn();
  }
}
