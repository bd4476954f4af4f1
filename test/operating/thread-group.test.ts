import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinAsConsumer, joinThreadGroup, threadGroupMemory } from '../../src/serving/thread-group.ts';

test('a thread is asked from when it takes requests until it is gone', async () => {
  const memory = threadGroupMemory(3);
  const [first, second, third] = [0, 1, 2].map((number) => joinThreadGroup(memory, number));
  assert.ok(first && second && third);
  const threads = [first, second, third];
  for (const { number, channel } of threads) channel.respond('number', async () => number);
  const answersTo = async ({ channel }: typeof first) => [...(await channel.request('number'))].sort();
  assert.deepEqual(await answersTo(first), []);
  third.markReady();
  assert.deepEqual(await answersTo(first), [2], 'nobody answers before it is there');
  second.markReady();
  assert.deepEqual(await answersTo(first), [1, 2]);
  assert.deepEqual(await answersTo(third), [0, 1]);
  third.channel.close();
  first.release(2);
  first.release(2);
  assert.deepEqual(await answersTo(first), [1], 'nobody waits for who is gone');
  for (const { channel } of [first, second]) channel.close();
});

test('a thread that comes while a question is open is not waited for', {
  timeout: 10_000,
}, async (context) => {
  // The time that answers may take never passes.
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const memory = threadGroupMemory(3);
  const [first, second] = [0, 1].map((number) => joinThreadGroup(memory, number));
  assert.ok(first && second);
  second.channel.respond('number', async () => 1);
  second.markReady();
  const answers = first.channel.request('number');
  // It has not heard the question.
  const third = joinThreadGroup(memory, 2);
  third.markReady();
  assert.deepEqual(await answers, [1]);
  for (const { channel } of [first, second, third]) channel.close();
});

test('a thread of another version does not join', () => {
  const memory = { ...threadGroupMemory(2), program: '0.0.1' };
  for (const join of [() => joinThreadGroup(memory, 1), () => joinAsConsumer(memory)])
    assert.throws(join, /^Error: Bourse 0\.0\.1 was replaced by \S+ while it ran; restart the server/);
});
