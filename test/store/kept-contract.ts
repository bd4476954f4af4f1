import assert from 'node:assert/strict';
import { randomInt, randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { createEventConsumer } from '../../src/statistics/consume-events.ts';
import { eventRecord } from '../../src/statistics/event-records.ts';
import type { BillableEvent } from '../../src/statistics/events.ts';
import type { Store } from '../../src/store/interface.ts';
import type { KeptPromises, KeptPromisesOf } from '../../src/store/statistics/interface.ts';
import { impression, pairOf, startMs } from '../statistics/counting.ts';
import type { Engine } from './engine.ts';
import { type Market, market } from './market.ts';
import { openedFor } from './team-room.ts';

const minuteMs = 60_000;
const startMinute = Math.floor(startMs / minuteMs);

/** A bill `minutes` after the start, of what `holder` has promised. */
function bill(
  { supply, demand }: Market,
  holder: number,
  minutes: number,
  more: Partial<BillableEvent> = {},
) {
  const promisedBy = { holder, to: 'ad', objects: [supply, demand] } as const;
  const timeMs = startMs + minutes * minuteMs;
  return impression(randomUUID(), pairOf(supply, demand), { event: 'bills', timeMs, promisedBy, ...more });
}

/** Sends events as a server does, from a source of their own. */
async function send({ statistics }: Store, events: readonly BillableEvent[], source = randomUUID()) {
  const aside: string[] = [];
  const onSetAside = (_: unknown, record: string) => aside.push(record);
  const places = events.map((_, index) => index + 1);
  const take = createEventConsumer({ statistics, now: () => startMs, onSetAside });
  await take({ source, records: events.map(eventRecord), places });
  return aside;
}

async function keptBy({ statistics }: Store, holder: number, of: Partial<KeptPromisesOf> = {}) {
  const window = { fromMinute: startMinute, beforeMinute: startMinute + 10 };
  const rows = await statistics.keptPromises({ holder, to: 'ad', ...window, ...of });
  return rows.toSorted((a, b) => a.minute - b.minute || (a.kind < b.kind ? -1 : 1));
}

const sum = (
  of: { readonly kind: string; readonly id: number },
  minutes: number,
  impressions: number,
  nanos: number,
): KeptPromises => ({ kind: of.kind, id: of.id, minute: startMinute + minutes, impressions, nanos });

/** What the store promises of promises that were kept. */
export function keptContract(engine: Engine): void {
  describe('statistics: kept promises', () => {
    const suite = openedFor(engine);
    // Holders of other tests of the same database are others.
    const freshHolder = () => randomInt(1, 2 ** 31 - 1);

    test('are counted once by whom they were made, by minute and object, with what they cost it', async () => {
      const room = await suite.room();
      const parties = await market(room);
      const { supply, demand } = parties;
      const [holder, other] = [freshHolder(), freshHolder()];
      const events = [
        bill(parties, holder, 0),
        bill(parties, holder, 0, { spentNanos: 9000 }),
        bill(parties, holder, 3),
        bill(parties, holder, 10),
        bill(parties, holder, 0, { event: 'impressions' }),
        bill(parties, holder, 0, { promisedBy: undefined }),
        bill(parties, holder, 1, { promisedBy: { holder, to: 'offer', objects: [demand] } }),
        bill(parties, other, 2),
      ];
      await send(room.store, events.slice(0, 3));
      await send(room.store, events);
      assert.deepEqual(await keptBy(room.store, holder), [
        sum(demand, 0, 2, 4000),
        sum(supply, 0, 2, 3500),
        sum(demand, 3, 1, 2000),
        sum(supply, 3, 1, 1500),
      ]);
      assert.deepEqual(await keptBy(room.store, holder, { to: 'offer' }), [sum(demand, 1, 1, 2000)]);
      assert.equal((await keptBy(room.store, other)).length, 2);
    });

    test('are forgotten by minutes', async () => {
      const room = await suite.room();
      const parties = await market(room);
      const holder = freshHolder();
      await send(room.store, [bill(parties, holder, 1), bill(parties, holder, 2), bill(parties, holder, 3)]);
      const of = { holder, to: 'ad', fromMinute: startMinute + 2, beforeMinute: startMinute + 3 } as const;
      await room.store.statistics.forgetKeptPromises({ ...of, to: 'offer' });
      assert.equal((await keptBy(room.store, holder)).length, 6);
      await room.store.statistics.forgetKeptPromises(of);
      const minutes = (await keptBy(room.store, holder)).map(({ minute }) => minute - startMinute);
      assert.deepEqual(minutes, [1, 1, 3, 3]);
    });

    test('that make no sense are set aside', async () => {
      const room = await suite.room();
      const parties = await market(room);
      const { supply } = parties;
      const promisers: readonly object[] = [
        { holder: 0, to: 'ad', objects: [supply] },
        { holder: 2 ** 31, to: 'ad', objects: [supply] },
        { holder: 1.5, to: 'ad', objects: [supply] },
        { holder: 1, to: 'click', objects: [supply] },
        { holder: 1, to: 'ad', objects: {} },
        { holder: 1, to: 'ad', objects: [{ kind: 'VastTag', id: 0 }] },
        { holder: 1, to: 'ad', objects: [{ kind: 'VastTag', id: 2 ** 31 }] },
      ];
      const events = promisers.map((promisedBy) => bill(parties, 1, 0, { promisedBy: promisedBy as never }));
      assert.equal((await send(room.store, events)).length, promisers.length);
    });
  });
}
