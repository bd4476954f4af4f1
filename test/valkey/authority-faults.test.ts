import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import {
  type HolderAnswer,
  type LimitAuthority,
  leaseMs,
  UnknownHolder,
} from '../../src/leases/authority.ts';
import { placesEnd } from '../../src/leases/parts.ts';
import { createValkeyAuthority } from '../../src/valkey/authority.ts';
import type { ValkeyConnection } from '../../src/valkey/connection.ts';
import { ValkeyUnavailable } from '../../src/valkey/valkey-error.ts';
import { skipWithout } from '../support/debian-tools.ts';
import { pause } from '../support/pause.ts';
import { connectTo, startRedis, type TestRedis } from '../support/redis.ts';

const closing: (() => unknown)[] = [];
after(async () => {
  for (const close of closing.reverse()) await close();
});

async function server(options?: Parameters<typeof startRedis>[0]): Promise<TestRedis> {
  const redis = await startRedis(options);
  closing.push(() => redis.remove());
  return redis;
}

async function connect(redis: TestRedis): Promise<ValkeyConnection> {
  const connection = await connectTo(redis.address);
  closing.push(() => connection.close());
  return connection;
}

const startMs = Date.UTC(2026, 10, 24);
const limit = { kind: 'VastTag', id: 1, measure: 'impressions', day: 20_000, line: 100 } as const;
const nothing = { before: 0, counted: 0, used: 0, open: 0, unused: 0, wanted: 0 };

/** An authority whose clock tests set, past its first time, and what a process says to it. */
async function scene(connection: ValkeyConnection) {
  let [nowMs, turn] = [startMs, 0];
  let current = connection;
  const run: ValkeyConnection['run'] = (...script) => current.run(...script);
  const create = () => createValkeyAuthority({ connection: { run }, installation: 'one', now: () => nowMs });
  const authority = create();
  await authority.join().then(authority.leave);
  nowMs += leaseMs;
  return {
    authority,
    create,
    pass: (ms: number) => {
      nowMs += ms;
    },
    goOnWith: (other: ValkeyConnection) => {
      current = other;
    },
    say(
      holder: number,
      said: Partial<typeof nothing>,
      isWhole = false,
      by: LimitAuthority = authority,
    ): Promise<HolderAnswer> {
      turn += 1;
      const limits = [{ ...limit, ...nothing, ...said }];
      const whole = isWhole ? { from: 0, to: placesEnd, epoch: '' } : undefined;
      return by.report({ holder, turn, resolved: { ad: 0, offer: 0 }, whole, limits });
    },
  };
}

const grantOf = ({ grants: [grant], wantsWhole }: HolderAnswer) => ({
  granted: grant?.granted,
  wantsWhole,
});

async function untilUp(connection: ValkeyConnection): Promise<void> {
  while (!connection.isUp()) await pause();
}

describe('what the authority grants when its server fails', { skip: skipWithout('redis-server') }, () => {
  test('ended at once, with all that it has answered: it wants to hear all, and goes on', async () => {
    const redis = await server({ keeps: 'all' });
    const connection = await connect(redis);
    const { authority, say } = await scene(connection);
    const [one, other] = [await authority.join(), await authority.join()];
    assert.deepEqual(grantOf(await say(one, { wanted: 60 })), { granted: 60, wantsWhole: false });
    await redis.kill();
    await assert.rejects(say(one, { wanted: 60 }), ValkeyUnavailable);
    await redis.start();
    await untilUp(connection);
    assert.deepEqual(grantOf(await say(other, { wanted: 60 })), { granted: 0, wantsWhole: true });
    assert.deepEqual(grantOf(await say(other, { wanted: 60 }, true)), { granted: 0, wantsWhole: false });
    assert.deepEqual(grantOf(await say(one, { unused: 60 }, true)), { granted: 0, wantsWhole: false });
    assert.deepEqual(grantOf(await say(other, { wanted: 60 })), { granted: 40, wantsWhole: false });
  });

  const losses: Readonly<Record<string, (redis: TestRedis) => Promise<unknown>>> = {
    'ended at once, and nothing kept': async (redis) => {
      await redis.kill();
      await redis.start();
    },
    'emptied by somebody (FLUSHALL)': (redis) => redis.command('FLUSHALL'),
  };
  for (const [loss, lose] of Object.entries(losses)) {
    test(`${loss}: it knows nobody, and grants nothing while old shares may be used`, async () => {
      const redis = await server();
      const connection = await connect(redis);
      const { authority, say, pass } = await scene(connection);
      const before = await authority.join();
      await say(before, { wanted: 60 });
      await lose(redis);
      await untilUp(connection);
      await assert.rejects(say(before, { unused: 60 }), UnknownHolder);
      const again = await authority.join();
      assert.notEqual(again, before);
      const reported = { used: 60, wanted: 40 };
      assert.deepEqual(grantOf(await say(again, reported, true)), { granted: 0, wantsWhole: false });
      pass(leaseMs - 1);
      assert.deepEqual(grantOf(await say(again, reported)), { granted: 0, wantsWhole: false });
      pass(1);
      assert.deepEqual(grantOf(await say(again, reported)), { granted: 40, wantsWhole: false });
    });
  }

  test('a replica in its place, which has not heard all: nothing is granted until shares have ended', async () => {
    const [redis, replica] = [
      await server({ settings: ['--repl-diskless-sync-delay', '0'] }),
      await server(),
    ];
    const [old, fresh] = [await connect(redis), await connect(replica)];
    const { authority, create, say, pass, goOnWith } = await scene(old);
    const one = await authority.join();
    await say(one, { wanted: 10 });
    await fresh.send(['REPLICAOF', '127.0.0.1', String(redis.address.port)]);
    const isInStep = async () =>
      String(await fresh.send(['INFO', 'replication'])).includes('_link_status:up');
    while (!(await isInStep())) await pause();
    // With its first replica a server begins a new line of replication, and cannot know that it has lost nothing.
    await say(one, { unused: 10 }, true);
    await fresh.send(['REPLICAOF', 'NO', 'ONE']);
    // The replica never hears of this process, and of what it holds.
    const byOther = create();
    const late = await byOther.join();
    assert.equal(grantOf(await say(late, { wanted: 90 }, false, byOther)).granted, 90);
    goOnWith(fresh);
    await assert.rejects(say(late, { unused: 90 }, false, byOther), UnknownHolder);
    assert.deepEqual(grantOf(await say(one, { unused: 10, wanted: 90 }, true)), {
      granted: 0,
      wantsWhole: false,
    });
    pass(leaseMs);
    assert.equal(grantOf(await say(one, { unused: 10, wanted: 90 })).granted, 90);
  });

  test('standing still: a report is not waited for, and what it was granted is what is said next', async () => {
    const redis = await server();
    const connection = await connect(redis);
    const { authority, say } = await scene(connection);
    const [one, other] = [await authority.join(), await authority.join()];
    const goOn = redis.freeze();
    const beganMs = performance.now();
    await assert.rejects(say(one, { wanted: 60 }), ValkeyUnavailable);
    assert.ok(performance.now() - beganMs < 4000);
    goOn();
    await untilUp(connection);
    // It may have been granted, or not: what it says now is what it holds.
    await say(one, {});
    assert.equal(grantOf(await say(other, { wanted: 100 })).granted, 100);
  });
});
