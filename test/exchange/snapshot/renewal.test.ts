import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { emptySnapshot } from '../../../src/exchange/snapshot/compiled-snapshot.ts';
import { createFollower } from '../../../src/exchange/snapshot/follower.ts';
import { createRenewal } from '../../../src/exchange/snapshot/renew.ts';
import type { Supply } from '../../../src/exchange/snapshot/supply.ts';
import { seeded } from '../../support/seed.ts';
import { settingsOf } from '../settings-of.ts';
import { anyRounds, idMax } from './any-changes.ts';
import { describeSnapshot } from './describe-snapshot.ts';
import { createNaiveFeed, type NaiveFeed } from './naive-feed.ts';
import { type Compiled, plainCompile } from './plain-compile.ts';

/** What a test asks of a supply object, whose members are read when they are asked for. */
const membersOf = (supply: Supply | undefined) =>
  supply && { ...supply, name: supply.name, limits: supply.limits, match: supply.match };

/** Two accounts of each kind, three demand objects, two VAST tags and an RTB EP, and a list that one tag uses. */
function smallExchange(): NaiveFeed {
  const naive = createNaiveFeed();
  for (const id of [1, 2]) naive.put('Publisher', id, { settings: { Name: `publisher ${id}` } });
  for (const id of [1, 2]) naive.put('Advertiser', id, { settings: { Name: `advertiser ${id}` } });
  for (const id of [1, 2, 3]) naive.put('DspVastTag', id, { ownerId: id < 3 ? 1 : 2 });
  naive.write('DomainList', 1, ['a.example']);
  naive.write('DomainList', 2, ['unused.example']);
  naive.put('VastTag', 1, { ownerId: 1, connections: { DspVastTags: [2, 1], DomainsBrandsList: [1] } });
  naive.put('VastTag', 2, { ownerId: 2, connections: { DspVastTags: [3] } });
  naive.put('RtbEp', 1, { ownerId: 1, connections: { DspVastTags: [1, 3] } });
  return naive;
}

/** A change of the small exchange, and what is compiled again for it. */
const changes: readonly [name: string, change: (naive: NaiveFeed) => void, compiled: Compiled][] = [
  [
    'a demand object',
    ({ put }) => put('DspVastTag', 2, { settings: { Countries: ['US'] } }),
    ['demand DspVastTag:2', 'index DspVastTag:2 DspVastTag:1'],
  ],
  [
    'a demand object that is connected to nothing',
    ({ put }) => put('DspVastTag', 4, { ownerId: 1 }),
    ['demand DspVastTag:4'],
  ],
  [
    'a supply object, but not what is connected to it',
    ({ put }) => put('VastTag', 1, { settings: { Bidfloor: 1 } }),
    ['supply VastTag:1'],
  ],
  [
    'connections of a supply object',
    ({ put }) => put('VastTag', 2, { connections: { DspVastTags: [1, 3] } }),
    [
      'demand DspVastTag:1',
      'supply VastTag:2',
      'index DspVastTag:1 DspVastTag:3',
      'index DspVastTag:2 DspVastTag:1',
    ],
  ],
  [
    'connections from the side of demand',
    ({ put }) => put('DspVastTag', 3, { connections: { RtbEps: [] } }),
    ['demand DspVastTag:3', 'supply RtbEp:1', 'index DspVastTag:1', 'index DspVastTag:3'],
  ],
  [
    'the text of a list',
    ({ write }) => write('DomainList', 1, ['b.example', 'c.example']),
    ['list DomainList of 2'],
  ],
  ['the text of a list that nobody uses', ({ write }) => write('DomainList', 2, ['b.example']), []],
  ['a list that nobody uses', ({ put }) => put('DomainList', 2, { settings: { Name: 'renamed' } }), []],
  [
    'the first use of a list',
    ({ put }) => put('VastTag', 2, { connections: { DspVastTags: [3], DomainsBrandsList: [2] } }),
    ['list DomainList of 1', 'supply VastTag:2'],
  ],
  [
    'the first use of a list, by an inactive object',
    ({ put }) => put('VastTag', 2, { status: 1, connections: { DspVastTags: [3], DomainsBrandsList: [2] } }),
    ['list DomainList of 1', 'supply VastTag:2'],
  ],
  [
    'another use of a list',
    ({ put }) => put('VastTag', 2, { connections: { DspVastTags: [3], DomainsBrandsList: [1] } }),
    ['supply VastTag:2'],
  ],
  [
    'a list that becomes global',
    ({ put }) => put('DomainList', 2, { settings: { Global: 1 } }),
    ['list DomainList of 1'],
  ],
  [
    'the last use of a list',
    ({ put }) => put('VastTag', 1, { connections: { DomainsBrandsList: [] } }),
    ['supply VastTag:1'],
  ],
  ['a list but for its text', ({ put }) => put('DomainList', 1, { settings: { Global: 1 } }), []],
  ['the status of a list', ({ put }) => put('DomainList', 1, { status: 1 }), []],
  [
    'the status of an advertiser',
    ({ put }) => put('Advertiser', 2, { status: 1 }),
    ['index DspVastTag:1 DspVastTag:3', 'index DspVastTag:3'],
  ],
  ['the name of a publisher', ({ put }) => put('Publisher', 1, { settings: { Name: 'renamed' } }), []],
  [
    'what delivery does not ask of an account',
    ({ put }) => put('Advertiser', 1, { settings: { Phone: '1' } }),
    [],
  ],
];

