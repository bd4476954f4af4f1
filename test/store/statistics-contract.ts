import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import type { Store } from '../../src/store/interface.ts';
import type { ObjectKey, TrafficCounts } from '../../src/store/statistics/interface.ts';
import { dailyIn, day, pairCounts, startMs } from '../statistics/counting.ts';
import { claiming, refusing } from './claims-contract.ts';
import { hours, met, paging, promising, reading, sampling } from './counted-contract.ts';
import type { Engine } from './engine.ts';
import { addEvents, type CountedEvent, countsOf, impression, lot, market, subId, today } from './market.ts';
import { minutes } from './minutes-contract.ts';
import { type Opened, openedFor, type TeamRoom, withOthers } from './team-room.ts';
import { viewers } from './viewers-contract.ts';

function adding(suite: Opened): void {
  test('counts for both objects and their accounts; requests to demand are not the supply’s', async () => {
    const room = await suite.room();
    const { store } = room;
    const { publisher, advertiser, supply, demand } = await market(room);
    const hour = day * 24;
    const pairs = [
      pairCounts(supply, undefined, { requests: 10, invalid: 1 }),
      pairCounts(supply, demand, { requests: 7, bids: 5, wins: 2 }),
      pairCounts(supply, demand, { requests: 1, bids: 1 }, hour + 23),
      pairCounts(supply, demand, { requests: 100 }, hour + 24),
    ];
    await store.statistics.add([lot({ pairs })]);
    const bySupply = dailyIn({ requests: 10, invalid: 1, bids: 6, wins: 2 });
    const byDemand = dailyIn({ requests: 8, bids: 6, wins: 2 });
    const expected = [
      [supply, bySupply],
      [publisher, bySupply],
      [demand, byDemand],
      [advertiser, byDemand],
    ] as const;
    for (const [object, sum] of expected) assert.deepEqual(await countsOf(store, object), sum, object.kind);
    const hours = await store.statistics.hours(supply, today);
    assert.deepEqual(
      hours,
      pairs.slice(0, 3).map((pair) => ({ ...pair, supply })),
    );
  });

  test('adds up, and a lot that comes again under its ID changes nothing', async () => {
    const room = await suite.room();
    const { supply } = await market(room);
    const first = lot({ pairs: [pairCounts(supply, undefined, { requests: 2 })] });
    for (const one of [first, first, { ...first, id: randomUUID() }, first]) {
      await room.store.statistics.add([one]);
    }
    assert.equal((await countsOf(room.store, supply)).requests, 4);
  });

  test('makes no change and no revision', async () => {
    const room = await suite.room();
    const { supply, demand } = await market(room);
    const before = [await room.store.revision(), (await room.changes()).length];
    await room.store.statistics.add([lot({ pairs: [pairCounts(supply, demand, { bids: 1 })] })]);
    await addEvents(room.store, [impression(randomUUID(), supply, demand)]);
    await room.store.secret('of a contract');
    assert.deepEqual([await room.store.revision(), (await room.changes()).length], before);
  });
}

function keeping(suite: Opened): void {
  test('what was counted stays with the account that had the object then', async () => {
    const room = await suite.room();
    const { publisher, supply } = await market(room);
    const other = { kind: 'Publisher', id: await room.add('Publisher', { Name: 'other' }) };
    const add = () =>
      room.store.statistics.add([lot({ pairs: [pairCounts(supply, undefined, { clicks: 1 })] })]);
    await add();
    await room.update('VastTag', supply.id, { document: { PublisherId: other.id } });
    await add();
    const clicks = async (object: ObjectKey) => (await countsOf(room.store, object)).clicks;
    assert.deepEqual([await clicks(publisher), await clicks(other), await clicks(supply)], [1, 1, 2]);
  });

  test('sums of more than nine million USD a day still come back', async () => {
    const room = await suite.room();
    const { supply, demand } = await market(room);
    const revenueNanos = 9e15;
    for (let time = 0; time < 3; time += 1) {
      await room.store.statistics.add([lot({ pairs: [pairCounts(supply, demand, { revenueNanos })] })]);
    }
    assert.equal((await countsOf(room.store, demand)).revenueNanos, 27e15);
  });

  test('several processes add at once: nothing is lost', async () => {
    const room = await suite.room();
    const { publisher, supply, feed, demand } = await market(room);
    const pairs = [pairCounts(supply, demand, { bids: 1 }), pairCounts(feed, demand, { bids: 1 })];
    await withOthers(suite, 4, async (stores) => {
      const add = async ({ statistics }: Store, turn: number) => {
        for (let time = 0; time < 5; time += 1) {
          await statistics.add([lot({ pairs: turn % 2 === 0 ? pairs : pairs.toReversed() })]);
          await addEvents({ statistics }, [impression(randomUUID(), supply, demand)]);
        }
      };
      await Promise.all(stores.map(add));
    });
    const { bids, impressions } = await countsOf(room.store, publisher);
    assert.deepEqual([bids, impressions], [40, 20]);
    assert.equal((await countsOf(room.store, demand)).bids, 40);
  });
}

