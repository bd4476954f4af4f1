import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { bodyBudgetMemory, createBodyBudget } from '../../../src/management/http/body-budget.ts';
import { createBodyQueue } from '../../../src/management/http/body-queue.ts';
import { refused } from '../../identity/refused.ts';

const mebibyte = 1024 * 1024;

suite('the budget of bodies', () => {
  test('has room for 64 MiB of a team, and 128 MiB of all, over all threads', () => {
    const memory = bodyBudgetMemory(3);
    const [first, second, third] = [0, 1, 2].map((thread) => createBodyBudget(memory, thread));
    assert.ok(first && second && third);
    assert.equal(first.take(1, 40 * mebibyte), 'taken');
    assert.equal(second.take(1, 24 * mebibyte + 1), 'team');
    assert.equal(second.take(1, 24 * mebibyte), 'taken');
    assert.equal(third.take(2, 64 * mebibyte), 'taken');
    assert.equal(first.take(3, 1), 'all');
    second.release(1, 24 * mebibyte);
    assert.equal(first.take(3, 24 * mebibyte), 'taken');
    assert.equal(third.take(3, 1), 'all');
  });
  test('gets back what a thread held that has ended', () => {
    const memory = bodyBudgetMemory(2);
    const [first, second] = [0, 1].map((thread) => createBodyBudget(memory, thread));
    assert.ok(first && second);
    assert.equal(second.take(7, 64 * mebibyte), 'taken');
    assert.equal(first.take(7, 1), 'team');
    first.releaseThread(1);
    assert.equal(first.take(7, 64 * mebibyte), 'taken');
  });
});

/** A gate whose clock stands still, and what has entered it, in order. */
function gateOf(context: TestContext, budget = createBodyBudget(bodyBudgetMemory(1), 0)) {
  context.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  const gate = createBodyQueue(budget);
  const entered: string[] = [];
  const enter = (name: string, teamId: number, mebibytes: number) => {
    const entry = gate.acquire(teamId, mebibytes * mebibyte);
    entry.then(
      () => entered.push(name),
      () => undefined,
    );
    return entry;
  };
  /** What has entered since it was asked last. */
  const news = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return entered.splice(0);
  };
  return { enter, news, pass: (ms: number) => context.mock.timers.tick(ms) };
}

suite('the gate of bodies', () => {
  test('lets in whoever came first, but lets nobody wait for a team that has too much in work', async (context) => {
    const { enter, news } = gateOf(context);
    const leave = await enter('a1', 1, 60);
    const later = [enter('a2', 1, 60), enter('a3', 1, 10), enter('b1', 2, 60)];
    assert.deepEqual(await news(), ['a1', 'b1']);
    leave();
    leave();
    assert.deepEqual(await news(), ['a2'], 'a3 came after a2');
    (await later[0])?.();
    assert.deepEqual(await news(), ['a3']);
  });
  test('lets none overtake one that waits for room of all', async (context) => {
    const { enter, news } = gateOf(context);
    const leave = await enter('a', 1, 64);
    await enter('b', 2, 40);
    void enter('c', 3, 60);
    void enter('d', 4, 1);
    assert.deepEqual(await news(), ['a', 'b']);
    leave();
    assert.deepEqual(await news(), ['c', 'd']);
  });
  test('refuses with a time to try again after 30 seconds, and then lets in the next', async (context) => {
    const { enter, news, pass } = gateOf(context);
    const leave = await enter('a1', 1, 64);
    const late = enter('a2', 1, 64);
    pass(29_999);
    const next = enter('a3', 1, 64);
    pass(1);
    const { retryAfterSeconds } = await refused(late, 'unavailable', /large bodies/);
    assert.equal(retryAfterSeconds, 10);
    leave();
    await next;
    assert.deepEqual(await news(), ['a1', 'a3']);
  });
  test('refuses at once where 64 of a team wait, or 256 of all', async (context) => {
    const { enter } = gateOf(context);
    for (const team of [1, 2, 3, 4]) {
      void enter('first', team, 32);
      for (let count = 0; count < 64; count += 1) enter('waiting', team, 64).catch(() => undefined);
      await refused(enter('one too many', team, 64), 'unavailable');
    }
    await refused(enter('too many of all', 5, 1), 'unavailable');
  });
  test('looks whether another thread has made room', async (context) => {
    const memory = bodyBudgetMemory(2);
    const other = createBodyBudget(memory, 1);
    const { enter, news, pass } = gateOf(context, createBodyBudget(memory, 0));
    assert.equal(other.take(1, 64 * mebibyte), 'taken');
    void enter('a', 1, 1);
    assert.deepEqual(await news(), []);
    other.release(1, 64 * mebibyte);
    pass(50);
    assert.deepEqual(await news(), ['a']);
  });
});
