import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createLimits, limitsMemory } from '../../../src/exchange/limits/create-limits.ts';
import type { Limits } from '../../../src/exchange/limits/limits.ts';
import {
  minutesAtAddress,
  minutesFor,
  type Promised,
  type PromisedIn,
} from '../../../src/exchange/limits/promised.ts';
import { nanosOf } from '../../../src/exchange/money.ts';
import type { IpAddress } from '../../../src/exchange/opportunity.ts';
import { isRefusal } from '../../../src/exchange/reasons.ts';
import type { Limited } from '../../../src/exchange/snapshot/limited.ts';
import { dayOf, hourOf } from '../../../src/statistics/days.ts';
import { randomFrom, seeded } from '../../support/seed.ts';
import { auctionAt, countedOf, dayMs, limited, midnightMs, smallSize } from './limited.ts';

const minuteMs = 60_000;

/** What a second of traffic does. */
interface Step {
  readonly gapMs: number;
  /** How long the auction took until it promised. */
  readonly tookMs: number;
  readonly to: PromisedIn['to'];
  readonly price: number;
  readonly address: number;
  readonly fate: 'shown' | 'shown for less' | 'withdrawn' | 'never';
  /** Of the time in which it may be shown. */
  readonly delay: number;
  readonly restarts: boolean;
}

const stepsOf = (gapMsMax: number, restarts: boolean) =>
  fc.array(
    fc.record<Step>({
      gapMs: fc.integer({ min: 0, max: gapMsMax }),
      tookMs: fc.integer({ min: 0, max: 5000 }),
      to: fc.constantFrom('ad', 'offer'),
      price: fc.integer({ min: 0, max: 40 }),
      address: fc.integer({ min: 0, max: 2 }),
      fate: fc.constantFrom('shown', 'shown', 'shown for less', 'withdrawn', 'never'),
      delay: fc.oneof(
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        fc.double({ min: 0.95, max: 0.999, noNaN: true }),
      ),
      restarts: restarts ? fc.nat(9).map((n) => n === 0) : fc.constant(false),
    }),
    { minLength: 20, maxLength: 150, size: 'max' },
  );

/** Each limit is mostly absent, so that the others come to refuse. */
const orNone = (max: number) => fc.oneof(fc.constant(0), fc.constant(0), fc.integer({ min: 1, max }));
const limitsOf = fc.record({
  amountDailyNanos: orNone(150),
  amountTotalNanos: orNone(300),
  impressionsPerIp: orNone(4),
});
type LimitsOf = typeof limitsOf extends fc.Arbitrary<infer Value> ? Value : never;

const ipOf = (address: number): IpAddress => ({
  text: `203.0.113.${address}`,
  version: 4,
  bytes: Uint8Array.from([203, 0, 113, address]),
});

interface Made {
  readonly auction: PromisedIn;
  readonly promised: Promised;
  readonly atMs: number;
  readonly step: Step;
  state: 'open' | 'booked' | 'withdrawn';
  nanos: number;
}

/**
 * What may still be open of a promise at the latest, by the model: held a minute longer, and to the end of its minute.
 */
const endsMs = ({ auction, promised: { isAtAddress } }: Made, ofAddress: boolean) => {
  const minutes =
    ofAddress && isAtAddress ? Math.min(minutesAtAddress, minutesFor[auction.to]) : minutesFor[auction.to];
  return auction.timeMs + (minutes + (ofAddress ? 3 : 2)) * minuteMs;
};
const standsMs = ({ to }: PromisedIn, { isAtAddress }: Promised) =>
  Math.min(minutesFor[to], isAtAddress ? minutesAtAddress : 60) * minuteMs;