function billing(suite: Opened): void {
  test('counts each event once for its auction, whoever brings it', async () => {
    const room = await suite.room();
    const { store } = room;
    const { supply, demand } = await market(room);
    const ids = Array.from({ length: 4 }, () => randomUUID());
    const events = ids.map((id) => impression(id, supply, demand));
    assert.deepEqual(await addEvents(store, events.slice(0, 2)), [true, true]);
    assert.deepEqual(await addEvents(store, events.slice(1)), [false, true, true]);
    const click = { ...events[0], names: ['clicks'] } as CountedEvent;
    assert.deepEqual(await addEvents(store, [click]), [true]);
    const { impressions, revenueNanos, spentNanos } = await countsOf(store, supply);
    assert.deepEqual([impressions, spentNanos, revenueNanos], [5, 7500, 10_000]);
  });

  test('counts nothing of a batch that comes again', async () => {
    const room = await suite.room();
    const { supply, demand } = await market(room);
    const events = Array.from({ length: 3 }, () => impression(randomUUID(), supply, demand));
    await addEvents(room.store, events.slice(0, 1));
    const batch = randomUUID();
    for (const counted of [true, false, false])
      assert.deepEqual(await addEvents(room.store, events, batch), [false, counted, counted]);
    assert.equal((await countsOf(room.store, supply)).impressions, 3);
  });

  test('several processes bring the same events at once, in any order: each counts once', async () => {
    const room = await suite.room();
    const { supply, demand } = await market(room);
    const events = Array.from({ length: 60 }, () => impression(randomUUID(), supply, demand));
    const told = await withOthers(suite, 4, (stores) =>
      Promise.all(
        stores.map(async ({ statistics }, turn) => {
          const mine = turn % 2 === 0 ? events : events.toReversed();
          const lots = [mine.slice(0, 30), mine.slice(10, 50), mine.slice(30)];
          const counted = await Promise.all(lots.map((some) => addEvents({ statistics }, some)));
          return counted.flat().filter(Boolean).length;
        }),
      ),
    );
    assert.equal(
      told.reduce((sum, count) => sum + count, 0),
      60,
    );
    assert.equal((await countsOf(room.store, supply)).impressions, 60);
  });
}

function forgetting(suite: Opened): void {
  test('counts impressions by address with the events that count, and forgets them after their day', async () => {
    const room = await suite.room();
    const { statistics } = room.store;
    const { supply, demand } = await market(room);
    const at = (address: string, ofDay = day) =>
      [supply, demand].map((one) => ({ ...one, hour: ofDay * 24, address, impressions: 1, promised: 0 }));
    const shown = (address: string, ofDay?: number): CountedEvent => ({
      ...impression(randomUUID(), supply, demand),
      addresses: at(address, ofDay),
    });
    const twice = shown('203.0.113.7');
    await addEvents({ statistics }, [twice, shown('203.0.113.7'), shown('2001:db8::')]);
    await addEvents({ statistics }, [twice, shown('203.0.113.7'), shown('203.0.113.7', day - 1)]);
    const known = async (ofDay: number) => {
      const pages = await Array.fromAsync(statistics.addresses(ofDay));
      const own = pages.flat().filter(({ kind, id }) => kind === demand.kind && id === demand.id);
      return own.map(({ address, impressions }) => [address, impressions]);
    };
    const today = [
      ['2001:db8::', 1],
      ['203.0.113.7', 3],
    ];
    assert.deepEqual([await known(day), await known(day - 1)], [today, [['203.0.113.7', 1]]]);
    await statistics.forget({ expiresMs: 0, flushedMs: startMs });
    assert.deepEqual([await known(day), await known(day - 1)], [today, []]);
  });

  test('counts what was promised to addresses by the hour, and forgets those that were shown nothing', async () => {
    const room = await suite.room();
    const { statistics } = room.store;
    const { supply, demand } = await market(room);
    const hour = day * 24 + 9;
    const at = (address: string, promised: number, ofHour = hour) => {
      return { ...demand, hour: ofHour, address, impressions: 0, promised };
    };
    const shown = { ...at('203.0.113.8', 0), impressions: 1 };
    await statistics.add([lot({ addresses: [at('203.0.113.7', 2), at('203.0.113.8', 1)] })]);
    await statistics.add([lot({ addresses: [at('203.0.113.7', 1, hour + 1), at('203.0.113.8', -1)] })]);
    const event = { ...impression(randomUUID(), supply, demand), addresses: [shown] };
    await addEvents({ statistics }, [event]);
    const known = async () => {
      const rows = (await Array.fromAsync(statistics.addresses(day))).flat();
      const own = rows.filter(({ kind, id }) => kind === demand.kind && id === demand.id);
      return own.map((row) => [row.address, row.hour - hour, row.impressions, row.promised]);
    };
    const kept = [
      ['203.0.113.7', 1, 0, 1],
      ['203.0.113.8', 0, 1, 0],
    ];
    assert.deepEqual(await known(), [['203.0.113.7', 0, 0, 2], ...kept]);
    await statistics.forget({ expiresMs: 0, flushedMs: (hour + 1) * 3_600_000 });
    assert.deepEqual(await known(), kept);
  });

  test('forgets events that have expired, however many, and no others', async () => {
    const room = await suite.room();
    const { statistics } = room.store;
    const { supply, demand } = await market(room);
    const events = Array.from({ length: 2100 }, () => impression(randomUUID(), supply, demand));
    const lasting = { ...impression(randomUUID(), supply, demand), expiresMs: startMs + 1 };
    await addEvents({ statistics }, [...events, lasting]);
    await statistics.add([lot({ id: 'old', timeMs: startMs - 1000 })]);
    await statistics.forget({ expiresMs: startMs + 1, flushedMs: startMs });
    const again = await addEvents({ statistics }, [...events.slice(0, 3), lasting]);
    assert.deepEqual(again, [true, true, true, false]);
    assert.ok(!(await statistics.requestsAfter(0)).some(({ id }) => id === 'old'));
  });
}

