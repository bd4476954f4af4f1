import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { attributeValue, otherValue } from '../../src/reference/cubes.ts';
import { createTopValues } from '../../src/statistics/top-values.ts';
import { randomStream, seeded } from '../support/seed.ts';

const most = 10;

test('values that come often keep their names, a flood of values that come once keeps few of them', () => {
  const topValues = createTopValues();
  const name = (object: string, day: number, value: string) => topValues.of(object, day).name(value, most);
  const random = randomStream();
  const told = new Map<string, number>();
  const count = (value: string) => {
    const shown = name('site:VastTag:1', 1, value);
    told.set(shown, (told.get(shown) ?? 0) + 1);
    return shown;
  };
  for (let request = 0; request < 5000; request += 1) count(`once-${request}`);
  // Late in the day, a site begins that has a fifth of what comes.
  let lastNamed = 0;
  for (let request = 0; request < 5000; request += 1) {
    if (random() < 0.2) lastNamed = count('late.example') === 'late.example' ? lastNamed + 1 : 0;
    else count(`again-once-${request}`);
  }
  assert.ok(lastNamed > 0, 'the site that came late has its name at the end');
  const named = [...told.keys()].filter((value) => value !== otherValue);
  assert.ok(named.length <= most, `${named.length} names`);
  assert.equal(
    [...told.values()].reduce((sum, times) => sum + times, 0),
    10_000,
  );
});

test('no value that is sent is the one of the rest, and each keeps its own', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (one, other) => {
      assert.notEqual(attributeValue(one), otherValue);
      const plain = (text: string) =>
        text
          .slice(0, 128)
          .replaceAll(/\p{Cc}/gu, '')
          .toWellFormed();
      if (plain(one) !== plain(other)) assert.notEqual(attributeValue(one), attributeValue(other));
    }),
    {
      ...seeded(500),
      examples: [
        ['other', '\\other'],
        ['\\', '\\\\'],
        ['\\\\other', '\\other'],
      ],
    },
  );
});

test('the next day, and another object, have room again', () => {
  const topValues = createTopValues();
  const name = (object: string, day: number, value: string) => topValues.of(object, day).name(value, most);
  for (let value = 0; value < 3 * most; value += 1) name('a', 1, `v${value}`);
  assert.equal(name('a', 1, 'fresh'), otherValue);
  assert.deepEqual([name('a', 2, 'fresh'), name('b', 1, 'fresh')], ['fresh', 'fresh']);
});
