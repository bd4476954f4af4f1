import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  type CircuitBreaker,
  createCircuitBreaker,
} from '../../../../src/exchange/demand/outbound/circuit-breaker.ts';
import { seeded } from '../../../support/seed.ts';

const settings = { windowMs: 10_000, failuresMin: 5, failureShare: 0.8, pauseMs: 1_000, pauseMaxMs: 8_000 };

function breakerAt(clock: { ms: number }, random = 0): CircuitBreaker {
  return createCircuitBreaker({ ...settings, now: () => clock.ms, random: () => random });
}

/** Makes a call that ends at once; false where the breaker did not admit it. */
function call(breaker: CircuitBreaker, isSuccess: boolean): boolean {
  const ticket = breaker.admit();
  if (ticket === undefined) return false;
  breaker.report(ticket, isSuccess);
  return true;
}

const many = (breaker: CircuitBreaker, times: number, isSuccess: boolean) =>
  Array.from({ length: times }, () => call(breaker, isSuccess)).filter(Boolean).length;

describe('a circuit breaker', () => {
  test('opens with the fifth failure', () => {
    const breaker = breakerAt({ ms: 0 });
    assert.equal(many(breaker, 100, false), 5);
  });

  test('forgives failures among enough successes', () => {
    const breaker = breakerAt({ ms: 0 });
    many(breaker, 20, true);
    assert.equal(many(breaker, 70, false), 70);
  });

  test('opens where just the share of the calls has failed', () => {
    const breaker = breakerAt({ ms: 0 });
    many(breaker, 2, true);
    assert.equal(many(breaker, 100, false), 8);
  });

  test('forgets the failures of an earlier span', () => {
    const clock = { ms: 0 };
    const breaker = breakerAt(clock);
    assert.equal(many(breaker, 4, false), 4);
    clock.ms = 10_000;
    assert.equal(many(breaker, 4, false), 4);
    assert.equal(call(breaker, true), true);
  });

  test('admits one probe after the pause, and nothing beside it', () => {
    const clock = { ms: 0 };
    const breaker = breakerAt(clock);
    many(breaker, 5, false);
    clock.ms = 999;
    assert.equal(breaker.admit(), undefined);
    clock.ms = 1_000;
    const probe = breaker.admit();
    assert.notEqual(probe, undefined);
    assert.equal(breaker.admit(), undefined);
    breaker.report(probe ?? 0, true);
    assert.equal(many(breaker, 3, true), 3);
  });

  test('is paused until the next call may pass, also where none ever comes, and while a probe is under way', () => {
    const clock = { ms: 0 };
    const breaker = breakerAt(clock);
    assert.equal(breaker.isPaused(), false);
    many(breaker, 5, false);
    clock.ms = 999;
    assert.equal(breaker.isPaused(), true);
    clock.ms = 1_000;
    assert.equal(breaker.isPaused(), false);
    const probe = breaker.admit();
    assert.equal(breaker.isPaused(), true);
    breaker.report(probe ?? 0, false);
    assert.equal(breaker.isPaused(), true);
    clock.ms = 3_000;
    assert.equal(breaker.isPaused(), false);
    call(breaker, true);
    assert.equal(breaker.isPaused(), false);
  });

  test('pauses up to a quarter longer, as chance has it', () => {
    const clock = { ms: 0 };
    const breaker = breakerAt(clock, 0.8);
    many(breaker, 5, false);
    clock.ms = 1_199;
    assert.equal(breaker.admit(), undefined);
    clock.ms = 1_200;
    assert.notEqual(breaker.admit(), undefined);
  });

  test('doubles the pause with every probe that fails, up to a bound, and starts anew after a success', () => {
    const clock = { ms: 0 };
    const breaker = breakerAt(clock);
    many(breaker, 5, false);
    const pauses = [1_000, 2_000, 4_000, 8_000, 8_000];
    for (const pause of pauses) {
      clock.ms += pause - 1;
      assert.equal(breaker.admit(), undefined);
      clock.ms += 1;
      assert.equal(call(breaker, false), true);
    }
    clock.ms += 8_000;
    call(breaker, true);
    many(breaker, 5, false);
    clock.ms += 1_000;
    assert.equal(call(breaker, true), true);
  });

  test('hears nothing of calls from before it opened', () => {
    const clock = { ms: 0 };
    const breaker = breakerAt(clock);
    const slow = breaker.admit() ?? 0;
    many(breaker, 5, false);
    breaker.report(slow, true);
    assert.equal(breaker.admit(), undefined);
  });

  test('whatever happens, a failing partner is called at most five times, and then once a pause', () => {
    const steps = fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 1, maxLength: 200, size: 'max' });
    fc.assert(
      fc.property(steps, (waits) => {
        const clock = { ms: 0 };
        const breaker = breakerAt(clock);
        many(breaker, 5, false);
        let calledMs = 0;
        for (const wait of waits) {
          clock.ms += wait;
          if (!call(breaker, false)) continue;
          assert.ok(clock.ms - calledMs >= settings.pauseMs);
          calledMs = clock.ms;
        }
      }),
      seeded(200),
    );
  });

  test('whatever happens, a partner that is well again is called again', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 300, size: 'max' }), (results) => {
        const clock = { ms: 0 };
        const breaker = breakerAt(clock);
        for (const isSuccess of results) {
          clock.ms += 100;
          call(breaker, isSuccess);
        }
        clock.ms += settings.pauseMaxMs;
        assert.equal(call(breaker, true), true);
        assert.equal(call(breaker, true), true);
      }),
      seeded(200),
    );
  });
});
