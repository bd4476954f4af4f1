import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { compareObjects } from '../../src/management/statistics/compared-figures.ts';
import { standardKeptDays } from '../../src/statistics/forgetting.ts';
import type { ObjectKey } from '../../src/store/statistics/interface.ts';
import { dailyIn, day, pairCounts, startMs } from '../statistics/counting.ts';
import { lot, market } from './market.ts';
import type { Opened } from './team-room.ts';

const keyOf = ({ kind, id }: ObjectKey) => `${kind}:${id}`;

/** What figures of today are made of. */
export function hours(suite: Opened): void {
  test('hours: of objects of either side, and of accounts', async () => {
    const room = await suite.room();
    const { statistics } = room.store;
    const { publisher, advertiser, supply, feed, demand } = await market(room);
    const at = day * 24 + 5;
    const pairs = [
      pairCounts(supply, undefined, { requests: 7 }, at),
      pairCounts(supply, demand, { requests: 3, bids: 2, revenueNanos: 5e9, spentNanos: 2e9 }, at),
      pairCounts(feed, demand, { requests: 1, bids: 1, revenueNanos: 5e8 }, at),
      pairCounts(supply, demand, { requests: 4, bids: 4 }, at + 24),
      pairCounts(feed, undefined, { requests: 9 }, at - 24 * 7),
    ];
    await statistics.add([lot({ pairs })]);
    const known = {
      nowMs: startMs + 10 * 3_600_000,
      keptDays: standardKeptDays,
      starts: await statistics.cubeStarts(),
    };
    const of = async ({ kind, id }: ObjectKey) => {
      const asked = { teamId: room.actor.teamId, kind, ids: [id, id + 1000] };
      const found = await compareObjects(statistics, known, asked);
      assert.equal(found.get(id + 1000)?.Today.Requests, 0);
      const { Today, SameHoursWeekAgo, Trend } = found.get(id) ?? assert.fail(kind);
      const { Requests, Bids, Revenue, Cost } = Today;
      return [Requests, Bids, Revenue, Cost, SameHoursWeekAgo.Requests, Trend[24 - 6]];
    };
    assert.deepEqual(await of(supply), [7, 2, 5, 2, 0, 7]);
    assert.deepEqual(await of(demand), [4, 3, 5.5, 2, 0, 4]);
    assert.deepEqual(await of(feed), [0, 1, 0.5, 0, 9, 0]);
    assert.deepEqual(await of(publisher), [7, 3, 5.5, 2, 9, 7]);
    assert.deepEqual(await of(advertiser), await of(demand));
  });
}

/** By days that begin at a quarter hour. */
function quarters(suite: Opened): void {
  for (const kind of ['Campaign', 'Deal'] as const) {
    test(`what was counted of a ${kind} since a quarter hour: its own hour, its day and the days after it`, async () => {
      const room = await suite.room();
      const { statistics } = room.store;
      const { supply, demand } = await market(room);
      const object = { kind, id: demand.id };
      const at = (quarter: number, bills: number, taken = 0) => ({
        ...pairCounts(
          supply,
          object,
          { bills, taken, revenueNanos: 10 * bills },
          day * 24 + Math.floor(quarter / 4),
        ),
        quarter: quarter % 4,
      });
      const pairs = [...[at(19, 64), at(21, 1), at(22, 2), at(23, 4), at(24, 8, 1), at(95, 16), at(96, 32)]];
      await statistics.add([lot({ pairs })]);
      const msOf = (quarter: number) => (day * 96 + quarter) * 900_000;
      const since = async (quarter: number) => {
        const [row] = await statistics.countedSince(kind, [{ id: object.id, fromMs: msOf(quarter) }]);
        return [row?.counts.bills, row?.counts.revenueNanos, row?.counts.taken];
      };
      assert.deepEqual(await since(5 * 4 + 2), [62, 620, 1]);
      assert.deepEqual(await since(5 * 4), [63, 630, 1]);
      assert.deepEqual(await since(0), [127, 1270, 1]);
      assert.deepEqual(await since(96), [32, 320, 0]);
      assert.deepEqual(await statistics.countedSince(kind, [{ id: object.id, fromMs: msOf(2 * 96) }]), []);
      assert.deepEqual(await statistics.countedSince(kind, []), []);
      const [before] = await statistics.usedBefore(kind, [{ id: object.id, beforeMs: msOf(5 * 4 + 2) }]);
      assert.equal(before?.impressions, 65);
    });
  }
}

