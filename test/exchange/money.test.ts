import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bidMicrosOf, cpmMicrosOf, cpmUsdOf, nanosOf, nanosPerUsd, usdOf } from '../../src/exchange/money.ts';
import { seeded } from '../support/seed.ts';

const microsPerUsd = 1_000_000;
const nanosPerMicro = 1000;
/** Amounts that a field takes, 1,000,000 USD at most, in its smallest unit. */
const micros = fc.oneof(fc.nat(10_000_000), fc.integer({ min: 0, max: 1_000_000 * microsPerUsd }));

test('amounts in USD of six decimals are whole numbers inside, and come back as they were', () => {
  fc.assert(
    fc.property(micros, (amount) => {
      const usd = amount / microsPerUsd;
      assert.deepEqual([cpmMicrosOf(usd), nanosOf(usd)], [amount, amount * nanosPerMicro]);
      assert.deepEqual([cpmUsdOf(amount), usdOf(amount * nanosPerMicro)], [usd, usd]);
      assert.deepEqual([bidMicrosOf(usd, 1000), bidMicrosOf(amount / nanosPerUsd, 1)], [amount, amount]);
    }),
    seeded(1000),
  );
});

test('what is finer is rounded to the nearest', () => {
  assert.deepEqual([0.000_000_4, 0.000_000_5, 1.000_000_6].map(cpmMicrosOf), [0, 1, 1_000_001]);
});

test('of a bid what is finer is cut off', () => {
  assert.deepEqual(
    [0.000_000_9, 0.000_001_5, 1.000_000_6].map((usd) => bidMicrosOf(usd, 1000)),
    [0, 1, 1_000_000],
  );
});
