import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createRecentCache } from '../../src/shared/recent-cache.ts';
import { seeded } from '../support/seed.ts';

test('what is recent stays, and there is never more than the bound', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 30 }), { maxLength: 200, size: 'max' }), (keys) => {
      const recent = createRecentCache<number, number>(10);
      for (const key of keys) {
        recent.set(key, key);
        assert.equal(recent.get(key), key);
      }
      const last = [...new Set(keys.toReversed())].slice(0, 5);
      for (const key of last) assert.equal(recent.get(key), key);
      const fresh = createRecentCache<number, number>(10);
      for (const key of keys) fresh.set(key, key);
      const known = Array.from({ length: 31 }, (_, key) => key).filter((key) => fresh.get(key) === key);
      assert.ok(known.length <= 10);
    }),
    seeded(100),
  );
});

test('what is asked for again and again is never forgotten', () => {
  const recent = createRecentCache<number, number>(10);
  recent.set(0, 0);
  for (let key = 1; key < 100; key += 1) {
    assert.equal(recent.get(0), 0);
    recent.set(key, key);
  }
});

test('it takes no more room than the bound, by the sizes of its entries', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat({ max: 9 }), fc.integer({ min: 1, max: 6 })), { maxLength: 100 }),
      (sets) => {
        const recent = createRecentCache<number, number>(20, (_, size) => size);
        const last = new Map<number, number>();
        for (const [key, size] of sets) {
          recent.set(key, size);
          last.set(key, size);
          assert.equal(recent.get(key), size);
        }
        const fresh = createRecentCache<number, number>(20, (_, size) => size);
        for (const [key, size] of sets) fresh.set(key, size);
        const known = [...last].filter(([key, size]) => fresh.get(key) === size);
        assert.ok(known.reduce((sum, [, size]) => sum + size, 0) <= 20);
      },
    ),
    seeded(100),
  );
});

test('what is deleted is gone from both halves, and is made again', () => {
  const recent = createRecentCache<string, number>(4);
  recent.set('one', 1);
  for (const key of ['two', 'three']) recent.set(key, 0);
  assert.equal(recent.getOrMake('one', assert.fail), 1);
  recent.delete('one');
  assert.equal(recent.get('one'), undefined);
  assert.equal(
    recent.getOrMake('one', () => 2),
    2,
  );
});