describe('for a change of', () => {
  for (const [name, change, expected] of changes) {
    test(`${name}: compiles ${expected.length === 0 ? 'nothing' : expected.join(', ')}`, async () => {
      const naive = smallExchange();
      const compiled: Compiled = [];
      const follower = createFollower(naive.feed, plainCompile(compiled));
      await follower.load();
      const before = describeSnapshot(follower.current(), idMax);
      const old = follower.current();
      compiled.length = 0;
      change(naive);
      await follower.catchUp();
      assert.equal(follower.current().revision, await naive.feed.revision());
      const whole = createFollower(naive.feed, plainCompile());
      await whole.load();
      assert.deepEqual(describeSnapshot(follower.current(), idMax), describeSnapshot(whole.current(), idMax));
      // All that was connected twice is compiled once.
      assert.deepEqual([...new Set(compiled)].sort(), expected.toSorted());
      if (!name.includes('list')) assert.deepEqual(describeSnapshot(old, idMax), before, 'the old one stays');
    });
  }
});

test('a list that comes out of use is compiled again when it comes into use', async () => {
  const naive = smallExchange();
  const compiled: Compiled = [];
  const follower = createFollower(naive.feed, plainCompile(compiled));
  const isCompiledBy = async (connections: Record<string, readonly number[]>) => {
    compiled.length = 0;
    naive.put('VastTag', 1, { ownerId: 1, connections });
    await follower.catchUp();
    return compiled.filter((what) => what.startsWith('list'));
  };
  await follower.load();
  assert.deepEqual(
    compiled.filter((what) => what.startsWith('list')),
    ['list DomainList of 1'],
    'the other one is not used',
  );
  assert.deepEqual(await isCompiledBy({ DomainsBrandsList: [] }), []);
  assert.deepEqual(await isCompiledBy({ DomainsBrandsList: [1] }), ['list DomainList of 1']);
  assert.deepEqual(await isCompiledBy({ DomainsBrandsList: [1, 1, 2] }), ['list DomainList of 1']);
  assert.deepEqual(await isCompiledBy({ DomainsBrandsList: [2] }), []);
});

