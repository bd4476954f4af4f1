import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, test } from 'node:test';
import { readValkeyUrl, type ValkeyAddress } from '../../src/reference/valkey-address.ts';
import { createValkeyConnection, type ValkeyConnection, valkeyScript } from '../../src/valkey/connection.ts';
import { UnusableValkey, ValkeyUnavailable } from '../../src/valkey/valkey-error.ts';
import { skipWithout } from '../support/debian-tools.ts';
import { freePort } from '../support/free-port.ts';
import { pause } from '../support/pause.ts';
import { connectTo, startRedis } from '../support/redis.ts';

const skip = skipWithout('redis-server');
const closing: (() => unknown)[] = [];
after(async () => {
  for (const close of closing.reverse()) await close();
});

async function redis(...options: Parameters<typeof startRedis>) {
  const server = await startRedis(...options);
  closing.push(() => server.remove());
  return server;
}

function connect(address: ValkeyAddress, told: Partial<Parameters<typeof createValkeyConnection>[0]> = {}) {
  const connection = createValkeyConnection({ address, ...told });
  closing.push(() => connection.close());
  return connection;
}

async function untilUp(connection: ValkeyConnection, isUp = true) {
  while (connection.isUp() !== isUp) await pause();
}

const addresses: readonly (readonly [url: string, ValkeyAddress | undefined])[] = [
  [
    'valkey://bourse:p%40ss@valkey.internal:6380/3',
    { host: 'valkey.internal', port: 6380, hasTls: false, username: 'bourse', password: 'p@ss', database: 3 },
  ],
  [
    'rediss://:hush@[::1]',
    { host: '::1', port: 6379, hasTls: true, username: '', password: 'hush', database: 0 },
  ],
  ['redis://h/0', { host: 'h', port: 6379, hasTls: false, username: '', password: '', database: 0 }],
  ['valkeys://h/', { host: 'h', port: 6379, hasTls: true, username: '', password: '', database: 0 }],
  ['http://h:6379', undefined],
  ['redis://', undefined],
  ['redis://h/db', undefined],
  ['redis://h/0?db=1', undefined],
  ['redis://:100%@h', undefined],
  ['valkey.internal:6379', undefined],
];

test('addresses of servers are read', () => {
  for (const [url, expected] of addresses) assert.deepEqual(readValkeyUrl(url), expected, url);
});

describe('a connection to a server', { skip }, () => {
  test('runs scripts, also such as the server has forgotten, and answers errors', async () => {
    const { address } = await redis({ password: 'hush: p@ss%' });
    const connection = connect(address);
    assert.equal(await connection.firstTry, undefined);
    const script = valkeyScript("return {redis.call('INCR', KEYS[1]), ARGV[1]}");
    assert.deepEqual(await connection.run(script, ['bourse:x'], ['a']), [1, 'a']);
    await connection.send(['SCRIPT', 'FLUSH']);
    assert.deepEqual(await connection.run(script, ['bourse:x'], ['b']), [2, 'b']);
    await assert.rejects(connection.send(['LPUSH', 'bourse:x', 'y']), /WRONGTYPE/);
    assert.equal(connection.failures(), 1);
    assert.equal(connection.isUp(), true);
  });

  test('tells of a wrong password, and of what is no such server, without the password', async () => {
    const { address } = await redis({ password: 'hush' });
    for (const password of ['', 'wrong secret']) {
      const fault = await connect({ ...address, password }).firstTry;
      assert.ok(fault instanceof UnusableValkey, String(fault));
      assert.doesNotMatch(fault.message, /secret/);
    }
    const web = createServer((_request, response) => response.end()).listen(0, '127.0.0.1');
    closing.push(() => web.close());
    await once(web, 'listening');
    const { port } = web.address() as AddressInfo;
    const fault = await connect({ ...address, password: '', port }).firstTry;
    assert.ok(fault instanceof UnusableValkey, String(fault));
    assert.match(fault.message, /no Valkey and no Redis/);
  });

  test('waits for a server that is away, and finds it again after each of its ends', async () => {
    const port = await freePort();
    const told: string[] = [];
    const away = connect({ ...(readValkeyUrl(`redis://127.0.0.1:${port}`) as ValkeyAddress) });
    assert.ok((await away.firstTry) instanceof ValkeyUnavailable);
    const server = await redis();
    const connection = connect(server.address, {
      onAway: () => told.push('away'),
      onUp: () => told.push('up'),
    });
    await untilUp(connection);
    for (const end of [server.kill, server.stop]) {
      await end();
      await untilUp(connection, false);
      await assert.rejects(connection.send(['PING']), ValkeyUnavailable);
      await server.start();
      await untilUp(connection);
      assert.equal(await connection.send(['PING']), 'PONG');
    }
    assert.deepEqual(
      told.filter((word) => word === 'up'),
      ['up', 'up', 'up'],
    );
    assert.equal(told[1], 'away');
  });

  test('waits no longer than it may for a server that stands still, and goes on with it', async () => {
    const server = await redis();
    const connection = await connectTo(server.address);
    closing.push(() => connection.close());
    const goOn = server.freeze();
    const beganMs = performance.now();
    await assert.rejects(connection.send(['PING'], 100), /no answer within 100 ms/);
    assert.equal(connection.isUp(), false);
    await assert.rejects(connection.send(['PING']), ValkeyUnavailable);
    // Not even connected any more: what comes now is not kept.
    await assert.rejects(connection.send(['PING'], 100), ValkeyUnavailable);
    assert.ok(performance.now() - beganMs < 4000);
    goOn();
    await untilUp(connection);
    assert.equal(await connection.send(['PING']), 'PONG');
  });

  test('is up again with an answer that comes late, before it is asked again', async () => {
    const server = await redis();
    const connection = await connectTo(server.address);
    closing.push(() => connection.close());
    const goOn = server.freeze();
    await assert.rejects(connection.send(['TIME'], 40), /no answer within 40 ms/);
    assert.equal(connection.isUp(), false);
    goOn();
    await untilUp(connection);
    assert.doesNotMatch(String(await connection.send(['INFO', 'commandstats'])), /cmdstat_ping/);
  });

  test('takes no server for late while its own thread stands still', async () => {
    const connection = await connectTo((await redis()).address);
    closing.push(() => connection.close());
    const answer = connection.send(['PING'], 100);
    for (const endMs = performance.now() + 300; performance.now() < endMs; );
    assert.equal(await answer, 'PONG');
    assert.deepEqual([connection.isUp(), connection.failures()], [true, 0]);
  });

  test('asks for a server that keeps what it holds', async () => {
    const { address } = await redis({
      settings: ['--maxmemory', '100mb', '--maxmemory-policy', 'allkeys-lru'],
    });
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    connect(address, { onUp: resolve });
    assert.match((await promise) ?? '', /set maxmemory-policy noeviction/);
  });

  test('does not use a replica, nor a part of a cluster', async () => {
    const { address } = await redis();
    const replica = await redis();
    await replica.command('REPLICAOF', '127.0.0.1', String(address.port));
    assert.match(String(await connect(replica.address).firstTry), /is a replica/);
    await assert.rejects(redis({ settings: ['--cluster-enabled', 'yes'] }), /part of a cluster/);
  });
});
