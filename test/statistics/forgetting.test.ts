import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventBatch } from '../../src/statistics/event-counts.ts';
import { createForgetting, standardKeptDays } from '../../src/statistics/forgetting.ts';
import { createTopValues } from '../../src/statistics/top-values.ts';
import { addBatch } from '../store/market.ts';
import { sqlite } from '../store/sqlite-engine.ts';
import { dailyIn, day, dayMs, impression, pairCounts, pairOf, startMs } from './counting.ts';

const supply = { kind: 'VastTag', id: 1 };
const keptDays = 93;

test('old hours go a lot at a time, and are looked for once an hour when none is left', async () => {
  const database = await sqlite.fresh();
  const store = await database.open();
  const oldest = day - keptDays - 20;
  const hours = Array.from({ length: 450 }, (_, at) => oldest * 24 + at);
  const pairs = [...hours, (day - keptDays) * 24].map((hour) =>
    pairCounts(supply, undefined, { requests: 1 }, hour),
  );
  await store.statistics.add([{ id: 'lot', timeMs: startMs, pairs, addresses: [] }]);
  let timeMs = startMs;
  let looked = 0;
  const statistics = {
    ...store.statistics,
    forgetCubes: (...asked: Parameters<typeof store.statistics.forgetCubes>) => {
      if (asked[0] === 'hours') looked += 1;
      return store.statistics.forgetCubes(...asked);
    },
  };
  const days = { ...standardKeptDays, finest: 1000 };
  const forget = createForgetting({ store: { statistics }, now: () => timeMs, keptDays: days });
  const range = { fromDay: oldest, toDay: day };
  const left = async () => (await store.statistics.hours(supply, range)).length;
  const seen: [afterMs: number, looked: number, left: number][] = [];
  for (const afterMs of [
    ...Array.from({ length: 10 }, (_, second) => 1000 * second),
    3_600_000,
    3_608_000,
    dayMs,
  ]) {
    timeMs = startMs + afterMs;
    await forget();
    seen.push([afterMs, looked, await left()]);
  }
  assert.deepEqual(seen, [
    // Those of the team, of the supply object, and of what has no demand go first.
    ...[0, 1, 2, 3, 4, 5].map((second) => [1000 * second, second + 1, 451]),
    [6000, 7, 251],
    [7000, 8, 51],
    [8000, 9, 1],
    [9000, 9, 1],
    [3_600_000, 9, 1],
    [3_608_000, 10, 1],
    [dayMs, 11, 0],
  ]);
  const [first] = await store.statistics.days(supply.kind, [supply.id], { fromDay: oldest, toDay: oldest });
  assert.deepEqual(first?.counts, dailyIn({ requests: 24 }), 'days stay');
  await store.close();
  await database.remove();
});

test('claims of events and lots are forgotten an hour after their time, looked for once a minute', async () => {
  const database = await sqlite.fresh();
  const store = await database.open();
  const hourMs = 3_600_000;
  let timeMs = startMs;
  let looked = 0;
  const statistics = {
    ...store.statistics,
    forget: (before: Parameters<typeof store.statistics.forget>[0]) => {
      looked += 1;
      return store.statistics.forget(before);
    },
  };
  const forget = createForgetting({ store: { statistics }, now: () => timeMs });
  const pairs = [pairCounts(supply, undefined, { requests: 1 })];
  const addLot = () => store.statistics.add([{ id: 'lot', timeMs: startMs, pairs, addresses: [] }]);
  const hours = () => store.statistics.hours(supply, { fromDay: day, toDay: day });
  const event = impression('auction', pairOf(supply), { expiresMs: startMs });
  const bill = async () => (await addBatch(store, eventBatch([event], createTopValues())))[0] === true;
  const seen: [afterMs: number, looked: number, isNew: boolean, requests: number | undefined][] = [];
  await bill();
  await addLot();
  for (const afterMs of [0, 59_999, 60_000, hourMs - 1, hourMs, hourMs + 60_001]) {
    timeMs = startMs + afterMs;
    await forget();
    await addLot();
    seen.push([afterMs, looked, await bill(), (await hours())[0]?.counts.requests]);
  }
  assert.deepEqual(seen, [
    [0, 1, false, 1],
    [59_999, 1, false, 1],
    [60_000, 2, false, 1],
    [hourMs - 1, 3, false, 1],
    [hourMs, 3, false, 1],
    [hourMs + 60_001, 4, true, 2],
  ]);
  await store.close();
  await database.remove();
});
