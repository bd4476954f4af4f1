import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { pino } from 'pino';
import { ConfigurationError } from '../../src/config.ts';
import { readValkeyUrl } from '../../src/reference/valkey-address.ts';
import { skipWithout } from '../support/debian-tools.ts';
import { pause } from '../support/pause.ts';
import { startRedis } from '../support/redis.ts';
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
    assert.match(told()[0] ?? '', /is away/);
    assert.match(told()[1] ?? '', /is there/);
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
