import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Auction } from '../../src/exchange/auction/auction.ts';
import { createRecentAuctions } from '../../src/exchange/explain/recent-auctions.ts';
import type { Opportunity } from '../../src/exchange/opportunity.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const sampleEveryMs = 200;
const auctionsMax = 500;

const supplyOf = (id: number) => ({
  ...{ kind: 'RtbEp', id, name: `endpoint ${id}`, teamId: 1 },
  candidates: { connected: [] },
});

/** An auction that nobody took part in. */
function auctionOf(supply: object, auctionId: string): Auction {
  const inventory = { domain: 'news.example', appBundle: '' };
  const opportunity = { auctionId, timeMs: 0, country: '', inventory };
  return { supply, opportunity, candidates: [], ranking: [] } as unknown as Auction;
}

describe('recent auctions', () => {
  const [one, other] = [supplyOf(1), supplyOf(2)];

  test('hold the last request of each supply object, and no other', async () => {
    let nowMs = 0;
    const recent = createRecentAuctions(() => nowMs);
    const requests: WeakRef<Opportunity>[] = [];
    const note = (supply: object, auctionId: string) => {
      const auction = auctionOf(supply, auctionId);
      recent.note(auction);
      requests.push(new WeakRef(auction.opportunity));
      nowMs += sampleEveryMs;
    };
    note(one, 'a');
    note(other, 'b');
    note(one, 'c');
    note(one, 'd');
    // Until the end of its turn a weak reference holds what it was made for.
    await nextTurn();
    collectGarbage();
    const held = requests.map((request) => request.deref()?.auctionId);
    assert.deepEqual(held, [undefined, 'b', undefined, 'd']);
    assert.equal(recent.lastSeen(one)?.auctionId, 'd');
    assert.equal(recent.lastSeen(other)?.auctionId, 'b');
    const shown = recent.of(1).map(({ AuctionId }) => AuctionId);
    assert.deepEqual(shown.sort(), ['a', 'b', 'c', 'd']);
  });

  test('hold no request of a supply object that 500 later auctions have pushed out', () => {
    let nowMs = 0;
    const recent = createRecentAuctions(() => nowMs);
    recent.note(auctionOf(other, 'first'));
    for (let number = 1; number <= auctionsMax; number += 1) {
      const isLast = number === auctionsMax;
      assert.equal(recent.lastSeen(other)?.auctionId, 'first');
      nowMs += sampleEveryMs;
      recent.note(auctionOf(one, isLast ? 'last' : 'another'));
    }
    assert.equal(recent.lastSeen(other), undefined);
    assert.equal(recent.lastSeen(one)?.auctionId, 'last');
    assert.equal(recent.of(1).length, auctionsMax);
  });
});
