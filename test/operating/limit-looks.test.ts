import assert from 'node:assert/strict';
import { test } from 'node:test';
import { restAfterMs } from '../../src/serving/limit-sync.ts';

test('looks at what other machines count begin every two seconds; slow ones rest as long, and five seconds at most', () => {
  const rests = { 0: 2000, 200: 1800, 1000: 1000, 3000: 3000, 60000: 5000 };
  for (const [took, rest] of Object.entries(rests)) assert.equal(restAfterMs(Number(took)), rest, took);
});
