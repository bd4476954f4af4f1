import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Claim, Claims } from '../../src/statistics/claims.ts';
import { createValkeyClaims } from '../../src/valkey/claims.ts';
import type { ValkeyConnection } from '../../src/valkey/connection.ts';
import { skipWithout } from '../support/debian-tools.ts';
import { pause } from '../support/pause.ts';
import { connectTo, startRedis, type TestRedis } from '../support/redis.ts';

const hourMs = 3_600_000;
const claimOf = (auctionId: string, event: string, names: readonly string[], keptMs = hourMs): Claim => ({
  auctionId,
  event,
  names,
  expiresMs: Date.now() + keptMs,
});

/** What two machines claim of an auction, in this order, and what becomes of it. */
const cases: readonly {
  readonly name: string;
  readonly steps: readonly (readonly [machine: 0 | 1, event: string, names: string[], isFirst: boolean])[];
}[] = [
  {
    name: 'an event is the first once, wherever it comes',
    steps: [
      [0, 'bills', ['bills'], true],
      [1, 'bills', ['bills'], false],
      [0, 'bills', ['bills'], false],
    ],
  },
  {
    name: 'events that claim different names are both the first',
    steps: [
      [0, 'wins', ['wins'], true],
      [1, 'bills', ['bills'], true],
      [1, 'wins', ['wins'], false],
    ],
  },
  {
    name: 'an event gets all its names or none',
    steps: [
      [0, 'wins', ['wins'], true],
      [1, 'losses', ['wins', 'bills'], false],
      [0, 'bills', ['bills'], true],
    ],
  },
  {
    name: 'a loss that came first keeps out wins and bills',
    steps: [
      [1, 'losses', ['wins', 'bills'], true],
      [0, 'wins', ['wins'], false],
      [0, 'bills', ['bills'], false],
      [0, 'losses', ['wins', 'bills'], false],
    ],
  },
];

describe('claims of two machines on a real server', { skip: skipWithout('redis-server') }, () => {
  let redis: TestRedis;
  let connections: ValkeyConnection[];
  let machines: Claims[];
  const machine = (index: number) => machines[index] ?? assert.fail();
  before(async () => {
    redis = await startRedis();
    connections = [await connectTo(redis.address), await connectTo(redis.address)];
    machines = connections.map((connection) =>
      createValkeyClaims({ connection, installation: 'one', now: Date.now }),
    );
  });
  after(async () => {
    for (const connection of connections) connection.close();
    await redis.remove();
  });

  for (const { name, steps } of cases) {
    test(name, async () => {
      for (const [index, event, names, isFirst] of steps) {
        assert.equal(await machine(index).claim(claimOf(name, event, names)), isFirst, `${index} ${event}`);
      }
    });
  }

  test('of many at once one is the first', async () => {
    const claim = claimOf('at once', 'bills', ['bills']);
    const all = await Promise.all(Array.from({ length: 100 }, (_, index) => machine(index % 2).claim(claim)));
    assert.equal(all.filter(Boolean).length, 1);
  });

  test('other installations do not meet', async () => {
    const [connection] = connections as [ValkeyConnection];
    const other = createValkeyClaims({ connection, installation: 'two', now: Date.now });
    const claim = claimOf('met', 'bills', ['bills']);
    assert.deepEqual([await machine(0).claim(claim), await other.claim(claim)], [true, true]);
  });

  test('what is given back is free, and only what the event has', async () => {
    const [bill, loss] = [claimOf('back', 'bills', ['bills']), claimOf('back', 'losses', ['wins', 'bills'])];
    assert.equal(await machine(0).claim(bill), true);
    machine(0).giveBack(loss);
    assert.equal(await machine(0).claim(bill), false);
    machine(0).giveBack(bill);
    // Commands of one connection are done in their order.
    assert.equal(await machine(0).claim(loss), true);
  });

  test('what is claimed ends by itself, when its trackers do', async () => {
    await machine(0).claim(claimOf('short', 'bills', ['bills'], 30));
    await machine(0).claim(claimOf('long', 'bills', ['bills'], 30));
    await machine(1).claim(claimOf('long', 'wins', ['wins']));
    while ((await redis.command('EXISTS', 'bourse:one:{claims}:short')) === 1) await pause();
    assert.equal(await machine(1).claim(claimOf('short', 'bills', ['bills'])), true);
    assert.ok(Number(await redis.command('PTTL', 'bourse:one:{claims}:long')) > hourMs / 2);
    assert.equal(await machine(1).claim(claimOf('over', 'bills', ['bills'], -1)), true);
    assert.equal(await redis.command('EXISTS', 'bourse:one:{claims}:over'), 0);
  });

  test('a server that stands still holds up one claim for a moment, and the next not at all', async () => {
    const goOn = redis.freeze();
    try {
      const beganMs = performance.now();
      assert.equal(await machine(0).claim(claimOf('still', 'bills', ['bills'])), true);
      const waitedMs = performance.now() - beganMs;
      assert.ok(waitedMs < 1000, `${waitedMs} ms`);
      for (let count = 0; count < 100; count += 1) {
        assert.equal(await machine(0).claim(claimOf(`still ${count}`, 'bills', ['bills'])), true);
      }
      assert.ok(performance.now() - beganMs - waitedMs < 200);
    } finally {
      goOn();
    }
    while (!connections.every((one) => one.isUp())) await pause();
    assert.equal(await machine(0).claim(claimOf('after', 'bills', ['bills'])), true);
    assert.equal(await machine(1).claim(claimOf('after', 'bills', ['bills'])), false);
  });

  test('a server that is away holds up nothing', async () => {
    await redis.kill();
    while (connections.some((one) => one.isUp())) await pause();
    const beganMs = performance.now();
    for (let count = 0; count < 100; count += 1) {
      const claim = claimOf('away', 'bills', ['bills']);
      assert.equal(await machine(count % 2).claim(claim), true);
      machine(count % 2).giveBack(claim);
    }
    assert.ok(performance.now() - beganMs < 200);
  });
});
