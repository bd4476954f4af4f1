import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ExperimentHour, floorUplift } from '../../src/statistics/floor-uplift.ts';
import { randomStream } from '../support/seed.ts';

/** Each request earns `of` USD, or nothing, evenly. */
function hourWith(random: () => number, [ofFloor, ofControl]: readonly [number, number]): ExperimentHour {
  const earned = (requests: number, of: number) => {
    let revenue = 0;
    for (let at = 0; at < requests; at += 1) if (random() < 0.5) revenue += of;
    return { requests, revenue };
  };
  return { floor: earned(180, ofFloor), control: earned(20, ofControl) };
}

test('the interval holds the true difference about 95 times of 100', () => {
  const random = randomStream();
  const rounds = 300;
  let hits = 0;
  for (let round = 0; round < rounds; round += 1) {
    const uplift = floorUplift(Array.from({ length: 48 }, () => hourWith(random, [0.003, 0.002])));
    const truth = 0.5;
    if (uplift && uplift.low <= truth && truth <= uplift.high) hits += 1;
  }
  assert.ok(hits / rounds > 0.89 && hits / rounds < 0.99, `${hits} of ${rounds}`);
});

test('too few hours with both groups say nothing', () => {
  const hour = { floor: { requests: 9, revenue: 1 }, control: { requests: 1, revenue: 0.1 } };
  const alone = { ...hour, control: { requests: 0, revenue: 0 } };
  assert.equal(floorUplift([...Array(23).fill(hour), alone]), undefined);
  const { perThousand = 0 } = floorUplift(Array(24).fill(hour)) ?? {};
  assert.equal(Math.round(perThousand), Math.round(1000 / 9 - 100));
});
