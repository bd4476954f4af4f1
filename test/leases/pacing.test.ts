import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Limited } from '../../src/exchange/snapshot/limited.ts';
import { type DeliveryPlan, deliveryPlan, type PlanSettings } from '../../src/shared/delivery-plan.ts';
import { hoursPerWeek } from '../../src/shared/zone-clock.ts';
import { seededRandom } from '../../src/simulation/random.ts';
import { weekShapeOf } from '../../src/statistics/week-shapes.ts';
import { dayMs, limited, midnightMs } from '../exchange/limits/limited.ts';
import { seeded } from '../support/seed.ts';
import { World } from './sharing-world.ts';

/** Plans at two machines, of which one is killed for a while. */

const hourMs = 3_600_000;
const hourOf = (timeMs: number) => Math.floor(timeMs / hourMs);
const dateOf = (timeMs: number) => new Date(timeMs).toISOString().slice(0, 10);
/** Of machines in all traffic. */
const parts = [0.7, 0.3];
const killedFor = 3 * hourMs;

/** What is planned of an object, and how it is measured: by impressions, or in nano-USD. */
interface Planned {
  readonly object: Limited;
  readonly settings: PlanSettings;
  readonly measure: 'impressions' | 'nanos';
}

interface Month {
  readonly planned: readonly Planned[];
  readonly startMs: number;
  readonly days: number;
  readonly stepMs: number;
  readonly knowsWeekBefore: boolean;
  readonly requestsPerMinute: number;
  /** Of ads that are handed out. */
  readonly shownPart: number;
}

/** An object's use since the start of a budget, and what is due of it. */
interface Reading {
  readonly limit: number;
  readonly due: number;
  readonly used: number;
}

const price = 5;

/** Low at night and at weekends; by chance more or less in each hour. */
function trafficIn({ stepMs, requestsPerMinute }: Month, random: () => number) {
  const noises = new Map<number, number>();
  return (timeMs: number): number => {
    const hour = hourOf(timeMs);
    const noise = noises.get(hour) ?? 0.75 + random() / 2;
    noises.set(hour, noise);
    const day = 1 + 0.7 * Math.sin(((timeMs % dayMs) / dayMs - 0.4) * 2 * Math.PI);
    const isWeekend = [0, 6].includes(new Date(timeMs).getUTCDay());
    return (requestsPerMinute * stepMs * day * (isWeekend ? 0.6 : 1) * noise) / 60_000;
  };
}

/** What was shown, by the hour of the auction. */
function createLedger() {
  const shown = new Map<string, Map<number, number>>();
  return {
    add({ id }: Limited, timeMs: number, units: number) {
      const hours = shown.get(`${id}`) ?? new Map<number, number>();
      shown.set(`${id}`, hours.set(hourOf(timeMs), (hours.get(hourOf(timeMs)) ?? 0) + units));
    },
    between({ id }: Limited, fromMs: number, beforeMs: number) {
      let sum = 0;
      for (const [hour, units] of shown.get(`${id}`) ?? [])
        if (hour >= hourOf(fromMs) && hour < hourOf(beforeMs)) sum += units;
      return sum;
    },
  };
}

/** At the end of the hour that ends now. */
function readingOf(
  { object, measure }: Planned,
  plan: DeliveryPlan | undefined,
  { ledger, startMs, now }: { ledger: ReturnType<typeof createLedger>; startMs: number; now: number },
): Reading {
  const timeMs = now - 1;
  const flight = plan?.flightAt(timeMs);
  const { impressionsDaily, impressionsTotal } = object.limits;
  const limit = flight?.[measure] ?? (impressionsDaily || impressionsTotal);
  const fromMs = flight?.startMs ?? (impressionsDaily ? timeMs - (timeMs % dayMs) : startMs);
  const { line = 0, before = 0 } = plan?.inFlight(measure, timeMs) ?? {};
  const due = impressionsDaily ? plan?.ofDay(limit, timeMs) : plan?.inAll(limit, timeMs);
  return { limit, due: flight ? line - before : (due ?? 0), used: ledger.between(object, fromMs, now) };
}