describe('a snapshot', () => {
  test('has the figures of the settings, ready for use', async () => {
    const naive = smallExchange();
    naive.put('VastTag', 1, {
      settings: {
        Name: 'pre-roll',
        Auth: 's3',
        Bidfloor: 1.5,
        Tmax: 0,
        AuctionType: 2,
        PublisherProfitShare: 40,
        MaxQps: 7,
        SpentDailyLimit: 2.5,
        UaMatch: 1,
        RefererMatch: 1,
      },
    });
    naive.put('Campaign', 1, { ownerId: 1, settings: { SpendDailyLimit: 1, SpendTotalLimit: 9 } });
    naive.put('Publisher', 2, { settings: { SellerId: 'seller-2' } });
    const follower = createFollower(naive.feed, plainCompile());
    await follower.load();
    const { supply, demand, publishers } = follower.current();
    assert.partialDeepStrictEqual(membersOf(supply('VastTag', 1)), {
      kind: 'VastTag',
      name: 'pre-roll',
      auth: 's3',
      floorCpmMicros: 1_500_000,
      auctionType: 2,
      tmaxMs: 300,
      publisherProfitShare: 40,
      limits: { maxQps: 7, requestsDaily: 0, amountDailyNanos: 2_500_000_000, amountTotalNanos: 0 },
      match: { nonEmptyReferer: false, refererMatch: true, ipMatch: false, uaMatch: true },
      account: { id: 1, sellerId: '1', isActive: true },
    });
    assert.deepEqual(
      [demand('Campaign', 1)?.limits.amountDailyNanos, demand('Campaign', 1)?.limits.amountTotalNanos],
      [1_000_000_000, 9_000_000_000],
    );
    assert.deepEqual(
      [...publishers()].map(({ sellerId }) => sellerId),
      ['1', 'seller-2'],
    );
    assert.equal(supply('VastTag', 99), undefined);
    assert.equal(supply('PopFeed', 1), undefined);
  });

  test("has of demand its own vendor ID, else the advertiser's, also once that changes", async () => {
    const naive = smallExchange();
    naive.put('DspVastTag', 1, { settings: { GvlId: 755 } });
    naive.put('Campaign', 1, { ownerId: 1 });
    const follower = createFollower(naive.feed, plainCompile());
    await follower.load();
    const vendors = () => {
      const { demand } = follower.current();
      return [demand('DspVastTag', 1), demand('DspVastTag', 2), demand('Campaign', 1)].map(
        (one) => one?.gvlId,
      );
    };
    assert.deepEqual(vendors(), [755, 0, 0]);
    naive.put('Advertiser', 1, { settings: { GvlId: 42 } });
    await follower.catchUp();
    assert.deepEqual(vendors(), [755, 42, 42]);
    naive.put('DspVastTag', 1, { settings: { GvlId: 0 } });
    await follower.catchUp();
    assert.deepEqual(vendors(), [42, 42, 42]);
  });

  test('has the consent mode of supply', async () => {
    const naive = smallExchange();
    naive.put('RtbEp', 1, { settings: { ConsentMode: 2 } });
    const follower = createFollower(naive.feed, plainCompile());
    await follower.load();
    const { supply } = follower.current();
    assert.deepEqual(
      [supply('RtbEp', 1), supply('VastTag', 1)].map((one) => one?.settings.ConsentMode),
      [2, 0],
    );
  });

  test('has an inactive account for what belongs to nobody that is known, until that comes', async () => {
    const naive = createNaiveFeed();
    naive.put('VastTag', 1, { ownerId: 7 });
    const follower = createFollower(naive.feed, plainCompile());
    await follower.load();
    const account = () => follower.current().supply('VastTag', 1)?.account;
    assert.partialDeepStrictEqual(account(), { id: 7, isActive: false });
    naive.put('Publisher', 7, {});
    await follower.catchUp();
    assert.partialDeepStrictEqual(account(), { id: 7, isActive: true });
  });

  test('has each field of a publisher as it is now', async () => {
    const naive = smallExchange();
    const follower = createFollower(naive.feed, plainCompile());
    await follower.load();
    const values = {
      Name: 'renamed',
      SellerId: 'seller-1',
      SellerType: 2,
      PlatformDomain: 'p.example',
      SellersJsonDomain: 's.example',
    };
    for (const [field, value] of Object.entries(values)) {
      naive.put('Publisher', 1, { settings: { [field]: value } });
      await follower.catchUp();
      const [publisher] = follower.current().publishers();
      const member = (field.charAt(0).toLowerCase() + field.slice(1)) as 'name';
      const { account } = follower.current().supply('VastTag', 1) ?? {};
      assert.deepEqual([publisher?.[member], account?.[member]], [value, value], field);
    }
  });

  test('is of one moment, also where something changes while it is read', async () => {
    const naive = smallExchange();
    let left = 3;
    naive.onRead = () => {
      if (left === 0) return;
      left -= 1;
      naive.put('DspVastTag', 3, { settings: { Name: `change ${left}` } });
    };
    const follower = createFollower(naive.feed, plainCompile());
    await follower.load();
    assert.equal(follower.current().revision, await naive.feed.revision());
    assert.equal(follower.current().demand('DspVastTag', 3)?.name, 'change 0');
  });

  test('comes to an end where changes never do, and catches up with the rest', async () => {
    const naive = smallExchange();
    naive.onRead = () =>
      naive.put('DspVastTag', 3, { settings: { Name: `${naive.ids('KeywordList').length}` } });
    const follower = createFollower(naive.feed, plainCompile());
    await follower.load();
    naive.onRead = () => undefined;
    assert.ok(follower.current().revision < (await naive.feed.revision()));
    await follower.catchUp();
    assert.equal(follower.current().revision, await naive.feed.revision());
  });

  test('stays as it was when reading fails at any place, and the next attempt brings all of it', async () => {
    for (let fails = 0; fails < 12; fails += 1) {
      const naive = smallExchange();
      const follower = createFollower(naive.feed, plainCompile());
      await follower.load();
      const before = describeSnapshot(follower.current(), idMax);
      naive.write('DomainList', 1, ['b.example']);
      naive.put('DspVastTag', 1, { status: 1 });
      let reads = 0;
      naive.onRead = () => {
        reads += 1;
        if (reads === fails + 1) throw new Error('away');
      };
      const failed = await follower.catchUp().then(
        () => false,
        () => true,
      );
      if (failed) assert.deepEqual(describeSnapshot(follower.current(), idMax), before, `read ${fails}`);
      naive.onRead = () => undefined;
      await follower.catchUp();
      const whole = createFollower(naive.feed, plainCompile());
      await whole.load();
      assert.deepEqual(describeSnapshot(follower.current(), idMax), describeSnapshot(whole.current(), idMax));
    }
  });
});

