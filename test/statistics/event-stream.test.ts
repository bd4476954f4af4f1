import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type BillableCounter,
  type CounterName,
  shownCounters,
  type UnbilledCounter,
} from '../../src/reference/counters.ts';
import type { Pair } from '../../src/statistics/events.ts';
import type { Store } from '../../src/store/interface.ts';
import type { ObjectKey } from '../../src/store/statistics/interface.ts';
import { sqlite } from '../store/sqlite-engine.ts';
import { seeded } from '../support/seed.ts';
import { day, impression, startMs } from './counting.ts';
import { storeSink } from './store-sink.ts';

type Step = { readonly pair: Pair; readonly hour: number } & (
  | { readonly counted: UnbilledCounter | 'invalid' }
  | { readonly billed: BillableCounter; readonly auction: number }
);

const supplies = [
  { kind: 'PopFeed', id: 1 },
  { kind: 'VastTag', id: 2 },
] as const;
const demands = [
  { kind: 'Campaign', id: 3 },
  { kind: 'DspRtbEp', id: 3 },
] as const;
const [feed] = supplies;

const pair: fc.Arbitrary<Pair> = fc.record({
  supply: fc.constantFrom(...supplies),
  demand: fc.constantFrom(undefined, ...demands),
  subId: fc.constantFrom('', 'a', 'long'.repeat(50)),
});
const hour = fc.integer({ min: 0, max: 30 });
const counted = fc.constantFrom<(UnbilledCounter | 'invalid')[]>(
  'requests',
  'bids',
  'wins',
  'invalid',
  'taken',
);
const billed = fc.constantFrom<BillableCounter[]>('bills', 'impressions', 'clicks');
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(fc.record({ counted, pair, hour }), fc.record({ billed, pair, hour, auction: fc.nat(5) })),
  { maxLength: 60, size: 'max' },
);

type Tallies = Map<string, number>;
const add = (tallies: Tallies, key: string) => tallies.set(key, (tallies.get(key) ?? 0) + 1);
const nameOf = ({ kind, id }: ObjectKey) => `${kind} ${id}`;

/** Counts one by one, as `Pair` and `UnbilledCounter` say: what both sides share, and what each has of its own. */
function countOne(tallies: Tallies, { supply, demand, subId }: Pair, hours: number, name: CounterName) {
  const onDay = day + Math.floor(hours / 24);
  const isToDemand = demand !== undefined && (name === 'requests' || name === 'taken');
  if (demand) add(tallies, `${nameOf(demand)} ${onDay} ${name}`);
  if (isToDemand) return;
  add(tallies, `${nameOf(supply)} ${onDay} ${name}`);
  if (supply.kind === feed.kind && shownCounters.some(({ counter }) => counter === name))
    add(tallies, `subid ${subId.slice(0, 128)} ${onDay} ${name}`);
}

/** Whatever the database holds that is not 0, of objects whose IDs are moved by so much. */
async function heldIn({ statistics }: Store, shift: number): Promise<Tallies> {
  const range = { fromDay: day, toDay: day + 1 };
  const held: Tallies = new Map();
  const take = (name: string, onDay: number, counts: Partial<Record<CounterName, number>>) => {
    for (const [counter, count] of Object.entries(counts))
      if (count !== 0 && !counter.endsWith('Nanos')) held.set(`${name} ${onDay} ${counter}`, count);
  };
  for (const object of [...supplies, ...demands]) {
    const rows = await statistics.days(object.kind, [object.id + shift], range);
    for (const row of rows) take(nameOf(object), row.day, row.counts);
  }
  const subIds = await statistics.subIds({ ...feed, id: feed.id + shift }, range);
  for (const row of subIds) take(`subid ${row.subId}`, row.day, row.counts);
  return held;
}

test('any stream of events adds up to what a naive count of it says', async () => {
  const database = await sqlite.fresh();
  const store = await database.open();
  let stream = 0;
  const law = fc.asyncProperty(steps, async (taken) => {
    stream += 1;
    const shift = stream * 1000;
    const naive: Tallies = new Map();
    const seen = new Set<string>();
    const sink = storeSink({ store, now: () => startMs + 1000 });
    const moved = ({ kind, id }: ObjectKey) => ({ kind, id: id + shift });
    for (const step of taken) {
      const { supply, demand, subId } = step.pair;
      const sent = { supply: moved(supply), demand: demand && moved(demand), subId };
      const timeMs = startMs + step.hour * 3_600_000;
      if ('counted' in step) {
        if (step.counted === 'invalid')
          sink.refuse(sent, 'prefetch', timeMs, { count: 0, lostNanos: 0, invalid: 1 });
        else sink.count(sent, step.counted, timeMs);
        countOne(naive, step.pair, step.hour, step.counted);
        continue;
      }
      const auctionId = `${stream} ${step.auction}`;
      const isNew = !seen.has(`${auctionId} ${step.billed}`);
      seen.add(`${auctionId} ${step.billed}`);
      if (isNew) countOne(naive, step.pair, step.hour, step.billed);
      const event = impression(auctionId, sent, { event: step.billed, timeMs });
      assert.equal(await sink.bill(event), isNew);
    }
    await sink.close();
    assert.deepEqual(await heldIn(store, shift), naive);
  });
  try {
    await fc.assert(law, seeded(40));
  } finally {
    await store.close();
    await database.remove();
  }
});