/** By hour what was used and due of each object, in this order. */
async function deliver(seed: number, month: Month): Promise<Map<number, Reading[]>> {
  const { planned, startMs, days, stepMs, knowsWeekBefore, shownPart } = month;
  const random = seededRandom(seed);
  const traffic = trafficIn(month, random);
  const endMs = startMs + days * dayMs;
  const killedMs = startMs + (Math.floor(days / 2) - 1) * dayMs + 11 * hourMs;
  const counts = new Map<number, number>();
  if (knowsWeekBefore)
    for (let ms = startMs - hoursPerWeek * hourMs; ms < startMs; ms += hourMs)
      counts.set(hourOf(ms), (hourMs / stepMs) * traffic(ms));
  const ledger = createLedger();
  const plans = new Map<number, DeliveryPlan | undefined>();
  const objects = planned.map(({ object }) => ({
    ...object,
    get plan() {
      return plans.get(object.id);
    },
  }));
  const follow = (timeMs: number) => {
    const from = hourOf(timeMs) - hoursPerWeek;
    const known = Array.from({ length: hoursPerWeek }, (_, index) => counts.get(from + index) ?? 0);
    const shape = weekShapeOf(known, hourOf(timeMs) - 1);
    for (const { object, settings, measure } of planned) {
      const beforeMs = deliveryPlan(settings)?.flightAt(timeMs)?.startMs;
      const earlier = beforeMs === undefined ? 0 : ledger.between(object, 0, beforeMs);
      const used =
        beforeMs === undefined ? undefined : { beforeMs, impressions: 0, nanos: 0, [measure]: earlier };
      plans.set(object.id, deliveryPlan(settings, { shape, used }));
    }
  };
  const readings = new Map<number, Reading[]>(planned.map(({ object }) => [object.id, []]));
  const read = (now: number) => {
    for (const one of planned)
      readings.get(one.object.id)?.push(readingOf(one, plans.get(one.object.id), { ledger, startMs, now }));
  };
  const world = new World(startMs, objects, parts.length);
  const waiting: (() => void)[] = [];
  follow(startMs);
  while (world.nowMs < endMs + 2 * hourMs) {
    const now = world.nowMs;
    if (now === killedMs) world.machines[1]?.kill();
    if (now === killedMs + killedFor) world.machines[1]?.restart();
    for (const bill of waiting.splice(0)) bill();
    if (now % hourMs === 0) {
      if (now > startMs && now <= endMs) read(now);
      follow(now);
    }
    for (const [place, part] of parts.entries()) {
      if (now >= endMs) break;
      const requests = Math.floor(part * traffic(now) + random());
      counts.set(hourOf(now), (counts.get(hourOf(now)) ?? 0) + requests);
      for (let sent = 0; sent < requests; sent += 1) {
        const first = Math.floor(random() * objects.length);
        for (let next = 0; next < objects.length; next += 1) {
          const at = (first + next) % objects.length;
          const [object, one] = [objects[at], planned[at]];
          const ad = object && world.machines[place]?.promise(object, 'ad', price);
          if (!ad || !object || !one) continue;
          const bill = () => {
            world.machines[place]?.bill(ad, price);
            if (ad.isBilled) ledger.add(object, ad.auction.timeMs, one.measure === 'nanos' ? price : 1);
          };
          if (random() < shownPart) waiting.push(bill);
          break;
        }
      }
    }
    await world.pass(stepMs, stepMs);
  }
  return readings;
}

/** How far from what is due, in percent of it, at least of a day's part. */
const offBy = ({ limit, due, used }: Reading, days: number) =>
  (100 * (used - due)) / Math.max(limit / days, due);

test('what is due grows to all of the limit, never above it, and a plan that is ahead never has less due', () => {
  const shape = fc.oneof(
    fc.constant([]),
    fc.array(fc.nat(1000), { minLength: hoursPerWeek, maxLength: hoursPerWeek }),
  );
  const limits = fc.integer({ min: 1, max: 1_000_000 });
  const times = fc.array(fc.nat(dayMs - 1), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(
      shape,
      limits,
      times,
      fc.constantFrom('', 'Europe/Berlin'),
      (known, limit, moments, TimeZone) => {
        const [even, ahead] = [1, 2].map((Pacing) => deliveryPlan({ Pacing, TimeZone }, { shape: known }));
        const startMs = TimeZone === '' ? midnightMs : midnightMs - hourMs;
        let last = 0;
        for (const ms of [...moments, dayMs - 1].toSorted((a, b) => a - b)) {
          const due = even?.ofDay(limit, startMs + ms) ?? 0;
          assert.ok(due >= last && due <= limit && (ahead?.ofDay(limit, startMs + ms) ?? 0) >= due);
          last = due;
        }
        assert.equal(last, limit);
      },
    ),
    seeded(500),
  );
});

