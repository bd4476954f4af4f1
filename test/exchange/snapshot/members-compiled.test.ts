import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compileExchange } from '../../../src/exchange/compile-exchange.ts';
import { createFollower } from '../../../src/exchange/snapshot/follower.ts';
import { opportunityWith } from '../unrestricted.ts';
import { createNaiveFeed, type NaiveFeed } from './naive-feed.ts';

const members = 1000;
const ids = Array.from({ length: members }, (_, at) => at + 1);
const open = { VideoEnabled: 1, WebEnabled: 1, AppEnabled: 1, AllowIpV6: 1 };

/** Two tags connected to a thousand DSP VAST Tags of two advertisers, and a follower that counts those it indexes. */
async function largeExchange() {
  const naive = createNaiveFeed();
  naive.put('Publisher', 1, {});
  for (const id of [1, 2]) naive.put('Advertiser', id, {});
  for (const id of ids) naive.put('DspVastTag', id, { ownerId: id <= 10 ? 2 : 1, settings: open });
  for (const id of [1, 2]) naive.put('VastTag', id, { ownerId: 1, connections: { DspVastTags: ids } });
  let indexed = 0;
  const follower = createFollower(naive.feed, {
    ...compileExchange,
    candidateIndex(connected, { objectOf, targetingOf }, lists) {
      const counting = (demand: Parameters<typeof objectOf>[0]) => {
        indexed += 1;
        return objectOf(demand);
      };
      return compileExchange.candidateIndex(connected, { objectOf: counting, targetingOf }, lists);
    },
  });
  await follower.load();
  const select = () =>
    follower
      .current()
      .supply('VastTag', 1)
      ?.candidates.select(opportunityWith({ country: 'FR' })) ?? [];
  return { naive, follower, select, indexed: () => indexed };
}

/** A change, how many objects are indexed for it (as they were, and as they are), and how many serve France then. */
const changes: readonly [what: string, change: (naive: NaiveFeed) => void, indexed: number, left: number][] =
  [
    [
      'the targeting of one member',
      ({ put }) => put('DspVastTag', 500, { settings: { Countries: ['DE'] } }),
      ...([2, members - 1] as const),
    ],
    [
      'the targeting of two members, far from each other',
      ({ put }) => {
        for (const id of [2, 999]) put('DspVastTag', id, { settings: { Countries: ['DE'] } });
      },
      ...([4, members - 2] as const),
    ],
    [
      'what no rule asks of a member',
      ({ put }) => put('DspVastTag', 500, { settings: { Name: 'renamed', FixedCpm: 2 } }),
      ...([0, members] as const),
    ],
    ['the status of a member', ({ put }) => put('DspVastTag', 500, { status: 1 }), 1, members - 1],
    ['an advertiser of ten', ({ put }) => put('Advertiser', 2, { status: 1 }), 10, members - 10],
    [
      'the name of an advertiser',
      ({ put }) => put('Advertiser', 1, { settings: { Name: 'new' } }),
      0,
      members,
    ],
    [
      'a new member',
      ({ put }) => {
        put('DspVastTag', members + 1, { ownerId: 1, settings: open });
        put('VastTag', 1, { connections: { DspVastTags: [...ids, members + 1] } });
      },
      ...([1, members + 1] as const),
    ],
    [
      'a new member of another kind, which comes before all',
      ({ put }) => {
        put('Campaign', 1, { ownerId: 1, settings: { ...open, Type: 1 } });
        put('VastTag', 1, { connections: { Campaigns: [1] } });
      },
      ...([1, members + 1] as const),
    ],
    [
      'one member less',
      ({ put }) => put('VastTag', 1, { connections: { DspVastTags: ids.filter((id) => id !== 500) } }),
      ...([1, members - 1] as const),
    ],
    [
      'the order of the members',
      ({ put }) => put('VastTag', 1, { connections: { DspVastTags: ids.toReversed() } }),
      ...([0, members] as const),
    ],
    [
      'the connections of another tag',
      ({ put }) => put('VastTag', 2, { connections: { DspVastTags: [] } }),
      ...([0, members] as const),
    ],
  ];

describe('of a thousand members that auctions select from, a change of', () => {
  for (const [what, change, expected, left] of changes) {
    test(`${what} indexes ${expected}, and none in an auction`, async () => {
      const { naive, follower, select, indexed } = await largeExchange();
      assert.equal(select().length, members);
      const before = indexed();
      assert.equal(before, members);
      change(naive);
      await follower.catchUp();
      assert.equal(indexed() - before, expected);
      assert.equal(select().length, left);
      assert.equal(indexed() - before, expected);
    });
  }
});

test('supply that no auction has asked for is not indexed', async () => {
  const { naive, follower, indexed } = await largeExchange();
  naive.put('DspVastTag', 500, { status: 1 });
  await follower.catchUp();
  assert.equal(indexed(), 0);
});
