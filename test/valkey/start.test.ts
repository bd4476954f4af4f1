import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { pino } from 'pino';
import { ConfigurationError } from '../../src/config.ts';
import { readValkeyUrl } from '../../src/reference/valkey-address.ts';
import { createValkeyClaims } from '../../src/valkey/claims.ts';
import { createRecentFailures } from '../../src/valkey/recent-failures.ts';
import { createSharedCounts } from '../../src/valkey/shared-counts.ts';
import { createViewerImpressions } from '../../src/valkey/viewer-impressions.ts';
import { skipWithout } from '../support/debian-tools.ts';
import { pause } from '../support/pause.ts';
import { connectTo, startRedis } from '../support/redis.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const closing: (() => Promise<unknown>)[] = [];
after(async () => {
  for (const close of closing.reverse()) await close();
});

/** A server with a Valkey, and what it logs of that. */
async function serve(valkeyUrl: string, changes: Parameters<typeof startTestServer>[0] = {}) {
  const lines: string[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const server = await startTestServer({ ...changes, valkeyUrl: readValkeyUrl(valkeyUrl) }, logger);
  closing.push(server.close);
  return { server, told: () => lines.filter((line) => line.includes('Valkey')) };
}

async function figureOf({ url }: TestServer, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
}

const logIn = ({ url, mail }: TestServer, password: string) =>
  fetch(`${url}/api/auth/login`, {
    method: 'POST',
    body: JSON.stringify({ Username: mail, Password: password }),
  });

describe('a server with BOURSE_VALKEY_URL', { skip: skipWithout('redis-server') }, () => {
  test('does not start with a wrong password, and says so by the name of the setting alone', async () => {
    const redis = await startRedis({ password: 'right' });
    closing.push(() => redis.remove());
    await assert.rejects(serve(redis.url.replace('right', 'secret-but-wrong')), (error) => {
      assert.ok(error instanceof ConfigurationError);
      assert.match(
        error.message,
        /^BOURSE_VALKEY_URL: the server at 127\.0\.0\.1:\d+ cannot be used: it answers WRONGPASS/,
      );
      assert.doesNotMatch(error.message, /secret-but-wrong/);
      return true;
    });
  });

  test('needs no more of Valkey than the page on operating says', async () => {
    const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
    const [, rules = ''] = /A user of Valkey's own needs `([^`]+)`/.exec(page) ?? [];
    const redis = await startRedis();
    closing.push(() => redis.remove());
    await redis.command('ACL', 'SETUSER', 'bourse', 'on', '>secret', ...rules.split(' '));
    const connection = await connectTo({ ...redis.address, username: 'bourse', password: 'secret' });
    closing.push(async () => connection.close());
    const shared = { connection, installation: 'one' };
    const claims = createValkeyClaims({ ...shared, now: Date.now });
    const claim = { auctionId: 'a', event: 'bills', names: ['bills'], expiresMs: Date.now() + 60_000 };
    assert.deepEqual([await claims.claim(claim), await claims.claim(claim)], [true, false]);
    const failures = createRecentFailures(shared);
    const ada = { name: 'ada', limits: [{ failuresMax: 1, windowMs: 60_000 }] };
    failures.note([ada]);
    assert.ok((await failures.waitMs(ada)) > 0);
    failures.forget([ada.name]);
    assert.equal(await failures.waitMs(ada), 0);
    const told: number[] = [];
    const counts = createSharedCounts({
      ...shared,
      process: 'a',
      use: 'things',
      keptSeconds: 60,
      onTotals: (_, totals) => void told.push(...totals.map(({ total }) => total)),
    });
    counts.add('group', 'name', 3);
    await counts.close();
    assert.deepEqual(told, [3]);
    const impressions = createViewerImpressions(shared);
    const [place] = await impressions.promise({
      auctionId: 'a',
      timeMs: 0,
      untilMs: 1000,
      places: [{ name: 'an address', limit: 1, windowMs: 0, minMs: 0 }],
    });
    assert.deepEqual(place, { isPromised: true, met: 1, shown: 0, lastMs: 0 });
    impressions.show({ name: 'an address', auctionId: 'a' }, 60);
    impressions.withdraw({ name: 'another', auctionId: 'a' });
    await impressions.close();
    assert.equal(connection.failures(), 0);
    await assert.rejects(connection.send(['SET', 'other', '1']), /NOPERM/);
  });

  test('starts while Valkey is away, says so once, and uses it when it is there', async () => {
    const redis = await startRedis();
    closing.push(() => redis.remove());
    await redis.stop();
    const { server, told } = await serve(redis.url);
    assert.equal(await figureOf(server, 'bourse_valkey_up'), 0);
    assert.equal((await logIn(server, server.password)).status, 200);
    await redis.start();
    while ((await figureOf(server, 'bourse_valkey_up')) !== 1) await pause();
    assert.equal(told().length, 2, told().join(''));
    assert.match(told()[0] ?? '', /is unavailable/);
    assert.match(told()[1] ?? '', /is available/);
    assert.ok((await figureOf(server, 'bourse_valkey_failures_total')) >= 0);
  });

  test('counts failed logins with another server of its installation, and none of another one', async () => {
    const redis = await startRedis();
    closing.push(() => redis.remove());
    const { server: one } = await serve(redis.url);
    // On the same database, so of the same installation.
    const { server: twin } = await serve(redis.url, { databaseUrl: one.databaseUrl });
    const { server: stranger } = await serve(redis.url);
    for (let count = 0; count < 10; count += 1)
      assert.equal((await logIn(one, 'wrong password')).status, 401);
    const [refused, welcome] = [await logIn(twin, one.password), await logIn(stranger, stranger.password)];
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers.get('retry-after')) > 50);
    assert.equal(welcome.status, 200);
  });
});
