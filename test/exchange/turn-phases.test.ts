import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { untilTickRead } from '../../src/exchange/tick-phases.ts';

test('all that wait in one turn go on step by step, after what else that turn brings', async () => {
  const seen: string[] = [];
  const auction = async (name: string) => {
    await untilTickRead();
    seen.push(`${name} asks`);
    await undefined;
    seen.push(`${name} is settled`);
  };
  const both = Promise.all([auction('first'), auction('second')]);
  await undefined;
  seen.push('the rest is read');
  await both;
  assert.deepEqual(seen, [
    'the rest is read',
    'first asks',
    'second asks',
    'first is settled',
    'second is settled',
  ]);
});

test('what comes in the next turn waits for that', async () => {
  const first = untilTickRead();
  await setImmediate();
  await first;
  assert.notEqual(untilTickRead(), first);
});
