import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { claimsMemory, createProcessClaims } from '../../src/statistics/process-claims.ts';

const worker = new URL('./claiming-thread.ts', import.meta.url);

describe('claims of a process', () => {
  test('are exact among threads that claim the same at once', async () => {
    const memory = claimsMemory(1 << 10);
    const [threads, auctions] = [4, 3000];
    const told = await Promise.all(
      Array.from({ length: threads }, async (_, thread) => {
        const [firsts] = await once(
          new Worker(worker, { workerData: { memory, thread, auctions } }),
          'message',
        );
        return firsts as readonly string[];
      }),
    );
    const firsts = told.flat();
    assert.equal(new Set(firsts).size, firsts.length, 'two threads were first');
    // Of each auction either the loss, or a win, or a bill, or these two: whoever lost one gives the other back.
    const auctionsClaimed = new Set(firsts.map((name) => name.split(' ')[0]));
    assert.equal(auctionsClaimed.size, auctions);
    const lost = firsts.filter((name) => name.endsWith('losses')).map((name) => name.split(' ')[0]);
    for (const auction of lost) {
      assert.equal(firsts.filter((name) => name.startsWith(`${auction} `)).length, 1);
    }
  });

  test('wait for whoever is at it, and are free again when that thread is gone', () => {
    const memory = claimsMemory(1 << 4);
    const [one, other] = [0, 1].map((thread) => createProcessClaims(memory, thread));
    assert.ok(one && other);
    assert.equal(one.take('a', ['wins', 'bills']), 'first');
    assert.equal(other.take('a', ['bills']), 'pending');
    other.release(0);
    assert.equal(other.take('a', ['bills']), 'first');
    assert.equal(one.take('a', ['wins', 'bills']), 'pending');
    other.keep('a', ['bills']);
    assert.equal(one.take('a', ['wins', 'bills']), 'taken');
    assert.equal(one.take('a', ['wins']), 'first', 'it was given back');
  });

  test('go on where a thread was killed in the middle of a step', () => {
    const memory = claimsMemory(1 << 4);
    const words = new Int32Array(memory.words);
    const parts = 64;
    // As killed threads leave them.
    for (let part = 0; part < parts; part += 1) words[part * (words.length / parts)] = 1;
    const claims = createProcessClaims(memory, 0);
    assert.equal(claims.take('a', ['bills']), 'first');
    assert.equal(claims.take('a', ['bills']), 'pending');
  });

  test('are bounded: those of long ago are forgotten, those of late are not', () => {
    const places = 1 << 6;
    const claims = createProcessClaims(claimsMemory(places), 0);
    const names = Array.from({ length: 64 * places * 4 }, (_, index) => `a${index}`);
    for (const name of names) {
      assert.equal(claims.take(name, ['bills']), 'first');
      claims.keep(name, ['bills']);
    }
    const remembered = names.slice(-Math.floor(64 * places * 0.5));
    for (const name of remembered) assert.equal(claims.take(name, ['bills']), 'taken', name);
    assert.equal(claims.take('a0', ['bills']), 'first');
  });
});