describe('a guaranteed deal', () => {
  const Units = 30_000;
  const days = 10;
  const startMs = midnightMs;
  const endMs = startMs + days * dayMs - 1;
  const settings = { Type: 4, Units, StartTime: dateOf(startMs), EndTime: dateOf(endMs) };
  const deal: Limited = { ...limited({ impressionsTotal: Units, pacing: 1 }, 4), kind: 'Deal' };
  // In the first night the line is flat where nothing is known, and the traffic is not.
  for (const [name, knowsWeekBefore, behindMax] of [
    ['of which the week before is known', true, 5],
    ['of which nothing is known at first', false, 8],
  ] as const) {
    test(`${name} ends within 1 % of its Units, never above, and is near its line in each hour`, async () => {
      const planned = [{ object: deal, settings, measure: 'impressions' }] as const;
      const month = {
        planned,
        startMs,
        days,
        stepMs: 60_000,
        knowsWeekBefore,
        requestsPerMinute: 8,
        shownPart: 0.85,
      };
      const readings = (await deliver(7, month)).get(deal.id) ?? [];
      const last = readings.at(-1)?.used ?? 0;
      assert.ok(last <= Units && last >= 0.99 * Units, `${last} of ${Units}`);
      // Ads that are never shown are reserved for an hour: so much of it is behind the line.
      for (const [hour, reading] of readings.entries()) {
        const percent = offBy(reading, days);
        assert.ok(percent <= 1 && percent >= -behindMax, `${percent.toFixed(1)} % off in hour ${hour}`);
      }
    });
  }
});

test('three campaigns on one tag, in a month with a change of clocks, stay within 2 % of their lines, and never above', async () => {
  const startMs = Date.UTC(2027, 2, 1);
  const TimeZone = 'Europe/Berlin';
  const flight = (Start: string, End: string, limits: { Impressions?: number; Spend?: number }) => ({
    Start,
    End,
    Impressions: 0,
    Spend: 0,
    ...limits,
  });
  const weekly = { Spend: 25_000 / 1e9 };
  const planned: readonly Planned[] = [
    {
      object: { ...limited({ pacing: 1, flights: 1, flightImpressions: 30_000 }, 1), kind: 'Campaign' },
      settings: {
        Pacing: 1,
        TimeZone,
        Flights: [flight('2027-03-02', '2027-03-30', { Impressions: 30_000 })],
      },
      measure: 'impressions',
    },
    {
      object: { ...limited({ pacing: 2, flights: 4, flightNanos: 25_000 }, 2), kind: 'Campaign' },
      settings: {
        Pacing: 2,
        TimeZone,
        Flights: [
          flight('2027-03-03', '2027-03-09', weekly),
          flight('2027-03-10', '2027-03-16', weekly),
          flight('2027-03-17', '2027-03-23', weekly),
          flight('2027-03-25', '2027-03-30', weekly),
        ],
      },
      measure: 'nanos',
    },
    {
      object: { ...limited({ pacing: 1, impressionsDaily: 1000 }, 3), kind: 'Campaign' },
      settings: { Pacing: 1 },
      measure: 'impressions',
    },
  ];
  const month = {
    planned,
    startMs,
    days: 31,
    stepMs: 60_000,
    knowsWeekBefore: true,
    requestsPerMinute: 5,
    shownPart: 0.95,
  };
  const readings = await deliver(11, month);
  const daysOf: Readonly<Record<number, number>> = { 1: 29, 2: 7, 3: 1 };
  for (const { object } of planned) {
    for (const [hour, reading] of (readings.get(object.id) ?? []).entries()) {
      const { limit, used } = reading;
      if (limit === 0) continue;
      const percent = offBy(reading, daysOf[object.id] ?? 1);
      assert.ok(used <= limit, `${used} of ${limit} in hour ${hour}`);
      // Ads that are never shown are reserved for an hour.
      assert.ok(Math.abs(percent) <= 2, `campaign ${object.id}: ${percent.toFixed(1)} % off in hour ${hour}`);
    }
  }
});
