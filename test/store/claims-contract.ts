import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { PairCounts } from '../../src/store/statistics/interface.ts';
import { pairCounts } from '../statistics/counting.ts';
import { addEvents, type CountedEvent, countsOf, impression, lot, type Market, market } from './market.ts';
import { type Opened, withOthers } from './team-room.ts';

/** Events that claim several names of an auction. */
export function claiming(suite: Opened): void {
  const claiming = (
    auctionId: string,
    names: readonly string[],
    { supply, demand }: Market,
  ): CountedEvent => ({
    ...impression(auctionId, supply, demand),
    names,
  });

  test('counts what claims several names only if it gets all, and else leaves them to others', async () => {
    const room = await suite.room();
    const { statistics } = room.store;
    const found = await market(room);
    const bill = (auctionId: string, ...claims: readonly (readonly string[])[]) =>
      addEvents(
        { statistics },
        claims.map((names) => claiming(auctionId, names, found)),
      );
    const [won, lost] = [randomUUID(), randomUUID()];
    assert.deepEqual(await bill(won, ['a']), [true]);
    assert.deepEqual(await bill(won, ['a', 'b']), [false]);
    assert.deepEqual(await bill(won, ['b']), [true], 'it is free again');
    assert.deepEqual(await bill(lost, ['a', 'b']), [true]);
    assert.deepEqual(await bill(lost, ['a'], ['b']), [false, false]);
    const shared = randomUUID();
    assert.deepEqual(await bill(shared, ['a']), [true]);
    assert.deepEqual(await bill(shared, ['a', 'b'], ['b'], ['b', 'c'], ['c']), [false, true, false, true]);
    const twice = [claiming(won, ['a', 'c'], found), claiming(lost, ['c'], found)];
    const batch = randomUUID();
    for (const counted of [true, false])
      assert.deepEqual(await addEvents({ statistics }, twice, batch), [false, counted]);
    assert.equal((await countsOf(room.store, found.supply)).impressions, 7);
  });

  test('several processes claim the same names at once: one or the other counts, never both', async () => {
    const room = await suite.room();
    const found = await market(room);
    const auctions = Array.from({ length: 40 }, () => randomUUID());
    const told = await withOthers(suite, 4, (stores) =>
      Promise.all(
        stores.map(async ({ statistics }, turn) => {
          const mine = turn % 2 === 0 ? auctions : auctions.toReversed();
          const names = turn < 2 ? ['a', 'b'] : ['a'];
          const events = mine.map((auctionId) => claiming(auctionId, names, found));
          const counted = await addEvents({ statistics }, events);
          return mine.filter((_, index) => counted[index]);
        }),
      ),
    );
    assert.deepEqual(told.flat().toSorted(), auctions.toSorted());
    const free = auctions.map((auctionId) => claiming(auctionId, ['b'], found));
    const left = await addEvents(room.store, free);
    const wonAlone = [...(told[2] ?? []), ...(told[3] ?? [])];
    assert.deepEqual(auctions.filter((_, index) => left[index]).toSorted(), wonAlone.toSorted());
  });
}

/** Counts that no database takes. */
export function refusing(suite: Opened): void {
  const nowhere = { kind: 'Campaign', id: Number.NaN };
  const cases: readonly (readonly [name: string, pair: (found: Market) => PairCounts])[] = [
    ['an hour that is none', ({ supply }) => pairCounts(supply, undefined, { requests: 1 }, Number.NaN)],
    ['an ID that is none', ({ supply }) => pairCounts(supply, nowhere, { requests: 1 })],
    ['a count that is none', ({ supply }) => pairCounts(supply, undefined, { requests: Number.NaN })],
  ];
  for (const [name, pairOf] of cases) {
    test(`refuses ${name} as invalid, and keeps nothing of what came with it`, async () => {
      const room = await suite.room();
      const { statistics } = room.store;
      const found = await market(room);
      const { supply, demand } = found;
      const good = pairCounts(supply, demand, { requests: 1, impressions: 1 });
      await assert.rejects(statistics.add([lot({ pairs: [good, pairOf(found)] })]), { code: 'invalid' });
      const events = [impression(randomUUID(), supply, demand), impression(randomUUID(), supply, demand)];
      const spoilt = events.map((event, index) => (index === 0 ? event : { ...event, pair: pairOf(found) }));
      await assert.rejects(addEvents({ statistics }, spoilt), { code: 'invalid' });
      assert.deepEqual(await addEvents({ statistics }, events), [true, true]);
      assert.equal((await countsOf(room.store, supply)).impressions, 2);
    });
  }
}
