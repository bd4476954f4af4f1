import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { limitsMemory } from '../../src/exchange/limits/counters.ts';
import { createLimits } from '../../src/exchange/limits/shared-limits.ts';
import { parseIpAddress } from '../../src/exchange/reading/ip-address.ts';
import { Refusal } from '../../src/fields/fault.ts';
import { type Attempt, createLoginLimiter } from '../../src/identity/login-limiter.ts';
import { createTokenRates, tokenRatesMemory } from '../../src/management/http/token-rates.ts';
import { shareAddressCounts } from '../../src/serving/shared-cache/address-counts.ts';
import { shareLoginFailures } from '../../src/serving/shared-cache/login-failures.ts';
import { shareTokenRates } from '../../src/serving/shared-cache/token-rates.ts';
import type { ValkeyConnection } from '../../src/valkey/connection.ts';
import { createRecentFailures } from '../../src/valkey/recent-failures.ts';
import { createSharedCounts } from '../../src/valkey/shared-counts.ts';
import { auctionAt, dayMs, limited, midnightMs, promisedBy } from '../exchange/limits/limited.ts';
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

  test('impressions by address: the first that asks has the total fetched, and others are held to it', async () => {
    const noonMs = midnightMs + dayMs / 2;
    const shared = fresh();
    const create = () => {
      const memory = limitsMemory({ startMs: 0, ratesFromMs: 0 }, { objects: 64, addresses: 1024 });
      return shareAddressCounts(
        createLimits(memory, () => 0),
        shared,
      );
    };
    const [one, other] = [create(), create()];
    const object = limited({ impressionsPerIp: 2 }, 1);
    const ipOf = (text: string) => parseIpAddress(text) ?? assert.fail(text);
    const show = ({ limits }: typeof one, address: string) => {
      const auction = auctionAt(noonMs, 'ad', ipOf(address));
      limits.book(object, promisedBy(object, 0, false), { auction, nanos: 0, nowMs: noonMs });
    };
    const may = ({ limits }: typeof one, address: string) =>
      limits.mayPromise(object, auctionAt(noonMs, 'ad', ipOf(address)), 0) === undefined;
    for (const [address, again] of [
      ['192.0.2.7', '192.0.2.7'],
      ['2001:db8:1:2::3', '2001:db8:1:2:ffff::1'],
    ] as const) {
      show(one, address);
      await one.flush();
      // Nobody has heard of it here: an auction goes on, and asks.
      assert.ok(may(other, again));
      await other.flush();
      show(other, again);
      assert.ok(!may(other, address));
      await other.flush();
      assert.ok(may(one, address));
      show(one, again);
      assert.ok(!may(one, address));
      await one.flush();
    }
    const names = (await redis.command(
      'HGETALL',
      `bourse:one-${installations}:{addresses}:${noonMs / dayMs - 0.5}`,
    )) as string[];
    assert.deepEqual(
      names.filter((_, index) => index % 2 === 1),
      ['3', '3'],
    );
    for (const each of [one, other]) await each.close();
  });

  test('what is counted while Valkey is away waits for it, up to a bound', async () => {
    const told = new Map<string, number>();
    const counts = createSharedCounts({
      ...fresh(),
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
