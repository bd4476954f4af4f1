import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { compareHealth, type RankedHealth } from '../../src/management/statistics/team-health.ts';
import { healthStateNames } from '../../src/reference/health-states.ts';
import { seeded } from '../support/seed.ts';

const ranked = (name: string, known: Partial<RankedHealth> = {}): RankedHealth => ({
  ...{ kind: 'VastTag', id: 1, name, state: 'ok', trouble: 0, traffic: 0 },
  ...known,
});

describe('the order of health', () => {
  test('is by state, by the share that goes wrong, by traffic, by name', () => {
    const all = [
      ranked('idle', { state: 'idle' }),
      ranked('busy', { trouble: 0.01, traffic: 900 }),
      ranked('worse', { trouble: 0.3, traffic: 10 }),
      ranked('quiet', { trouble: 0.01, traffic: 90 }),
      ranked('campaign', { traffic: 500 }),
      ranked('also campaign', { traffic: 500 }),
      ranked('off', { state: 'inactive' }),
      ranked('paused', { state: 'paused' }),
      ranked('lacking', { state: 'not_ready' }),
    ];
    assert.deepEqual(
      all.toSorted(compareHealth).map(({ name }) => name),
      ['lacking', 'paused', 'worse', 'busy', 'quiet', 'also campaign', 'campaign', 'idle', 'off'],
    );
  });

  test('is the same for some of the objects without the others', () => {
    const one = fc.record({
      id: fc.nat(),
      name: fc.constantFrom('a', 'b'),
      state: fc.constantFrom(...healthStateNames),
      trouble: fc.constantFrom(0, 0.5, 1),
      traffic: fc.nat(2),
      isTaken: fc.boolean(),
    });
    const isTaken = (row: { readonly isTaken: boolean }) => row.isTaken;
    fc.assert(
      fc.property(fc.array(one), (all) =>
        assert.deepEqual(
          all.toSorted(compareHealth).filter(isTaken),
          all.filter(isTaken).toSorted(compareHealth),
        ),
      ),
      seeded(300),
    );
  });
});
