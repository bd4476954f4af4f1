import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClockCache } from '../../../src/exchange/snapshot/decoded-object.ts';

test('so many stay open, and what is asked for stays open longest', () => {
  const closed: number[] = [];
  const ring = createClockCache<{ id: number; isRecent: boolean }>(10, ({ id }) => closed.push(id));
  const busy = { id: 0, isRecent: true };
  ring.add(busy);
  for (let id = 1; id <= 100; id += 1) {
    ring.add({ id, isRecent: id % 2 === 0 });
    busy.isRecent = true;
  }
  assert.equal(closed.length, 91);
  assert.equal(new Set(closed).size, 91, 'nothing is closed twice');
  assert.ok(!closed.includes(0));
});