/** What the statistics are asked. */
export function reading(suite: Opened): void {
  quarters(suite);
  test('today: every object that counted, and what campaigns have spent on all days', async () => {
    const room = await suite.room();
    const { statistics } = room.store;
    const { supply, demand } = await market(room);
    const early = { kind: 'Campaign', id: await room.add('Campaign', { Name: 'early' }) };
    const revenueNanos = 500;
    const spend = (campaign: ObjectKey, hour: number) => pairCounts(supply, campaign, { revenueNanos }, hour);
    const pairs = [spend(demand, day * 24), spend(demand, day * 24 - 1), spend(early, day * 24 - 100)];
    await statistics.add([lot({ pairs })]);
    const rows = (await Array.fromAsync(statistics.countedOn(day))).flat();
    const of = ({ kind, id }: ObjectKey) => rows.find((row) => row.kind === kind && row.id === id)?.counts;
    assert.deepEqual([demand, early, supply].map(of), [
      dailyIn({ revenueNanos }),
      undefined,
      dailyIn({ revenueNanos }),
    ]);
    const other = { kind: 'DspVastTag', id: early.id };
    await statistics.add([lot({ pairs: [spend(other, day * 24)] })]);
    const costsOf = async (kinds: readonly string[]) => {
      const costs = await statistics.totalCosts(kinds);
      return [demand, early, other].map(
        (object) => costs.find(({ kind, id }) => kind === object.kind && id === object.id)?.totalNanos,
      );
    };
    assert.deepEqual(await costsOf(['Campaign']), [1000, 500, undefined]);
    assert.deepEqual(await costsOf(['Campaign', 'DspVastTag']), [1000, 500, 500]);
    assert.deepEqual(await statistics.totalCosts([]), []);
  });

  test('requests of lots by time, each of the object to which they went', async () => {
    const room = await suite.room();
    const { supply, demand } = await market(room);
    const pairs = [
      pairCounts(supply, undefined, { requests: 3 }),
      pairCounts(supply, demand, { requests: 2, bids: 2 }),
      pairCounts(supply, demand, { requests: 2 }, day * 24 + 1),
    ];
    const one = lot({ pairs, timeMs: startMs + 5000 });
    await room.store.statistics.add([one]);
    const found = async (afterMs: number) =>
      (await room.store.statistics.requestsAfter(afterMs)).find(({ id }) => id === one.id);
    const requests = { [`VastTag:${supply.id}`]: 3, [`Campaign:${demand.id}`]: 4 };
    assert.deepEqual(await found(startMs + 4999), { id: one.id, timeMs: startMs + 5000, requests });
    assert.equal(await found(startMs + 5000), undefined);
    const { statistics } = room.store;
    const unknown = await statistics.requestsAfter(startMs + 4999, (id) => id === one.id);
    assert.ok(unknown.every(({ id }) => id !== one.id));
  });

  test('accounts by their username, in any team', async () => {
    const room = await suite.room();
    const document = { Name: 'p', Username: `user-${randomUUID()}`, StatsAuth: 'secret' };
    const id = await room.add('Publisher', document);
    const { statistics } = room.store;
    const expected = { id, teamId: room.actor.teamId, statsAuth: 'secret', formerSecrets: [] };
    assert.deepEqual({ ...(await statistics.account('Publisher', document.Username)) }, expected);
    assert.equal(await statistics.account('Advertiser', document.Username), undefined);
    assert.equal(await statistics.account('Publisher', 'nobody'), undefined);
  });
}

/** What was promised and has not come. */
export function promising(suite: Opened): void {
  test('what was promised from an hour on, of both sides, by the supply that held the auction', async () => {
    const room = await suite.room();
    const { statistics } = room.store;
    const { supply, demand } = await market(room);
    const other = { kind: 'RtbEp', id: supply.id };
    const hour = day * 24 + 9;
    const promise = (by: number, at: number) => [
      pairCounts(supply, undefined, { promised: by, promisedNanos: 100 * by }, at),
      pairCounts(supply, demand, { promised: by, promisedNanos: 200 * by }, at),
    ];
    const pairs = [
      ...promise(1, hour - 1),
      ...promise(3, hour),
      ...promise(2, hour + 1),
      ...promise(1, hour + 15),
      pairCounts(other, undefined, { promised: 5 }, hour),
      pairCounts(other, demand, { promised: 4 }, hour),
    ];
    await statistics.add([lot({ pairs })]);
    await statistics.add([lot({ pairs: [...promise(-1, hour), ...promise(-2, hour + 1)] })]);
    const rows = (await statistics.promisedSince(hour)).filter(
      ({ kind, id }) => id === supply.id || (kind === demand.kind && id === demand.id),
    );
    const told = rows.map(({ kind, supplyKind, promised, promisedNanos, ...row }) => [
      kind,
      supplyKind,
      row.hour - hour,
      promised,
      promisedNanos,
    ]);
    assert.deepEqual(
      told.toSorted(),
      [
        [demand.kind, 'RtbEp', 0, 4, 0],
        [demand.kind, supply.kind, 0, 2, 400],
        [demand.kind, supply.kind, 15, 1, 200],
        ['RtbEp', 'RtbEp', 0, 5, 0],
        [supply.kind, supply.kind, 0, 2, 200],
        [supply.kind, supply.kind, 15, 1, 100],
      ].toSorted(),
    );
  });
}

