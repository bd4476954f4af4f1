import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createLimits, limitsMemory } from '../../src/exchange/limits/create-limits.ts';
import type { PromisedTo } from '../../src/exchange/limits/promised.ts';
import { parseIpAddress } from '../../src/exchange/reading/ip-address.ts';
import { isRefusal } from '../../src/exchange/reasons.ts';
import type { Limited } from '../../src/exchange/snapshot/limited.ts';
import { createViewerHash } from '../../src/exchange/viewer-hash.ts';
import { Refusal } from '../../src/fields/fault.ts';
import { type Attempt, createLoginLimiter } from '../../src/identity/login-limiter.ts';
import { createTokenRates, tokenRatesMemory } from '../../src/management/http/token-rates.ts';
import { shareLoginFailures } from '../../src/region/login-failures.ts';
import { shareTokenRates } from '../../src/region/token-rates.ts';
import { shareViewerCounts } from '../../src/region/viewer-counts.ts';
import type { ValkeyConnection } from '../../src/valkey/connection.ts';
import { createRecentFailures } from '../../src/valkey/recent-failures.ts';
import { createSharedCounts } from '../../src/valkey/shared-counts.ts';
import { auctionAt, dayMs, limited, midnightMs, smallSize } from '../exchange/limits/limited.ts';
import { opportunityWith } from '../exchange/unrestricted.ts';
import { skipWithout } from '../support/debian-tools.ts';
import { pause } from '../support/pause.ts';
import { connectTo, startRedis, type TestRedis } from '../support/redis.ts';

