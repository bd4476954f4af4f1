import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { minutesKept } from '../../src/reference/cubes.ts';
import { createForgetting } from '../../src/statistics/forgetting.ts';
import type { ObjectKey, PairCounts, StatisticsStore } from '../../src/store/statistics/interface.ts';
import { day, dayMs, pairCounts, startMs } from '../statistics/counting.ts';
import { addEvents, impression, lot, market } from './market.ts';
import type { Opened } from './team-room.ts';

const minuteMs = 60_000;
const firstMinute = day * 1440;

/** What a pair has counted so many minutes after the start of `day`. */
const at = (minute: number, pair: PairCounts): PairCounts => ({
  ...pair,
  hour: day * 24 + Math.floor(minute / 60),
  quarter: Math.floor(minute / 15) % 4,
  minute: minute % 15,
});

/** Requests, bids and impressions of an object by minutes after the start of `day`. */
async function minutesOf(
  statistics: StatisticsStore,
  teamId: number,
  cube: 'supply' | 'demand',
  of: ObjectKey,
) {
  const parts = await Array.fromAsync(
    statistics.ask({
      cube,
      grain: 'minute',
      teamId,
      columns: [],
      rowsMax: 10_000,
      counters: ['requests', 'bids', 'impressions'],
      ranges: Array.from({ length: 300 }, (_, minute) => ({
        bucket: minute,
        from: firstMinute + minute,
        until: firstMinute + minute + 1,
      })),
      conditions: [{ columns: [`${cube}_kind`, `${cube}_id`], values: [[of.kind, of.id]], isNot: false }],
    }),
  );
  return parts.flat().toSorted(([one], [other]) => Number(one) - Number(other));
}

/** What alerts look at. */
export function minutes(suite: Opened): void {
  test('minutes: of objects of either side, what pairs count; requests to demand are not the supply’s', async () => {
    const room = await suite.room();
    const { statistics } = room.store;
    const { supply, feed, demand } = await market(room);
    await statistics.add([
      lot({
        pairs: [
          at(0, pairCounts(supply, undefined, { requests: 7 })),
          at(0, pairCounts(supply, demand, { requests: 5, bids: 4 })),
          at(59, pairCounts(feed, demand, { requests: 2, bids: 1 })),
          at(60, pairCounts(supply, demand, { requests: 1, bids: 1 })),
          at(60, pairCounts(supply, undefined, { requests: 1 })),
        ],
      }),
    ]);
    const billed = impression(randomUUID(), supply, demand);
    await addEvents({ statistics }, [{ ...billed, pair: at(60, billed.pair) }]);
    const ask = (cube: 'supply' | 'demand', of: ObjectKey) =>
      minutesOf(statistics, room.actor.teamId, cube, of);
    assert.deepEqual(await ask('supply', supply), [
      [0, 7, 4, 0],
      [60, 1, 1, 1],
    ]);
    assert.deepEqual(await ask('supply', feed), [[59, 0, 1, 0]]);
    assert.deepEqual(await ask('demand', demand), [
      [0, 5, 4, 0],
      [59, 2, 1, 0],
      [60, 1, 1, 1],
    ]);
  });

  test(`minutes: ${minutesKept} rows of an object at most, as the old ones are forgotten`, async () => {
    const room = await suite.room();
    const { statistics } = room.store;
    const { supply } = await market(room);
    const pairs = Array.from({ length: 300 }, (_, minute) =>
      at(minute, pairCounts(supply, undefined, { requests: 1 })),
    );
    await statistics.add([lot({ pairs })]);
    let timeMs = startMs + 299 * minuteMs;
    const forget = createForgetting({ store: room.store, now: () => timeMs });
    await forget();
    const left = () => minutesOf(statistics, room.actor.teamId, 'supply', supply);
    assert.deepEqual([(await left()).length, (await left())[0]?.[0]], [minutesKept + 1, 299 - minutesKept]);
    timeMs += dayMs;
    await forget();
    assert.deepEqual(await left(), []);
  });
}