/** Of how many objects a day is told. */
export function paging(suite: Opened): void {
  test('objects of a day come each once, page by page, whatever their kind', async () => {
    const room = await suite.room();
    const { statistics } = room.store;
    const before = new Set((await Array.fromAsync(statistics.countedOn(day))).flat().map(keyOf));
    const supply = { kind: 'VastTag', id: 1_000_000 };
    const demand = (index: number) => ({ kind: index % 2 ? 'Campaign' : 'DspRtbEp', id: 2_000_000 + index });
    const demands = Array.from({ length: 2500 }, (_, index) => demand(index));
    for (let from = 0; from < demands.length; from += 500) {
      const part = demands.slice(from, from + 500);
      await statistics.add([lot({ pairs: part.map((one) => pairCounts(supply, one, { requests: 1 })) })]);
    }
    const rows = (await Array.fromAsync(statistics.countedOn(day))).flat();
    const fresh = rows.map(keyOf).filter((key) => !before.has(key));
    assert.deepEqual(fresh.toSorted(), [supply, ...demands].map(keyOf).toSorted());
  });
}

/** What objects have counted with each other. */
export function met(suite: Opened): void {
  test('pairs: what an object of either side counted with each other one', async () => {
    const room = await suite.room();
    const { statistics } = room.store;
    const { supply, feed, demand } = await market(room);
    const at = day * 24 + 5;
    const counted = [
      pairCounts(supply, undefined, { requests: 7 }, at),
      pairCounts(supply, demand, { requests: 3, revenueNanos: 50 }, at),
      pairCounts(supply, demand, { requests: 2 }, at + 1),
      pairCounts(feed, demand, { requests: 1, revenueNanos: 5 }, at),
      pairCounts(supply, demand, { requests: 4 }, at + 24),
    ];
    await statistics.add([lot({ pairs: counted })]);
    const of = async (object: ObjectKey) => {
      const rows = await statistics.pairs(object, day);
      const told = rows.map(({ counts, ...other }) => [keyOf(other), counts.requests, counts.revenueNanos]);
      return told.sort();
    };
    assert.deepEqual(await of(supply), [[keyOf(demand), 5, 50]]);
    assert.deepEqual(
      await of(demand),
      [
        [keyOf(feed), 1, 5],
        [keyOf(supply), 5, 50],
      ].sort(),
    );
  });
}

/** Samples of bids. */
export function sampling(suite: Opened): void {
  test('samples of bids: each writer replaces its own of an hour; read by object and day; old ones are forgotten', async () => {
    const room = await suite.room();
    const { statistics } = room.store;
    const { supply, feed } = await market(room);
    const at = (object: ObjectKey, hour: number, country: string, ...prices: number[]) => ({
      kind: object.kind,
      id: object.id,
      hour,
      country,
      auctions: prices.length,
      sampled: prices.map((price) => [0, price]),
    });
    const hour = day * 24;
    const [first, again, other] = [
      at(supply, hour, 'DE', 1),
      at(supply, hour, 'DE', 1, 2),
      at(supply, hour, 'DE', 5),
    ];
    const later = at(supply, hour + 23, '', 7);
    await statistics.keepBidSamples('one', [first, at(feed, hour, 'DE', 9)]);
    await statistics.keepBidSamples('one', [again, later, at(supply, hour + 24, 'DE', 8)]);
    await statistics.keepBidSamples('two', [other]);
    await statistics.keepBidSamples('two', []);
    assert.deepEqual(await statistics.bidSamples(supply, day), [again, other, later]);
    assert.equal(await statistics.forgetBidSamples(day + 1), false);
    assert.deepEqual(await statistics.bidSamples(supply, day), []);
    assert.equal((await statistics.bidSamples(supply, day + 1)).length, 1);
  });
}
