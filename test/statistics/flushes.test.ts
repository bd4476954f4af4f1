import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createEventSink } from '../../src/statistics/event-sink.ts';
import type { Store } from '../../src/store/interface.ts';
import { sqlite } from '../store/sqlite-engine.ts';
import { day, pairOf, startMs } from './counting.ts';
import { smallClaims, storeSink } from './store-sink.ts';

const now = () => startMs + 1000;
let store: Store;
let close: () => Promise<void>;
before(async () => {
  const database = await sqlite.fresh();
  store = await database.open();
  close = async () => {
    await store.close();
    await database.remove();
  };
});
after(() => close());

test('counts are all written, also where flushes come while one is under way', async () => {
  const supplies = Array.from({ length: 450 }, (_, at) => ({ kind: 'VastTag', id: at + 1 }));
  const sink = storeSink({ store, now });
  for (const supply of supplies) sink.count(pairOf(supply), 'requests', startMs);
  await Promise.all([sink.flush(), sink.flush(), sink.flush()]);
  await sink.close();
  const ids = supplies.map(({ id }) => id);
  const written = await store.statistics.days('VastTag', ids, { fromDay: day, toDay: day });
  assert.deepEqual(
    written.map(({ counts }) => counts.requests),
    ids.map(() => 1),
  );
});

test('counts leave nothing to do behind a close', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let calls = 0;
  const append = async () => {
    calls += 1;
    return true;
  };
  const sink = createEventSink({ outbox: { append, claims: smallClaims(), onUnkept: assert.ifError }, now });
  sink.count(pairOf({ kind: 'VastTag', id: 1 }), 'requests', startMs);
  await sink.close();
  calls = 0;
  t.mock.timers.tick(10_000);
  await new Promise(setImmediate);
  assert.equal(calls, 0);
});
