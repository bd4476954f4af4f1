import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { periodCounters, wordsOfRing } from '../../src/shared/period-counters.ts';
import { seeded } from '../support/seed.ts';

const cells = 4;

function ringOf(): ReturnType<typeof periodCounters> {
  const words = wordsOfRing(cells) * 3;
  return periodCounters(new Int32Array(new SharedArrayBuffer(words * Int32Array.BYTES_PER_ELEMENT)), cells);
}

/** The middle one of three rings, so that a count beside it would be seen. */
const at = wordsOfRing(cells);
const rings = [0, at, 2 * at];

const senseless = [
  Number.NaN,
  -1,
  -0.5,
  0.5,
  1.5,
  2 ** 31 - 1,
  2 ** 31,
  1e15,
  1e300,
  -1e300,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
];

test('numbers that are none of a period count nothing, and end', () => {
  for (const period of senseless) {
    const ring = ringOf();
    assert.equal(ring.add(at, period, 1), undefined, String(period));
    assert.equal(ring.addNow(at, period, 1), undefined, String(period));
    for (const one of rings) assert.equal(ring.sum(one, 0, cells), 0, String(period));
  }
});

test('sums end, whatever they are asked for, and are those of the periods that a ring holds', () => {
  const beyond = [
    Number.NaN,
    -1,
    2 ** 31,
    1e15,
    1e300,
    -1e300,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ];
  const bound = fc.oneof(fc.constantFrom(...beyond), fc.integer({ min: 0, max: 12 }));
  const steps = fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 20 });
  fc.assert(
    fc.property(steps, bound, bound, (periods, from, to) => {
      const ring = ringOf();
      const held = new Map<number, readonly [period: number, count: number]>();
      for (const period of periods) {
        ring.addNow(at, period, 1);
        const [known, count] = held.get(period % cells) ?? [period, 0];
        held.set(period % cells, [period, known === period ? count + 1 : 1]);
      }
      const expected = [...held.values()]
        .filter(([period]) => period >= from && period <= to && period > to - cells)
        .reduce((sum, [, count]) => sum + count, 0);
      assert.equal(ring.sum(at, from, to), expected);
    }),
    seeded(500),
  );
});
