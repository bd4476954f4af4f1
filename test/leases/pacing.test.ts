import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Limited } from '../../src/exchange/snapshot/limited.ts';
import { deliveryPlan } from '../../src/shared/delivery-plan.ts';
import { hoursPerWeek } from '../../src/shared/zone-clock.ts';
import { seededRandom } from '../../src/simulation/random.ts';
import { weekShapeOf } from '../../src/statistics/week-shapes.ts';
import { dayMs, limited, midnightMs } from '../exchange/limits/limited.ts';
import { World } from './sharing-world.ts';

/** A guaranteed deal of ten days, at two machines of which one is killed for a while. */

const hourMs = 3_600_000;
const stepMs = 60_000;
const Units = 30_000;
const days = 10;
const startMs = midnightMs;
const endMs = startMs + days * dayMs - 1;
const hourOf = (timeMs: number) => Math.floor(timeMs / hourMs);
/** Of machines in all traffic. */
const parts = [0.7, 0.3];
const perStepMean = 8;
/** Of ads that are handed out. */
const shownPart = 0.85;
const killedMs = startMs + 4 * dayMs + 11 * hourMs;
const backMs = killedMs + 3 * hourMs;

/** Low at night and at weekends; by chance more or less in each hour. */
function trafficAt(timeMs: number, noise: (hour: number) => number): number {
  const day = 1 + 0.7 * Math.sin(((timeMs % dayMs) / dayMs - 0.4) * 2 * Math.PI);
  const isWeekend = [0, 6].includes(new Date(timeMs).getUTCDay());
  return perStepMean * day * (isWeekend ? 0.6 : 1) * noise(hourOf(timeMs));
}

interface Delivery {
  /** By hour, how far from its line in percent of what is due, at least of a day. */
  readonly off: readonly number[];
  readonly most: number;
  readonly delivered: number;
}

async function deliver(seed: number, knowsWeekBefore: boolean): Promise<Delivery> {
  const random = seededRandom(seed);
  const noises = new Map<number, number>();
  const noise = (hour: number) => {
    if (!noises.has(hour)) noises.set(hour, 0.75 + random() / 2);
    return noises.get(hour) ?? 1;
  };
  const counts = new Map<number, number>();
  if (knowsWeekBefore)
    for (let ms = startMs - hoursPerWeek * hourMs; ms < startMs; ms += hourMs)
      counts.set(hourOf(ms), (hourMs / stepMs) * trafficAt(ms, noise));
  const shapeAt = (timeMs: number) => {
    const from = hourOf(timeMs) - hoursPerWeek;
    const known = Array.from({ length: hoursPerWeek }, (_, index) => counts.get(from + index) ?? 0);
    return weekShapeOf(known, hourOf(timeMs) - 1);
  };
  const dayOf = (timeMs: number) => new Date(timeMs).toISOString().slice(0, 10);
  const times = { StartTime: dayOf(startMs), EndTime: dayOf(endMs) };
  const planAt = (timeMs: number) => deliveryPlan({ Type: 4, Units, ...times }, { shape: shapeAt(timeMs) });
  let plan = planAt(startMs);
  const deal: Limited = {
    ...limited({ impressionsTotal: Units }, 4),
    kind: 'Deal',
    get plan() {
      return plan;
    },
  };
  const world = new World(startMs, [deal], parts.length);
  const waiting: (() => void)[] = [];
  const off: number[] = [];
  let most = 0;
  while (world.nowMs <= endMs + 2 * hourMs) {
    const now = world.nowMs;
    if (now === killedMs) world.machines[1]?.kill();
    if (now === backMs) world.machines[1]?.restart();
    if (now % hourMs === 0) {
      plan = planAt(now);
      const due = plan?.inAll(Units, now) ?? 0;
      off.push((100 * (world.inAll(deal).impressions - due)) / Math.max(Units / days, due));
    }
    for (const bill of waiting.splice(0)) bill();
    for (const [place, part] of parts.entries()) {
      if (now > endMs) break;
      const requests = Math.floor(part * trafficAt(now, noise) + random());
      counts.set(hourOf(now), (counts.get(hourOf(now)) ?? 0) + requests);
      for (let sent = 0; sent < requests; sent += 1) {
        const ad = world.machines[place]?.promise(deal, 'ad', 1);
        if (ad && random() < shownPart) waiting.push(() => world.machines[place]?.bill(ad, 1));
      }
    }
    await world.pass(stepMs, stepMs);
    most = Math.max(most, world.inAll(deal).impressions);
  }
  return { off, most, delivered: world.inAll(deal).impressions };
}

describe('a guaranteed deal', () => {
  // In the first night the line is flat where nothing is known, and the traffic is not.
  for (const [name, knowsWeekBefore, behindMax] of [
    ['of which the week before is known', true, 5],
    ['of which nothing is known at first', false, 8],
  ] as const) {
    test(`${name} ends within 1 % of its Units, never above, and is near its line in each hour`, async () => {
      const { off, most, delivered } = await deliver(7, knowsWeekBefore);
      const inTime = off.slice(0, days * 24);
      assert.ok(most <= Units, `${most} of ${Units}`);
      assert.ok(delivered >= 0.99 * Units, `${delivered} of ${Units}`);
      // Ads that are never shown are reserved for an hour: so much of it is behind the line.
      for (const [hour, percent] of inTime.entries())
        assert.ok(percent <= 1 && percent >= -behindMax, `${percent.toFixed(1)} % off in hour ${hour}`);
    });
  }
});
