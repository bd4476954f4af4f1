import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { createWritersTurn, writersTurnMemory } from '../../src/store/writers-turn.ts';

const takerModule = new URL('./turn-taker.ts', import.meta.url);

/** So many threads of one process, as they see their turn. */
function turns(threads: number) {
  const memory = writersTurnMemory(threads);
  return Array.from({ length: threads }, (_, self) => createWritersTurn(memory, self));
}

/** Notes the order in which the turns are taken. */
async function takenBy(turn: { take(): Promise<void> }, name: string, order: string[]): Promise<void> {
  await turn.take();
  order.push(name);
}

describe('the turn of writers', () => {
  test('is free at first, and again when it was given back', async () => {
    const [a] = turns(3);
    assert.ok(a);
    for (let time = 0; time < 3; time += 1) {
      await a.take();
      a.giveBack();
    }
  });

  test('wakes the next in the round when it is given back', async () => {
    const [a, b, c] = turns(3);
    assert.ok(a && b && c);
    const order: string[] = [];
    await a.take();
    const waiting = [takenBy(c, 'c', order), takenBy(b, 'b', order)];
    a.giveBack();
    await waiting[1];
    b.giveBack();
    await waiting[0];
    c.giveBack();
    assert.deepEqual(order, ['b', 'c']);
  });

  test('of a thread that has died goes on to the next', async () => {
    const [a, b, c] = turns(3);
    assert.ok(a && b && c);
    await b.take();
    const waiting = c.take();
    a.forsake(1);
    await waiting;
    b.giveBack();
    const order: string[] = [];
    const next = takenBy(a, 'a', order);
    c.giveBack();
    await next;
    assert.deepEqual(order, ['a']);
  });

  test('of a thread that died while it waited is passed over', async () => {
    const [a, b, c] = turns(3);
    assert.ok(a && b && c);
    await a.take();
    void b.take();
    a.forsake(1);
    const waiting = c.take();
    a.giveBack();
    await waiting;
  });

  test('is had by one of four real threads at a time', async () => {
    const threads = 4;
    const times = 400;
    const memory = writersTurnMemory(threads);
    const shared = new SharedArrayBuffer(8);
    const workers = Array.from(
      { length: threads },
      (_, self) => new Worker(takerModule, { workerData: { memory, shared, self, times } }),
    );
    await Promise.all(workers.map((worker) => once(worker, 'exit')));
    const [inside, total] = new Int32Array(shared);
    assert.deepEqual({ inside, total }, { inside: 0, total: threads * times });
  });
});
