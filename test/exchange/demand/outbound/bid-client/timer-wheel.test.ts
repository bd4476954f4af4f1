import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  TimerWheel,
  WheelTimer,
} from '../../../../../src/exchange/demand/outbound/bid-client/timer-wheel.ts';
import { randomStream } from '../../../../support/seed.ts';

class Noted extends WheelTimer {
  readonly #onEnd: (timer: Noted) => void;
  readonly dueMs: number;

  constructor(dueMs: number, onEnd: (timer: Noted) => void) {
    super();
    this.dueMs = dueMs;
    this.#onEnd = onEnd;
  }

  override expire(): void {
    this.#onEnd(this);
  }
}

/** A wheel by a clock that the test moves; it wakes as late as `lateMs` says. */
function openWheel(lateMs: () => number = () => 0) {
  const clock = { ms: 1_000.5 };
  let waking: { readonly atMs: number; readonly tick: () => void } | undefined;
  const wheel = new TimerWheel({
    now: () => clock.ms,
    wake: (tick, delayMs) => {
      assert.equal(waking, undefined, 'one timer at a time');
      waking = { atMs: clock.ms + delayMs + lateMs(), tick };
    },
  });
  const moveTo = (ms: number) => {
    while (waking !== undefined && waking.atMs <= ms) {
      const { atMs, tick } = waking;
      clock.ms = Math.max(clock.ms, atMs);
      waking = undefined;
      tick();
    }
    clock.ms = Math.max(clock.ms, ms);
  };
  return { wheel, clock, moveTo, isWaking: () => waking !== undefined };
}

test('each timer ends once, never early, late by a tick at most, also after several rounds of the wheel', () => {
  const { wheel, clock, moveTo, isWaking } = openWheel();
  const random = randomStream(1);
  const ended: Noted[] = [];
  const removed = new Set<Noted>();
  const all: Noted[] = [];
  for (let n = 0; n < 2_000; n += 1) {
    moveTo(clock.ms + random() * 5);
    const delayMs = random() * (n % 10 === 0 ? 9_000 : 300);
    const timer = new Noted(clock.ms + delayMs, (one) => {
      assert.ok(clock.ms >= one.dueMs, `${one.dueMs - clock.ms} ms early`);
      assert.ok(clock.ms <= one.dueMs + 4.1, `${clock.ms - one.dueMs} ms late`);
      ended.push(one);
    });
    wheel.add(timer, delayMs);
    all.push(timer);
    const other = all[Math.floor(random() * all.length)];
    if (other !== undefined && random() < 0.3 && !ended.includes(other)) {
      wheel.remove(other);
      wheel.remove(other);
      removed.add(other);
    }
  }
  moveTo(clock.ms + 20_000);
  assert.equal(new Set(ended).size, ended.length, 'none ends twice');
  assert.deepEqual(new Set([...ended, ...removed]), new Set(all));
  assert.equal(ended.filter((timer) => removed.has(timer)).length, 0);
  assert.equal(isWaking(), false, 'an empty wheel does not turn');
});

test('after a pause longer than a round all that is due ends, and nothing else', () => {
  const { wheel, moveTo, clock } = openWheel(() => 10_000);
  const ended: Noted[] = [];
  const timers = [0, 1, 500, 2_047, 2_049, 4_096, 9_999, 30_000].map((delayMs) => {
    const timer = new Noted(clock.ms + delayMs, (one) => ended.push(one));
    wheel.add(timer, delayMs);
    return timer;
  });
  moveTo(clock.ms + 10_010);
  assert.deepEqual(new Set(ended), new Set(timers.slice(0, -1)));
  moveTo(clock.ms + 60_000);
  assert.equal(ended.length, timers.length);
});

test('one that ends may take out its neighbours, and add others', () => {
  const { wheel, moveTo, clock } = openWheel();
  const ended: string[] = [];
  const neighbour = new Noted(0, () => ended.push('neighbour'));
  const later = new Noted(0, () => ended.push('later'));
  const first = new Noted(0, () => {
    ended.push('first');
    wheel.remove(neighbour);
    wheel.add(later, 3);
  });
  const last = new Noted(0, () => ended.push('last'));
  for (const timer of [first, neighbour, last]) wheel.add(timer, 10);
  moveTo(clock.ms + 14);
  assert.deepEqual(ended, ['first', 'last']);
  moveTo(clock.ms + 20);
  assert.deepEqual(ended, ['first', 'last', 'later']);
});
