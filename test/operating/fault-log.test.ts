import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFaultLog } from '../../src/fault-log.ts';
import { Refusal } from '../../src/fields/fault.ts';

test('what fails again and again is told once in ten seconds, with how often it has', () => {
  let nowMs = 0;
  const told: [atMs: number, what: string, why: string, repeated: number | undefined][] = [];
  const error = (details: { err: Error; repeated?: number }, what: string) => {
    told.push([nowMs, what, details.err.message, details.repeated]);
  };
  const tell = createFaultLog({ error } as never, () => nowMs);
  for (nowMs = 0; nowMs <= 20_000; nowMs += 1000) {
    tell(new Error('away'), 'a tracker failed');
    if (nowMs === 5000) tell(new Error('away'), 'counts could not be written');
    if (nowMs === 5000) tell(new Error('broken'), 'a tracker failed');
  }
  assert.deepEqual(told, [
    [0, 'a tracker failed', 'away', undefined],
    [5000, 'counts could not be written', 'away', undefined],
    [5000, 'a tracker failed', 'broken', undefined],
    [10_000, 'a tracker failed', 'away', 9],
    [20_000, 'a tracker failed', 'away', 9],
  ]);
});

test('no more than a hundred kinds are remembered', () => {
  let told = 0;
  const error = () => {
    told += 1;
  };
  const tell = createFaultLog({ error } as never, () => 0);
  for (let number = 0; number < 100; number += 1) tell(new Error(`fault ${number}`), 'failed');
  tell(new Error('fault 0'), 'failed');
  assert.equal(told, 100);
  tell(new Error('fault 100'), 'failed');
  tell(new Error('fault 1'), 'failed');
  assert.equal(told, 102);
});

test('that the database is away is a warning, without a stack', () => {
  const warned: unknown[] = [];
  const warn = (...line: unknown[]) => warned.push(line);
  const tell = createFaultLog({ warn, error: assert.fail } as never, () => 0);
  tell(new Refusal('unavailable', 'The database cannot be reached'), 'counts wait');
  assert.deepEqual(warned, [[{ reason: 'The database cannot be reached' }, 'counts wait']]);
});
