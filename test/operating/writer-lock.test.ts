import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { createWriterLock, writerLockMemory } from '../../src/threads/writer-lock.ts';

const takerModule = new URL('./lock-taker.ts', import.meta.url);

/** So many threads of one process, as they see their lock. */
function locks(threads: number) {
  const memory = writerLockMemory(threads);
  return Array.from({ length: threads }, (_, self) => createWriterLock(memory, self));
}

/** Notes the order in which the locks are taken. */
async function takenBy(lock: { acquire(): Promise<void> }, name: string, order: string[]): Promise<void> {
  await lock.acquire();
  order.push(name);
}

describe('the lock of writers', () => {
  test('is free at first, and again when it was released', async () => {
    const [a] = locks(3);
    assert.ok(a);
    for (let time = 0; time < 3; time += 1) {
      await a.acquire();
      a.release();
    }
  });

  test('wakes the next in the round when it is released', async () => {
    const [a, b, c] = locks(3);
    assert.ok(a && b && c);
    const order: string[] = [];
    await a.acquire();
    const waiting = [takenBy(c, 'c', order), takenBy(b, 'b', order)];
    a.release();
    await waiting[1];
    b.release();
    await waiting[0];
    c.release();
    assert.deepEqual(order, ['b', 'c']);
  });

  test('of a thread that has died goes on to the next', async () => {
    const [a, b, c] = locks(3);
    assert.ok(a && b && c);
    await b.acquire();
    const waiting = c.acquire();
    a.release(1);
    await waiting;
    b.release();
    const order: string[] = [];
    const next = takenBy(a, 'a', order);
    c.release();
    await next;
    assert.deepEqual(order, ['a']);
  });

  test('of a thread that died while it waited is passed over', async () => {
    const [a, b, c] = locks(3);
    assert.ok(a && b && c);
    await a.acquire();
    const late = b.acquire();
    a.release(1);
    const waiting = c.acquire();
    a.release();
    await waiting;
    // It lives after all, and has its turn.
    c.release();
    await late;
  });

  test('is had by one of four real threads at a time', async () => {
    const threads = 4;
    const times = 400;
    const memory = writerLockMemory(threads);
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
