import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Auction, type Candidate, newCandidate } from '../../src/exchange/auction/auction.ts';
import { createRecentAuctions } from '../../src/exchange/explain/recent-auctions.ts';
import { refuse } from '../../src/exchange/reasons.ts';
import type { Supply } from '../../src/exchange/snapshot/supply.ts';
import { opportunityWith, unrestrictedDemand, unrestrictedSupply } from './unrestricted.ts';

const tag = (id: number, members: Partial<Supply> = {}) => unrestrictedSupply('VastTag', { id, ...members });

/** An auction that was held, of which only what is noted is filled in. */
function auctionOf(supply: Supply, timeMs: number, members: Partial<Auction> = {}): Auction {
  const opportunity = opportunityWith({ auctionId: `${supply.kind} ${supply.id} ${timeMs}`, timeMs });
  const rereadRequest = (as: Supply) => opportunityWith({ auctionId: `${as.name} ${timeMs}` });
  const auction = { supply, opportunity, rereadRequest, candidates: [], ranking: [], promised: [] };
  return { ...auction, refusal: undefined, ...members } as Partial<Auction> as Auction;
}

const idsOf = (held: readonly { readonly AuctionId: string }[]) => held.map(({ AuctionId }) => AuctionId);

test('auctions are shown to their team alone, the newest first, of one object where it is asked for', () => {
  const recent = createRecentAuctions(() => 0);
  recent.note(auctionOf(tag(1), 5));
  recent.note(auctionOf(tag(2), 7));
  recent.note(auctionOf(unrestrictedSupply('RtbEp', { id: 1 }), 6));
  recent.note(auctionOf(tag(3, { teamId: 2 }), 8));
  assert.deepEqual(idsOf(recent.of(1)), ['VastTag 2 7', 'RtbEp 1 6', 'VastTag 1 5']);
  assert.deepEqual(idsOf(recent.of(2)), ['VastTag 3 8']);
  assert.deepEqual(idsOf(recent.of(1, { supply: { kind: 'VastTag', id: 1 } })), ['VastTag 1 5']);
  assert.deepEqual(idsOf(recent.of(1, { supply: { kind: 'VastTag', id: 3 } })), []);
});

test('of a busy object one auction is kept in 200 ms, and read again for what it is now', () => {
  let nowMs = 1000;
  const recent = createRecentAuctions(() => nowMs);
  const [busy, other] = [tag(1), tag(2)];
  recent.note(auctionOf(busy, 1));
  nowMs += 199;
  recent.note(auctionOf(busy, 2));
  recent.note(auctionOf(other, 3));
  assert.deepEqual(idsOf(recent.of(1)), ['VastTag 2 3', 'VastTag 1 1']);
  nowMs += 1;
  recent.note(auctionOf(busy, 4));
  assert.deepEqual(idsOf(recent.of(1)), ['VastTag 1 4', 'VastTag 2 3', 'VastTag 1 1']);
  assert.equal(recent.lastSeen(tag(1, { name: 'Renamed' }))?.auctionId, 'Renamed 4');
  assert.equal(recent.lastSeen(tag(9)), undefined);
});

test('the last 500 are kept', () => {
  const recent = createRecentAuctions(() => 0);
  for (let id = 1; id <= 502; id += 1) recent.note(auctionOf(tag(id), id));
  const kept = idsOf(recent.of(1));
  assert.deepEqual([kept.length, kept.at(0), kept.at(-1)], [500, 'VastTag 502 502', 'VastTag 3 3']);
});

test('the last request of an object is kept as long as its auction is shown', () => {
  let nowMs = 0;
  const recent = createRecentAuctions(() => nowMs);
  const lastOf = (id: number) => recent.lastSeen(tag(id, { name: `tag ${id}` }))?.auctionId;
  recent.note(auctionOf(tag(1), 1));
  for (let id = 2; id <= 500; id += 1) recent.note(auctionOf(tag(id), id));
  assert.deepEqual([lastOf(1), lastOf(2)], ['tag 1 1', 'tag 2 2']);
  nowMs += 200;
  recent.note(auctionOf(tag(2), 501));
  assert.deepEqual([lastOf(1), lastOf(2)], [undefined, 'tag 2 501']);
  recent.note(auctionOf(tag(501), 502));
  assert.deepEqual([lastOf(2), lastOf(501)], ['tag 2 501', 'tag 501 502']);
});

