import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { consoleWith } from '../management/console.ts';
import { type SpawnedServer, untilSilent } from '../spawned-server.ts';
import { pause } from '../support/pause.ts';
import { tokenOf } from '../support/server.ts';
import { bourseProcess, stopped } from './bourse-process.ts';

const password = 'correct horse battery';

/** What is printed that is no JSON of the log. */
const readable = (output: string) =>
  output.split('\n').filter((line) => line !== '' && !line.startsWith('{'));

describe('starting', () => {
  test('the first start prints the administrator, who can log in; no other start does, which warns of an unknown variable', async () => {
    const { serve } = bourseProcess();
    const first = await serve({}, []);
    assert.equal((await fetch(`${first.url}/healthz`)).status, 200);
    const lines = readable((await stopped(first)).output);
    assert.match(
      lines.join('\n'),
      /^Administrator: admin@localhost\nPassword \(.+\): (\S+)\nBourse serves at \S+\nConsole, .+: \S+$/,
    );
    const madeUp = /: (\S+)$/.exec(lines[1] ?? '')?.[1] ?? '';
    const second = await serve({ BOURSE_PROT: '80' });
    await tokenOf(second.url, 'admin@localhost', madeUp);
    const { output } = await stopped(second);
    const [warning, ...others] = readable(output);
    assert.match(warning ?? '', /^Warning: BOURSE_PROT .*did you mean BOURSE_PORT\?$/);
    assert.deepEqual(others, [`Bourse serves at ${second.url}`]);
    assert.ok(!output.includes(madeUp));
  });

  test('the first start prints a link that logs in to the console, once', async () => {
    const { serve } = bourseProcess();
    const server = await serve(
      { BOURSE_ADMIN_PASSWORD: password, BOURSE_BASE_URL: 'https://ads.example/x' },
      [],
    );
    while (!server.output().includes('Console, ')) await pause();
    const [, Link = ''] = /^Console, .*https:\/\/ads\.example\/x\/#link=(\S+)$/m.exec(server.output()) ?? [];
    const open = async () => {
      const reply = await consoleWith(server.url, '').post('/api/auth/session', { Link });
      return [reply.status, reply.body.Mail];
    };
    assert.deepEqual(await open(), [200, 'admin@localhost']);
    assert.deepEqual(await open(), [401, undefined]);
    await stopped(server);
  });

  test('a password that was given is not printed', async () => {
    const { serve } = bourseProcess();
    const server = await serve({ BOURSE_ADMIN_MAIL: 'ada@example.com', BOURSE_ADMIN_PASSWORD: password });
    await tokenOf(server.url, 'ada@example.com', password);
    const { output } = await stopped(server);
    assert.equal(readable(output)[0], 'Administrator: ada@example.com');
    assert.ok(!output.includes(password));
  });
});

describe('a start that cannot be', () => {
  /** `code` is 78 (EX_CONFIG of sysexits.h) where only a change of the variables helps. */
  const wrong: readonly { environment: NodeJS.ProcessEnv; code: number; says: RegExp }[] = [
    {
      environment: { BOURSE_PORT: '-1', BOURSE_LOG_LEVEL: 'loud' },
      code: 78,
      says: /^BOURSE_PORT must be .*\nBOURSE_LOG_LEVEL must be .*\n$/,
    },
    {
      environment: { BOURSE_REGION: 'xx' },
      code: 78,
      says: /^BOURSE_REGION must be .*; it is "xx", and the regions are us-east\n$/,
    },
    {
      environment: { BOURSE_GEOIP_DB: '/nonexistent' },
      code: 78,
      says: /^BOURSE_GEOIP_DB must name a MaxMind DB file; \/nonexistent: .*\n$/,
    },
    {
      environment: { BOURSE_ADMIN_MAIL: 'a@b..c' },
      code: 78,
      says: /^BOURSE_ADMIN_MAIL must be an e-mail address.*\n$/,
    },
    {
      environment: { BOURSE_HOST: '192.0.2.1' },
      code: 1,
      says: /^BOURSE_HOST: this machine has no address 192\.0\.2\.1\n$/,
    },
    {
      environment: { BOURSE_DATABASE_URL: 'sqlite:/dev/null/bourse.db' },
      code: 1,
      says: /^BOURSE_DATABASE_URL: the database cannot be opened: .*\n$/,
    },
  ];
  for (const { environment, code, says } of wrong) {
    test(`${JSON.stringify(environment)}: exit ${code}`, async () => {
      const { run, databasePath } = bourseProcess();
      const { stderr, ...rest } = await run(['serve'], { environment });
      assert.deepEqual(rest, { code, stdout: '' });
      assert.match(stderr, says);
      if (code === 78) assert.ok(!existsSync(databasePath), 'nothing is opened');
    });
  }

  test('a port in use is named, and nothing made before the start that succeeds', async () => {
    const { run, serve, databasePath } = bourseProcess();
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const port = String((other.address() as AddressInfo).port);
    const { code, stdout, stderr } = await run(['serve'], { environment: { BOURSE_PORT: port } });
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
    assert.match(stderr, new RegExp(`^BOURSE_PORT: port ${port} of 127\\.0\\.0\\.1 is in use.*\\n$`));
    assert.ok(!existsSync(databasePath));
    other.close();
    assert.match((await stopped(await serve())).output, /^Password \(shown only this once\)/m);
  });
});

