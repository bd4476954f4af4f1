import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crewMemory, joinCrew } from '../../src/serving/crew.ts';

test('a thread is asked from when it takes requests until it is gone', async () => {
  const memory = crewMemory(3);
  const [first, second, third] = [0, 1, 2].map((number) => joinCrew(memory, number));
  assert.ok(first && second && third);
  const crew = [first, second, third];
  for (const { number, peers } of crew) peers.onAsk('number', async () => number);
  const answersTo = async ({ peers }: typeof first) => [...(await peers.ask('number'))].sort();
  assert.deepEqual(await answersTo(first), []);
  third.arrive();
  assert.deepEqual(await answersTo(first), [2], 'nobody answers before it is there');
  second.arrive();
  assert.deepEqual(await answersTo(first), [1, 2]);
  assert.deepEqual(await answersTo(third), [0, 1]);
  third.peers.close();
  first.forsake(2);
  first.forsake(2);
  assert.deepEqual(await answersTo(first), [1], 'nobody waits for who is gone');
  for (const { peers } of [first, second]) peers.close();
});

test('a thread that comes while a question is open is not waited for', {
  timeout: 10_000,
}, async (context) => {
  // The time that answers may take never passes.
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const memory = crewMemory(3);
  const [first, second] = [0, 1].map((number) => joinCrew(memory, number));
  assert.ok(first && second);
  second.peers.onAsk('number', async () => 1);
  second.arrive();
  const answers = first.peers.ask('number');
  // It has not heard the question.
  const third = joinCrew(memory, 2);
  third.arrive();
  assert.deepEqual(await answers, [1]);
  for (const { peers } of [first, second, third]) peers.close();
});