test('who took part is told with what came of it, and who did not with the rule that kept it out; 100 at most', () => {
  const demands = Array.from({ length: 130 }, (_, at) => unrestrictedDemand('Campaign', { id: at + 1 }));
  const [winner, behind, low] = demands.map((demand): Candidate => {
    const refusal = demand.id === 3 ? refuse('below_floor') : undefined;
    return {
      demand,
      media: undefined,
      refusal,
      bid: undefined,
      refused: [],
      further: [],
      alsoWon: [],
      lost: [],
      tolerated: undefined,
      withheld: 0,
      isCalled: true,
      isMatched: false,
      refusals: undefined,
      isAsked: true,
      answer: undefined,
      latencyMs: undefined,
      isBidTaken: false,
      deals: undefined,
      judged: undefined,
    };
  });
  assert.ok(winner && behind && low);
  const candidates = {
    connected: demands,
    select: () => [],
    refusedCounts: () => assert.fail(),
    explain: () => refuse('no_bid'),
    refusals: () => [],
  };
  const ranking = [winner, behind].map((candidate, place) => {
    return { candidate, clearingCpmMicros: (2 - place) * 1_000_000 };
  }) as unknown as Auction['ranking'];
  const recent = createRecentAuctions(() => 0);
  recent.note(auctionOf(tag(1, { candidates }), 1, { candidates: [winner, behind, low], ranking }));
  const [held] = recent.of(1);
  const told = held?.Candidates.map(({ Id, Outcome, Rule, Price }) => [Id, Outcome, Rule, Price]);
  assert.equal(held?.Outcome, 'won');
  assert.deepEqual(told?.slice(0, 4), [
    [1, 'won', '', 2],
    [2, 'fallback', '', null],
    [3, 'refused', 'below_floor', null],
    [4, 'refused', 'no_bid', null],
  ]);
  const found = (asked: Parameters<typeof recent.of>[1]) => recent.of(1, asked).length;
  const of = (id: number) => ({ kind: 'DspVastTag', id });
  const kind = demands[0]?.kind ?? '';
  for (const [asked, count] of [
    [{ reason: 'below_floor' }, 1],
    [{ reason: 'max_qps' }, 0],
    [{ demand: { kind, id: 3 } }, 1],
    [{ demand: { kind, id: 3 }, reason: 'below_floor' }, 1],
    [{ demand: { kind, id: 4 }, reason: 'below_floor' }, 0],
    [{ demand: { kind, id: 4 }, reason: 'no_bid' }, 1],
    [{ demand: of(9999) }, 0],
    [{ supply: { kind: 'RtbEp', id: 1 }, reason: 'below_floor' }, 0],
  ] as const)
    assert.equal(found(asked), count, JSON.stringify(asked));
  assert.equal(told?.length, 100);
});

test('an auction that nobody won tells why', () => {
  const recent = createRecentAuctions(() => 0);
  const refusal = refuse('max_qps', { field: 'MaxQps', wanted: 1, met: 2 });
  const asked = Array.from({ length: 130 }, (_, at) =>
    newCandidate(unrestrictedDemand('Campaign', { id: at })),
  );
  recent.note(auctionOf(tag(1), 1, { refusal }));
  recent.note(auctionOf(tag(2), 2, { candidates: asked }));
  assert.deepEqual(
    recent.of(1).map((held) => [held.Outcome, held.Field, held.Wanted, held.Met, held.Candidates.length]),
    [
      ['no_bid', '', null, null, 100],
      ['max_qps', 'MaxQps', 1, 2, 0],
    ],
  );
});