function forgettingHours(suite: Opened): void {
  test('forgets counts by the hour of days before one, lot by lot, and keeps those by the day', async () => {
    const room = await suite.room();
    const { statistics } = room.store;
    const { supply, demand } = await market(room);
    const fromDay = day - 300;
    const hours = Array.from({ length: 450 }, (_, at) => fromDay * 24 + at);
    await statistics.add([
      lot({ pairs: hours.map((hour) => pairCounts(supply, demand, { requests: 1 }, hour)) }),
    ]);
    const kept = async () => (await statistics.hours(supply, { fromDay, toDay: day })).length;
    const lasting = fromDay + 18;
    const lots: [hasMore: boolean, left: number][] = [];
    for (let hasMore = true; hasMore; ) {
      hasMore = await statistics.forgetCubes('hours', lasting);
      lots.push([hasMore, await kept()]);
    }
    const gone = 18 * 24;
    // Those of the team, the supply object and the demand object go first.
    const others = Array.from({ length: 6 }, () => [true, 450]);
    assert.deepEqual(lots, [...others, [true, 450 - 200], [true, 450 - 400], [false, 450 - gone]]);
    const left = await statistics.hours(supply, { fromDay, toDay: day });
    assert.deepEqual(
      left.map(({ hour }) => hour),
      hours.slice(gone),
    );
    const days = await statistics.days(demand.kind, [demand.id], { fromDay, toDay: day });
    assert.equal(days.length, 19);
  });
}

/** A request of a site, in a quarter hour or whenever in the day. */
const ofSite = (
  supply: ObjectKey,
  site: string,
  time: Pick<TrafficCounts, 'quarter'> = {},
): TrafficCounts => ({
  cube: 'site',
  day,
  ...time,
  supply,
  demand: undefined,
  values: [site],
  counts: { requests: 1 },
});

/** Requests by site. */
async function siteRows({ store, actor }: TeamRoom, grain: 'quarter' | 'day', slot: number) {
  const parts = store.statistics.ask({
    ...({ cube: 'supplySite', grain, teamId: actor.teamId, conditions: [], rowsMax: 1000 } as const),
    ranges: [{ bucket: 0, from: slot, until: slot + 1 }],
    columns: ['site'],
    counters: ['requests'],
  });
  const rows = (await Array.fromAsync(parts)).flat();
  return new Map(rows.map(([, site, requests]) => [site, requests]));
}