test('each object is a piece of work of its own, so that auctions wait for one at most', () => {
  const own = { teamId: 1, ownerId: 1, status: 0 };
  const ids = Array.from({ length: 50 }, (_, at) => at + 1);
  const demand = ids.map((id) => ({
    ...({ ...own, entity: 'DspVastTag', id, settings: settingsOf('DspVastTag') } as const),
    connections: { VastTags: [id] },
  }));
  const supply = ids.map((id) => ({
    ...({ ...own, entity: 'VastTag', id, settings: settingsOf('VastTag') } as const),
    connections: { DspVastTags: [id] },
  }));
  const compiler = plainCompile();
  const renew = createRenewal(compiler, compiler.listTable().lists);
  const task = renew(emptySnapshot, [...demand, ...supply], 1);
  let pauses = 0;
  while (!task.next().done) pauses += 1;
  // Demand is looked at once more, to find its supply.
  assert.equal(pauses, 3 * ids.length);
});

test('a snapshot that follows any changes is the one that is built from all', async () => {
  await fc.assert(
    fc.asyncProperty(anyRounds, async (rounds) => {
      const naive = createNaiveFeed();
      const follower = createFollower(naive.feed, plainCompile());
      await follower.load();
      for (const round of rounds) {
        for (const change of round) change(naive);
        await follower.catchUp();
        const whole = createFollower(naive.feed, plainCompile());
        await whole.load();
        assert.equal(follower.current().revision, whole.current().revision);
        assert.deepEqual(
          describeSnapshot(follower.current(), idMax),
          describeSnapshot(whole.current(), idMax),
        );
      }
    }),
    seeded(40),
  );
});
