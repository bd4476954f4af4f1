import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withTimeout } from '../../src/management/service/with-timeout.ts';

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

test('a value in time is handed on, as is a failure, and no timer stays behind', async () => {
  const before = timers();
  assert.equal(await withTimeout(600_000, Promise.resolve(7), 'late'), 7);
  await assert.rejects(withTimeout(600_000, Promise.reject(new Error('away')), 'late'), /^Error: away$/);
  assert.equal(timers(), before);
});

test('what takes longer is a failure with the text', async () => {
  await assert.rejects(withTimeout(1, new Promise(() => undefined), 'late'), /^Error: late$/);
});