function quarterHours(suite: Opened): void {
  test('sites keep in each quarter hour the names that they have in the day', async () => {
    const room = await suite.room();
    const { statistics } = room.store;
    const { supply } = await market(room);
    const quarters = [96 * day, 96 * day + 1];
    const names = Array.from({ length: 250 }, (_, index) => `${index}.example`);
    for (const quarter of quarters)
      await statistics.add([lot({ traffic: names.map((name) => ofSite(supply, name, { quarter })) })]);
    const rowsOf = (grain: 'quarter' | 'day', slot: number) => siteRows(room, grain, slot);
    for (const quarter of quarters) {
      const rows = await rowsOf('quarter', quarter);
      assert.deepEqual([rows.size, rows.get('other')], [201, 50]);
    }
    const days = await rowsOf('day', day);
    assert.deepEqual([days.size, days.get('other'), days.get('7.example')], [201, 100, 2]);
  });

  test('what knows its day alone counts there, and quarter hours are complete from the next day on', async () => {
    const room = await suite.room();
    const { statistics } = room.store;
    const { supply } = await market(room);
    const starts = async () => {
      const all = await statistics.cubeStarts();
      return ['supplySite', 'size', 'supplyCountry', 'team', 'pair'].map((name) =>
        all.get(`${name} quarter`),
      );
    };
    const before = await starts();
    await statistics.add([lot({ traffic: [ofSite(supply, 'a.example', { quarter: 96 * day })] })]);
    assert.deepEqual(await starts(), before);
    await statistics.add([lot({ traffic: [ofSite(supply, 'a.example')] })]);
    const next = 96 * (day + 1);
    assert.deepEqual(await starts(), [next, next, next, ...before.slice(3)]);
    assert.deepEqual(await siteRows(room, 'day', day), new Map([['a.example', 2]]));
    assert.deepEqual(await siteRows(room, 'quarter', 96 * day), new Map([['a.example', 1]]));
  });
}

function bounding(suite: Opened): void {
  test('subids are counted by themselves up to 2,000 an object and day, the rest together', async () => {
    const room = await suite.room();
    const { statistics } = room.store;
    const { feed } = await market(room);
    const names = Array.from({ length: 2100 }, (_, index) => `s${index}`);
    const add = (traffic: TrafficCounts[]) => statistics.add([lot({ traffic })]);
    for (let from = 0; from < 2100; from += 700) {
      await add(names.slice(from, from + 700).map((name) => subId(feed, name)));
    }
    await add([subId(feed, 's5', 10), subId(feed, 's2050', 10), subId(feed, '', 3)]);
    const rows = new Map(
      (await statistics.subIds(feed, today)).map((row) => [row.subId, row.counts.requests]),
    );
    assert.equal(rows.size, 2002);
    assert.deepEqual(
      ['s0', 's5', 's1999', 's2050', 'other', ''].map((name) => rows.get(name)),
      [1, 11, 1, undefined, 110, 3],
    );
    await add([{ ...subId(feed, 's2050'), day: day + 1 }]);
    const next = await statistics.subIds(feed, { fromDay: day + 1, toDay: day + 1 });
    assert.deepEqual(
      next.map((row) => row.subId),
      ['s2050'],
      'the next day has room again',
    );
  });

  test('also where several processes bring them at once', async () => {
    const room = await suite.room();
    const { feed } = await market(room);
    await withOthers(suite, 4, (stores) =>
      Promise.all(
        stores.flatMap(({ statistics }, turn) =>
          [0, 1].map((half) => {
            const names = Array.from({ length: 300 }, (_, index) => `${turn} ${half} ${index}`);
            return statistics.add([lot({ traffic: names.map((name) => subId(feed, name)) })]);
          }),
        ),
      ),
    );
    const rows = await room.store.statistics.subIds(feed, today);
    assert.equal(rows.length, 2001);
    assert.equal(rows.find((row) => row.subId === 'other')?.counts.requests, 400);
  });

  test('subids hold any text, and come in its order, day by day', async () => {
    const room = await suite.room();
    const { feed } = await market(room);
    const names = ['', '"', '\n,', 'B', '[1]', 'a', 'é', '🎈'];
    const days = [day, day + 1];
    const subIds = days.flatMap((onDay) => names.map((name) => ({ ...subId(feed, name), day: onDay })));
    await room.store.statistics.add([lot({ traffic: subIds.toReversed() })]);
    const rows = await room.store.statistics.subIds(feed, { fromDay: day, toDay: day + 1 });
    assert.deepEqual(
      rows.map((row) => [row.day, row.subId]),
      days.flatMap((onDay) => names.toSorted().map((name) => [onDay, name])),
    );
  });
}

function secrets(suite: Opened): void {
  test('32 random bytes, the same for everyone who asks at once or later', async () => {
    const found = await withOthers(suite, 4, (stores) =>
      Promise.all(stores.flatMap((store) => [store.secret('trackers'), store.secret('trackers')])),
    );
    const { store } = suite.opened();
    const secret = await store.secret('trackers');
    assert.equal(secret.length, 32);
    assert.ok(found.every((one) => one.equals(secret)));
    assert.ok(!(await store.secret('another')).equals(secret));
  });
}

/** What the store promises of statistics and secrets. */
export function statisticsContract(engine: Engine): void {
  const parts = {
    adding,
    keeping,
    billing,
    claiming,
    refusing,
    forgetting,
    viewers,
    forgettingHours,
    bounding,
    quarterHours,
    reading,
    hours,
    minutes,
    promising,
    sampling,
    met,
    paging,
    secrets,
  };
  for (const [name, part] of Object.entries(parts)) {
    describe(`statistics: ${name}`, () => part(openedFor(engine)));
  }
}