/** Has limits go on with what the database knows when a process begins. */
function restore(limits: Limits, object: Limited, made: readonly Made[], nowMs: number): void {
  const today = made.filter(({ auction }) => dayOf(auction.timeMs) === dayOf(nowMs));
  const shownIn = (some: readonly Made[]) => some.filter(({ state }) => state === 'booked').length;
  const booked = (some: readonly Made[]) =>
    some.reduce((sum, { state, nanos }) => sum + (state === 'booked' ? nanos : 0), 0);
  limits.raise([countedOf(object, { amountNanos: booked(today) })], nowMs);
  limits.raiseTotals([{ ...object, totalNanos: booked(made), impressions: shownIn(made) }]);
  const isOpen = ({ state, auction }: Made) =>
    state === 'open' && hourOf(auction.timeMs) >= hourOf(nowMs) - 1;
  limits.restorePromises(
    made.filter(isOpen).map(({ auction: { timeMs, to }, promised }) => {
      return { ...object, hour: hourOf(timeMs), to, promised: 1, promisedNanos: promised.nanos };
    }),
  );
  limits.restoreViewers(
    today.map((one) => ({
      ...object,
      viewer: ipOf(one.step.address),
      hour: hourOf(one.auction.timeMs),
      timeMs: one.auction.timeMs,
      kept: 0,
      impressions: Number(one.state === 'booked' && one.promised.isAtAddress),
      promised: Number(isOpen(one) && one.promised.isAtAddress),
    })),
  );
}

const sumOf = (some: readonly Made[]) => some.reduce((sum, { nanos }) => sum + nanos, 0);
const isWithin = (limit: number, sum: number) => limit === 0 || sum <= limit;

function assertWithin(wanted: LimitsOf, made: readonly Made[]): void {
  const booked = made.filter(({ state }) => state === 'booked');
  for (const ofDay of Map.groupBy(booked, ({ auction }) => dayOf(auction.timeMs)).values()) {
    assert.ok(isWithin(wanted.amountDailyNanos, sumOf(ofDay)), `${sumOf(ofDay)} in a day`);
    for (const there of Map.groupBy(ofDay, ({ step }) => step.address).values())
      assert.ok(isWithin(wanted.impressionsPerIp, there.length), `${there.length} at an address`);
  }
  assert.ok(isWithin(wanted.amountTotalNanos, sumOf(booked)), `${sumOf(booked)} in all`);
}

/** Whether a plain list, in which promises last for as long as they ever may, has no room for a step's ad either. */
function isFull(wanted: LimitsOf, made: readonly Made[], timeMs: number, { price, address }: Step): boolean {
  const counts = (one: Made, ofAddress: boolean) =>
    one.state === 'booked' || (one.state === 'open' && endsMs(one, ofAddress) > timeMs);
  const isToday = ({ auction }: Made) => dayOf(auction.timeMs) === dayOf(timeMs);
  const all = made.filter((one) => counts(one, false));
  const there = made.filter((one) => counts(one, true) && one.step.address === address && isToday(one));
  const hasRoom =
    isWithin(wanted.amountDailyNanos, sumOf(all.filter(isToday)) + price) &&
    isWithin(wanted.amountTotalNanos, sumOf(all) + price) &&
    isWithin(wanted.impressionsPerIp, there.length + 1);
  return !hasRoom;
}

/** Withdraws or books what is due, and holds what is booked against the limits. */
function settle(limits: Limits, object: Limited, wanted: LimitsOf, made: readonly Made[], nowMs: number) {
  const due = made.filter(({ state, atMs }) => state === 'open' && atMs <= nowMs);
  for (const one of due.sort((a, b) => a.atMs - b.atMs)) {
    const { auction, promised, atMs, step } = one;
    if (step.fate === 'withdrawn') {
      limits.release(promised, auction);
      one.state = 'withdrawn';
      continue;
    }
    one.nanos = step.fate === 'shown' ? promised.nanos : Math.floor(promised.nanos / 2);
    one.state = 'booked';
    limits.commit(object, promised, { auction, nanos: one.nanos, nowMs: atMs });
    assertWithin(wanted, made);
  }
}

/**
 * Plays traffic against limits of two threads, and holds everything that is booked and refused against a plain list.
 */