describe('what two servers of a region share', { skip: skipWithout('redis-server') }, () => {
  let redis: TestRedis;
  let connection: ValkeyConnection;
  let installations = 0;
  /** An installation of its own. */
  const fresh = () => {
    installations += 1;
    return { connection, installation: `one-${installations}` };
  };
  before(async () => {
    redis = await startRedis();
    connection = await connectTo(redis.address);
  });
  after(async () => {
    connection.close();
    await redis.remove();
  });

  const untilUp = async (isUp = true) => {
    while (connection.isUp() !== isUp) await pause();
  };

  describe('failed logins', () => {
    const ada: Attempt = { kind: 'login', mail: 'Ada@example.com', address: '192.0.2.1' };
    const pair = () => {
      const failures = createRecentFailures(fresh());
      const limiterOf = () => createLoginLimiter({ now: () => performance.now() });
      return [limiterOf(), limiterOf()].map((own) =>
        shareLoginFailures(own, failures, () => performance.now()),
      ) as [ReturnType<typeof shareLoginFailures>, ReturnType<typeof shareLoginFailures>];
    };

    test('are too many wherever they were', async () => {
      const [one, other] = pair();
      for (let count = 0; count < 5; count += 1) one.fail(ada);
      for (let count = 0; count < 4; count += 1) other.fail(ada);
      for (const limiter of [one, other]) {
        await limiter.learn(ada);
        limiter.check(ada);
      }
      other.fail({ ...ada, mail: 'ada@EXAMPLE.com', address: '198.51.100.7' });
      await one.learn(ada);
      assert.throws(() => one.check(ada), /Too many failed logins; try again in (60|59) seconds/);
      // The address has failed nine times, from where another may still log in.
      const eve = { ...ada, mail: 'eve@example.com' };
      await one.learn(eve);
      one.check(eve);
      assert.deepEqual(
        String(await redis.command('KEYS', `bourse:one-${installations}:*`)).includes('ada'),
        false,
        'no address of mail is kept as it is',
      );
    });

    test('from elsewhere hold nobody up who is known, at any server', async () => {
      const [one, other] = pair();
      const known: Attempt = { ...ada, knownBy: { browser: undefined } };
      for (let count = 0; count < 30; count += 1) one.fail({ ...ada, address: `198.51.100.${count}` });
      for (const attempt of [known, ada]) await other.learn(attempt);
      other.check(known);
      assert.throws(() => other.check(ada), Refusal);
      assert.deepEqual([other.isUserLimited(ada), other.isUserLimited(known)], [true, false]);
    });

    test('with codes end by a right one at any server', async () => {
      const [one, other] = pair();
      const code: Attempt = { ...ada, kind: 'code' };
      for (let count = 0; count < 4; count += 1) one.fail(code);
      other.succeed(code);
      one.succeed(code);
      one.fail(code);
      await other.learn(code);
      other.check(code);
      for (let count = 0; count < 4; count += 1) one.fail(code);
      await other.learn(code);
      assert.throws(() => other.check(code), Refusal);
    });

    test('are forgotten when their time is over', async () => {
      const failures = createRecentFailures(fresh());
      const count = { name: 'ada', limits: [{ failuresMax: 3, windowMs: 300 }] };
      for (let time = 0; time < 3; time += 1) failures.note([count]);
      assert.equal((await failures.waitMs(count)) > 0, true);
      while ((await failures.waitMs(count)) > 0) await pause();
    });

    test('are those of a server alone while Valkey is away', async () => {
      const [one, other] = pair();
      await redis.kill();
      await untilUp(false);
      for (let count = 0; count < 10; count += 1) one.fail(ada);
      await Promise.all([one.learn(ada), other.learn(ada)]);
      assert.throws(() => one.check(ada), Refusal);
      other.check(ada);
      await redis.start();
      await untilUp();
    });
  });

  test('rates of tokens: each hears of the other, and counts its own once', async () => {
    const shared = fresh();
    const memory = tokenRatesMemory();
    // Two threads of one process, and another process.
    const [thread, sibling, other] = [
      shareTokenRates(createTokenRates(memory), { ...shared, process: 'a' }),
      shareTokenRates(createTokenRates(memory), { ...shared, process: 'a' }),
      shareTokenRates(createTokenRates(tokenRatesMemory()), { ...shared, process: 'b' }),
    ];
    const all = [thread, sibling, other];
    const nowMs = Date.UTC(2026, 10, 24);
    assert.deepEqual(
      all.map((one) => one.count(7, nowMs)),
      [1, 2, 1],
    );
    for (const one of [...all, ...all]) await one.flush();
    assert.equal(other.count(7, nowMs), 4);
    assert.equal(other.count(8, nowMs), 1);
    for (const one of all) await one.flush();
    assert.equal(thread.count(7, nowMs), 3);
    await thread.flush();
    assert.equal(thread.count(7, nowMs), 6);
    assert.equal(other.count(7, nowMs + 1000), 1);
    for (const one of all) await one.close();
  });

  describe('impressions by address', () => {
    const noonMs = midnightMs + dayMs / 2;
    const object = limited({ impressionsPerIp: 2 }, 1);
    const newLimits = (shared: ReturnType<typeof fresh>) => {
      const memory = limitsMemory({ startMs: 0, ratesFromMs: 0 }, smallSize);
      return shareViewerCounts(
        createLimits(memory, () => 0),
        shared,
      );
    };
    type Shared = ReturnType<typeof newLimits>;
    let auctions = 0;
    /** What is promised, or how many the address has met. */
    const ask = async ({ limits }: Shared, address: string, timeMs = noonMs, to: PromisedTo = 'ad') => {
      auctions += 1;
      const auction = auctionAt(timeMs, to, parseIpAddress(address), `auction-${auctions}`);
      const promised = limits.reserve(object, auction, 0);
      if (!promised || isRefusal(promised)) return { met: promised?.met };
      const refusal = (await limits.askRegion([object], auction))?.get(object);
      if (refusal) limits.release(promised, auction);
      return refusal ? { met: refusal.met } : { auction, promised };
    };
    const granted = async (...asked: Parameters<typeof ask>) => {
      const { auction, promised } = await ask(...asked);
      return auction && promised ? { auction, promised } : assert.fail('refused');
    };
    const show = ({ limits }: Shared, { auction, promised }: Awaited<ReturnType<typeof granted>>) =>
      limits.commit(object, promised, { auction, nanos: 0, nowMs: auction.timeMs });

    for (const [address, again] of [
      ['192.0.2.7', '192.0.2.7'],
      ['2001:db8:1:2::3', '2001:db8:1:2:ffff::1'],
    ] as const)
      test(`are promised in the region before an ad is handed out: ${address}`, async () => {
        const shared = fresh();
        const [one, other] = [newLimits(shared), newLimits(shared)];
        const first = await granted(one, address);
        assert.deepEqual((await one.limits.askRegion([object], first.auction))?.size, 0, 'asked again');
        const second = await granted(other, again);
        assert.deepEqual(await ask(one, again), { met: 2 });
        other.limits.release(second.promised, second.auction);
        await other.flush();
        const third = await granted(one, again);
        // Shown at another server than the one that has promised it.
        show(other, first);
        show(one, third);
        await Promise.all([one.flush(), other.flush()]);
        for (const each of [one, other, newLimits(shared)])
          assert.deepEqual(await ask(each, address), { met: 2 });
        assert.deepEqual(
          other.limits.mayReserve(object, auctionAt(noonMs, 'ad', parseIpAddress(again)), 0)?.met,
          2,
          'it knows by now, and need not ask',
        );
        await granted(one, address, noonMs + dayMs);
        for (const each of [one, other]) await each.close();
      });

    for (const [to, minutes] of [
      ['ad', 16],
      ['offer', 6],
    ] as const)
      test(`of an ${to} that is not shown are free after ${minutes} minutes`, async () => {
        const shared = fresh();
        const [one, other] = [newLimits(shared), newLimits(shared)];
        for (const each of [one, other]) await granted(each, '192.0.2.8', noonMs, to);
        const endMs = noonMs + minutes * 60_000;
        assert.deepEqual(await ask(newLimits(shared), '192.0.2.8', endMs, to), { met: 2 });
        await granted(newLimits(shared), '192.0.2.8', endMs + 1, to);
        for (const each of [one, other]) await each.close();
      });

    test('are those of a server alone while Valkey is away or silent, and told once it is back', async () => {
      const shared = fresh();
      const [one, other] = [newLimits(shared), newLimits(shared)];
      const goOn = redis.freeze();
      const beganMs = performance.now();
      const shown = [await granted(one, '192.0.2.9')];
      assert.ok(performance.now() - beganMs < 1000);
      assert.equal(connection.isUp(), false);
      shown.push(await granted(one, '192.0.2.9'));
      assert.deepEqual(await ask(one, '192.0.2.9'), { met: 2 });
      goOn();
      await untilUp();
      await redis.kill();
      await untilUp(false);
      for (const ad of shown) show(other, ad);
      await other.flush();
      await redis.start();
      await untilUp();
      await other.flush();
      assert.deepEqual(await ask(newLimits(shared), '192.0.2.9'), { met: 2 });
      for (const each of [one, other]) await each.close();
    });
  });

  describe('frequency', () => {
    const hourMs = 3_600_000;
    // The secret of hashes changes between these days.
    const changeMs = Math.ceil(midnightMs / (90 * dayMs)) * 90 * dayMs;
    const hashViewer = createViewerHash(() => [{ id: 0, secret: Buffer.from('a secret'), fromMs: 0 }]);
    const newLimits = (shared: ReturnType<typeof fresh>) => {
      const memory = limitsMemory({ startMs: 0, ratesFromMs: 0 }, smallSize);
      return shareViewerCounts(
        createLimits(memory, () => 0),
        shared,
      );
    };
    let auctions = 0;
    /** The refusal, or what shows the ad. */
    const ask = async ({ limits }: ReturnType<typeof newLimits>, object: Limited, timeMs: number) => {
      auctions += 1;
      const opportunity = opportunityWith({ timeMs, userId: 'ada' });
      const viewer = hashViewer(opportunity, { withheldHere: () => 0 });
      const over = auctionAt(timeMs, 'ad', undefined, `${auctions}`);
      const auction = { ...over, viewer };
      const promised = limits.reserve(object, auction, 0);
      if (!promised || isRefusal(promised)) return promised?.reason;
      const refusal = (await limits.askRegion([object], auction))?.get(object);
      if (refusal) limits.release(promised, auction);
      return refusal
        ? `${refusal.reason}, ${refusal.met}`
        : {
            withdraw: () => limits.release(promised, over),
            show: (nowMs: number) => limits.commit(object, promised, { auction: over, nanos: 0, nowMs }),
          };
    };
    const granted = async (...asked: Parameters<typeof ask>) => {
      const answer = await ask(...asked);
      return typeof answer === 'object' ? answer : assert.fail(answer);
    };

    for (const [name, startMs] of [
      ['', midnightMs],
      [', also while the secret of hashes changes', changeMs - 2 * hourMs],
    ] as const)
      test(`a cap in any hours is exact, wherever ads are shown${name}`, async () => {
        const shared = fresh();
        const servers = [newLimits(shared), newLimits(shared), newLimits(shared)] as const;
        const [one, other, third] = servers;
        const flush = () => Promise.all(servers.map((each) => each.flush()));
        const object = limited({ frequencyCap: 2, frequencyHours: 24 }, 1);
        const first = await granted(one, object, startMs);
        const lost = await granted(other, object, startMs);
        assert.equal(await ask(third, object, startMs), 'frequency_cap, 2');
        lost.withdraw();
        await flush();
        first.show(startMs + 60_000);
        (await granted(third, object, startMs + hourMs)).show(startMs + 4 * hourMs);
        await flush();
        for (const each of servers)
          assert.match(String(await ask(each, object, startMs + 24 * hourMs)), /^frequency_cap/);
        const keys = String(await redis.command('KEYS', '*'));
        assert.ok(!keys.includes('ada'), keys);
        // The first is a day old, and the other is not.
        await granted(other, object, startMs + 24 * hourMs + 2 * 60_000);
        assert.match(String(await ask(one, object, startMs + 24 * hourMs + 2 * 60_000)), /^frequency_cap/);
        for (const each of servers) await each.close();
      });

    test('the time between two, from what is under way or was shown at another server', async () => {
      const shared = fresh();
      const [one, other] = [newLimits(shared), newLimits(shared)];
      const object = limited({ frequencyMinMinutes: 30 }, 1);
      const first = await granted(one, object, midnightMs);
      assert.equal(await ask(other, object, midnightMs), 'frequency_too_soon, undefined');
      first.show(midnightMs + 10 * 60_000);
      await one.flush();
      const again = 'frequency_too_soon, again from 2026-11-20T00:40Z';
      assert.equal(await ask(other, object, midnightMs + 30 * 60_000), again);
      await granted(other, object, midnightMs + 41 * 60_000);
      for (const each of [one, other]) await each.close();
    });
  });

  test('what is counted while Valkey is away waits for it, up to a bound', async () => {
    const told = new Map<string, number>();
    const counts = createSharedCounts({
      ...fresh(),
      process: 'a',
      use: 'things',
      keptSeconds: 60,
      onTotals: (_, totals) => {
        for (const { name, total } of totals) told.set(name, total);
      },
    });
    await redis.kill();
    await untilUp(false);
    for (let name = 0; name < 30_000; name += 1) counts.add('group', String(name), 2);
    counts.add('group', '5', 1);
    await counts.flush();
    assert.equal(told.size, 0);
    await redis.start();
    await untilUp();
    while (told.size < 20_000) await pause();
    assert.equal(told.get('5'), 3);
    assert.equal(told.size, 20_000);
    await counts.close();
  });
});
