import assert from 'node:assert/strict';
import { test } from 'node:test';
import { within } from '../../src/management/service/within.ts';

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

test('a value in time is handed on, as is a failure, and no timer stays behind', async () => {
  const before = timers();
  assert.equal(await within(600_000, Promise.resolve(7), 'late'), 7);
  await assert.rejects(within(600_000, Promise.reject(new Error('away')), 'late'), /^Error: away$/);
  assert.equal(timers(), before);
});

test('what takes longer is a failure with the text', async () => {
  await assert.rejects(within(1, new Promise(() => undefined), 'late'), /^Error: late$/);
});
