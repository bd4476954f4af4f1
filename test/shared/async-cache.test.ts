import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createAsyncCache } from '../../src/shared/async-cache.ts';

function room(ages: { readonly freshMs: number; readonly usableMs?: number }) {
  const clock = { ms: 1_000_000 };
  const cache = createAsyncCache<number>(() => clock.ms, { ...ages, keysMax: 10 });
  const pending: { resolve: (value: number) => void; reject: (error: Error) => void }[] = [];
  const ask = (key = 'one') => {
    const value = cache(
      key,
      () => new Promise<number>((resolve, reject) => void pending.push({ resolve, reject })),
    );
    return value.then(String, ({ message }: Error) => message);
  };
  return { clock, ask, pending };
}

test('concurrent callers share a read, and each key has its own', async () => {
  const { ask, pending } = room({ freshMs: 10 });
  const asked = [ask(), ask(), ask('other')];
  assert.equal(pending.length, 2);
  for (const [index, { resolve }] of pending.entries()) resolve(index);
  assert.deepEqual(await Promise.all(asked), ['0', '0', '1']);
});

test('without an age for old values, the next caller waits for the new one, whichever way the clock went', async () => {
  for (const step of [10, -10]) {
    const { clock, ask, pending } = room({ freshMs: 10 });
    const first = ask();
    pending[0]?.resolve(1);
    assert.equal(await first, '1');
    clock.ms += step / 2;
    assert.equal(await ask(), '1');
    clock.ms += step / 2;
    const second = ask();
    pending[1]?.resolve(2);
    assert.equal(await second, '2');
  }
});

test('a usable value is answered while one next is read', async () => {
  const { clock, ask, pending } = room({ freshMs: 10, usableMs: 30 });
  const first = ask();
  pending[0]?.resolve(1);
  await first;
  clock.ms += 10;
  assert.deepEqual([await ask(), await ask(), pending.length], ['1', '1', 2]);
  pending[1]?.resolve(2);
  await turn();
  assert.equal(await ask(), '2');
  clock.ms += 30;
  const last = ask();
  pending[2]?.resolve(3);
  assert.equal(await last, '3');
});

test('failures are not cached, and a failed renewal leaves the old value', async () => {
  const { clock, ask, pending } = room({ freshMs: 10, usableMs: 30 });
  const failed = ask();
  pending[0]?.reject(new Error('away'));
  assert.equal(await failed, 'away');
  const first = ask();
  pending[1]?.resolve(1);
  await first;
  clock.ms += 10;
  assert.equal(await ask(), '1');
  pending[2]?.reject(new Error('away'));
  await turn();
  assert.deepEqual([await ask(), pending.length], ['1', 4]);
});