/** A POST whose headers the server has taken and whose body it still waits for. */
async function requestUnderWay({ url }: SpawnedServer, token: string) {
  const body = JSON.stringify({ Tag: { Name: 'Late' } });
  const headers = { authorization: `Bearer ${token}`, 'content-length': body.length, expect: '100-continue' };
  const call = request(`${url}/api/tag/add`, { method: 'POST', headers });
  const answered = once(call, 'response').then(async ([response]) => ({
    status: response.statusCode,
    body: await json(response),
  }));
  call.flushHeaders();
  await once(call, 'continue');
  return { finish: () => call.end(body), answered };
}

describe('stopping', () => {
  test('SIGINT: exit 0', async () => {
    const server = await bourseProcess().serve();
    await fetch(`${server.url}/healthz`);
    server.process.kill('SIGINT');
    const { code, signal } = await server.ended;
    assert.deepEqual({ code, signal }, { code: 0, signal: null });
  });

  test('SIGTERM takes no more requests, finishes the one under way, and exits 0', async () => {
    const server = await bourseProcess().serve({ BOURSE_ADMIN_PASSWORD: password });
    const token = await tokenOf(server.url, 'admin@localhost', password);
    const { finish, answered } = await requestUnderWay(server, token);
    server.process.kill('SIGTERM');
    await untilSilent(server.url);
    finish();
    assert.partialDeepStrictEqual(await answered, {
      status: 200,
      body: { Status: 'Ok', Tag: { Name: 'Late' } },
    });
    const answeredAt = performance.now();
    assert.equal((await server.ended).code, 0);
    // The client would keep its idle connection for some seconds more.
    assert.ok(performance.now() - answeredAt < 3000, 'an idle connection does not hold it up');
  });

  test('a second SIGTERM ends it at once', async () => {
    const server = await bourseProcess().serve({ BOURSE_ADMIN_PASSWORD: password });
    const token = await tokenOf(server.url, 'admin@localhost', password);
    const { answered } = await requestUnderWay(server, token);
    const cut = assert.rejects(answered);
    server.process.kill('SIGTERM');
    await untilSilent(server.url);
    server.process.kill('SIGTERM');
    assert.equal((await server.ended).code, 1);
    await cut;
  });
});

/** Asks for all that could leave a credential in the log, and answers every credential that was about. */
async function spillSecrets(url: string): Promise<readonly string[]> {
  const token = await tokenOf(url, 'admin@localhost', password);
  const wrong = 'a-wrong-password';
  await tokenOf(url, 'admin@localhost', wrong).catch(() => undefined);
  const send = async (path: string, body?: string) => {
    const headers = { authorization: `Bearer ${token}` };
    const method = body === undefined ? 'GET' : 'POST';
    const answer = await fetch(url + path, { method, headers, ...(body === undefined ? {} : { body }) });
    return answer.text();
  };
  const { ApiKey } = JSON.parse(await send('/api/auth/apikey/add', '{"ApiKey":{"Label":"x"}}'));
  const values = { Mail: 'a@example.com', Name: 'A', Country: 'DE', Username: 'a' };
  const { Publisher } = JSON.parse(await send('/api/publisher/add', JSON.stringify({ Publisher: values })));
  const stats = new URL(Publisher.StatsByDateCsv);
  await send(stats.pathname + stats.search);
  await send('/vast?zone=1&auth=an-auth-value');
  await send('/api/publisher/get?auth=an-auth-value');
  await send('/api/publisher/add', `{"Password":"${wrong}",`);
  await send('/api/auth/login', `{"Username":"a","Password":"${wrong}","AccessToken":"${token}"}`);
  await fetch(`${url}/api/publisher/get`, { headers: { authorization: `Bearer ${ApiKey.Key}x` } });
  await fetch(`${url}/api/publisher/get`, { headers: { authorization: `Basic ${btoa(`a:${wrong}`)}` } });
  const { AccessToken } = JSON.parse(await send('/api/auth/refresh', ''));
  return [
    token,
    wrong,
    password,
    ApiKey.Key,
    Publisher.StatsAuth,
    'an-auth-value',
    btoa(`a:${wrong}`),
    AccessToken,
  ];
}

test('at its most talkative the log tells of requests, and holds no token, password or auth value', async () => {
  const { serve } = bourseProcess();
  const server = await serve({ BOURSE_LOG_LEVEL: 'trace', BOURSE_ADMIN_PASSWORD: password });
  const secrets = await spillSecrets(server.url);
  const { output } = await stopped(server);
  assert.ok(
    secrets.every((secret) => secret.length >= 13),
    'every secret was about',
  );
  for (const secret of secrets) assert.ok(!output.includes(secret), `the log holds ${secret}`);
  const records = output.split('\n').filter((line) => line.startsWith('{'));
  const paths = records.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
  for (const path of ['/api/auth/login', '/api/auth/apikey/add', '/api/publisher/get']) {
    const found = paths.find((record) => record.path === path);
    assert.ok(found?.status >= 200 && found.durationMs >= 0, path);
  }
});