function play(wanted: LimitsOf, startMs: number, plan: readonly Step[]): void {
  const object = limited(wanted);
  const made: Made[] = [];
  const begin = (nowMs: number) => {
    const memory = limitsMemory({ startMs: nowMs, ratesFromMs: 0 }, smallSize);
    const threads = [createLimits(memory, () => 0), createLimits(memory, () => 0)] as const;
    restore(threads[0], object, made, nowMs);
    return threads;
  };
  let threads = begin(startMs);
  let [startedMs, timeMs] = [startMs, startMs];
  const isRestarted = plan.some(({ restarts }) => restarts);
  for (const [index, step] of plan.entries()) {
    timeMs += step.gapMs;
    settle(threads[index % 2 === 0 ? 0 : 1], object, wanted, made, timeMs);
    if (step.restarts) {
      threads = begin(timeMs);
      startedMs = timeMs;
    }
    const auction = auctionAt(Math.max(startedMs, timeMs - step.tookMs), step.to, ipOf(step.address));
    const promised = threads[index % 2 === 0 ? 1 : 0].reserve(object, auction, step.price);
    if (promised === undefined) continue;
    if (isRefusal(promised)) {
      const isDue = isRestarted || isFull(wanted, made, auction.timeMs, step);
      assert.ok(isDue, `${promised.reason} at ${timeMs}`);
      continue;
    }
    const shownMs = Math.max(timeMs, auction.timeMs + step.delay * standsMs(auction, promised));
    const atMs = step.fate === 'never' ? Number.POSITIVE_INFINITY : shownMs;
    made.push({ auction, promised, atMs, step, state: 'open', nanos: promised.nanos });
  }
}

for (const [what, restarts] of [
  ['', false],
  [', over restarts', true],
] as const) {
  for (const [when, startsMs, gapMsMax] of [
    ['in a day', fc.integer({ min: midnightMs, max: midnightMs + dayMs }), 4 * minuteMs],
    ['around midnight', fc.integer({ min: midnightMs - 70 * minuteMs, max: midnightMs }), 2 * minuteMs],
    ['on several days', fc.constant(midnightMs), 50 * minuteMs],
  ] as const) {
    test(`what is booked never exceeds a limit, and nothing is refused without need${what}: ${when}`, () => {
      fc.assert(fc.property(limitsOf, startsMs, stepsOf(gapMsMax, restarts), play), {
        ...seeded(200),
        // To find the shortest case of a failure may take long.
        interruptAfterTimeLimit: 60_000,
      });
    });
  }
}

/** How a day's traffic goes: how many times what the budget needs, how much of it is shown, and how long it takes. */
const days = [
  { name: 'ten times what is needed', times: 10, to: 'ad', shown: 0.6, delayMinutesMax: 5 },
  { name: 'twice what is needed', times: 2, to: 'ad', shown: 0.6, delayMinutesMax: 59 },
  { name: 'just what is needed', times: 1 / 0.6, to: 'ad', shown: 0.6, delayMinutesMax: 5 },
  { name: 'offers, of which one in twenty wins', times: 60, to: 'offer', shown: 0.05, delayMinutesMax: 4.9 },
] as const;

for (const { name, times, to, shown, delayMinutesMax } of days) {
  test(`at least 95 % of a budget is delivered by the end of the day: ${name}`, () => {
    const memory = limitsMemory({ startMs: midnightMs, ratesFromMs: 0 }, smallSize);
    const limits = createLimits(memory, () => 0);
    const random = randomFrom(7);
    const budget = nanosOf(20);
    const priceMean = nanosOf(0.004);
    const object = limited({ amountDailyNanos: budget });
    const pending: { readonly atMs: number; readonly auction: PromisedIn; readonly promised: Promised }[] =
      [];
    let [booked, refused] = [0, 0];
    const show = (untilMs: number) => {
      for (let index = pending.length - 1; index >= 0; index -= 1) {
        const one = pending[index];
        if (!one || one.atMs > untilMs) continue;
        const { auction, promised } = one;
        limits.commit(object, promised, { auction, nanos: promised.nanos, nowMs: one.atMs });
        if (dayOf(auction.timeMs) === dayOf(midnightMs)) booked += promised.nanos;
        pending.splice(index, 1);
      }
    };
    const gapMs = dayMs / ((times * budget) / priceMean);
    for (let timeMs = midnightMs; timeMs < midnightMs + dayMs; timeMs += gapMs) {
      show(timeMs);
      const auction = auctionAt(Math.floor(timeMs), to);
      const promised = limits.reserve(object, auction, Math.round(priceMean * (0.5 + random())));
      assert.ok(promised);
      if (isRefusal(promised)) refused += 1;
      else if (random() < shown)
        pending.push({ atMs: timeMs + random() * delayMinutesMax * minuteMs, auction, promised });
      assert.ok(booked <= budget);
    }
    show(Number.POSITIVE_INFINITY);
    assert.ok(
      booked <= budget && booked >= 0.95 * budget,
      `${booked / budget} of the budget, ${refused} refused`,
    );
  });
}
