import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { before, describe, test } from 'node:test';
import { bourseProcess, stopped } from '../cli/bourse-process.ts';
import type { SpawnedServer } from '../spawned-server.ts';
import { pause } from '../support/pause.ts';
import { tokenOf } from '../support/server.ts';

const password = 'correct horse battery';
const threads = 3;
const settings = { BOURSE_ADMIN_PASSWORD: password };

/** Sends a request on a connection of its own, which any thread may have taken. */
async function alone(
  url: string,
  { method = 'GET', token = '', body }: { method?: string; token?: string; body?: unknown } = {},
) {
  const call = request(url, {
    method,
    agent: new Agent(),
    headers: { authorization: `Bearer ${token}`, connection: 'close' },
  });
  call.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = await once(call, 'response');
  return { status: response.statusCode as number, headers: response.headers, body: await json(response) };
}

/** How many requests at `operation` all threads have counted, and how many threads there are. */
async function figures(url: string, operation: string) {
  const text = await (await fetch(`${url}/metrics`)).text();
  const counts = text.matchAll(/^bourse_requests_total\{operation="(.*?)".*\} (\d+)$/gm);
  const count = [...counts]
    .filter(([, name]) => name === operation)
    .reduce((sum, [, , n]) => sum + Number(n), 0);
  return { count, threads: Number(/^bourse_threads (\d+)$/m.exec(text)?.[1]) };
}

async function untilAllServe(server: SpawnedServer): Promise<void> {
  while ((await figures(server.url, '')).threads < threads) await pause();
}

async function startThreads(environment: NodeJS.ProcessEnv = {}) {
  const program = bourseProcess();
  const server = await program.serve({ ...settings, ...environment }, ['--threads', String(threads)]);
  await untilAllServe(server);
  return { program, server, token: await tokenOf(server.url, 'admin@localhost', password) };
}

describe('bourse serve --threads', () => {
  let shared: Awaited<ReturnType<typeof startThreads>>;
  before(async () => {
    shared = await startThreads();
  });

  test('serves in so many threads at one port that the system has chosen, and counts them together', async () => {
    const { url } = shared.server;
    const answers = await Promise.all(Array.from({ length: 60 }, () => alone(`${url}/healthz`)));
    assert.ok(answers.every(({ status }) => status === 200));
    assert.deepEqual(await figures(url, '/healthz'), { count: 60, threads });
  });

  test('what one thread has written, every other one reads', async () => {
    const { server, token } = shared;
    const add = async (n: number) => {
      const { body } = await alone(`${server.url}/api/tag/add`, {
        method: 'POST',
        token,
        body: { Tag: { Name: `tag ${n}` } },
      });
      const { Id } = (body as { Tag: { Id: number } }).Tag;
      const fetched = await alone(`${server.url}/api/tag/get?Id=${Id}`, { token });
      assert.partialDeepStrictEqual(fetched, { status: 200, body: { Id, Name: `tag ${n}` } });
      return Id;
    };
    const ids = await Promise.all(Array.from({ length: 60 }, (_, n) => add(n)));
    assert.equal(new Set(ids).size, 60);
  });

  test('a port at which another Bourse listens, with threads too, is named', async () => {
    const environment = { BOURSE_PORT: new URL(shared.server.url).port };
    const { code, stderr } = await bourseProcess().run(['serve', '--threads', '2'], { environment });
    assert.equal(code, 1);
    assert.match(stderr, /^BOURSE_PORT: port \d+ of 127\.0\.0\.1 is in use/);
  });

  test('a token that one thread has ended, no other one takes', async () => {
    const { url } = shared.server;
    const token = await tokenOf(url, 'admin@localhost', password);
    const ended = await alone(`${url}/api/auth/logout`, { method: 'POST', token, body: {} });
    assert.equal(ended.status, 200);
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => alone(`${url}/api/tag/get`, { token })),
    );
    assert.ok(answers.every(({ status }) => status === 401));
  });

  test('failed logins count in all threads', async () => {
    const attempt = { method: 'POST', body: { Username: 'admin@localhost', Password: 'a wrong one' } };
    const statuses: number[] = [];
    for (let time = 0; time < 14; time += 1)
      statuses.push((await alone(`${shared.server.url}/api/auth/login`, attempt)).status);
    assert.deepEqual(statuses, [...Array(10).fill(401), ...Array(4).fill(429)]);
  });

  test('the limit of a token counts in all threads', async () => {
    const { server, token } = await startThreads({ BOURSE_API_RATE_LIMIT: '5' });
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => alone(`${server.url}/api/tag/get`, { token })),
    );
    const seconds = new Set(answers.map(({ headers }) => headers.date)).size + 1;
    const passed = answers.filter(({ status }) => status === 200).length;
    assert.ok(passed >= 5 && passed <= 5 * seconds, `${passed} in at most ${seconds} seconds`);
    assert.ok(answers.every(({ status }) => status === 200 || status === 429));
    await stopped(server);
  });

  test('SIGTERM finishes what is under way in every thread, and the process ends with 0', async () => {
    const { server, token } = shared;
    const body = JSON.stringify({ KeywordList: { Name: 'Late', ListText: '' } });
    const headers = {
      authorization: `Bearer ${token}`,
      'content-length': body.length,
      expect: '100-continue',
    };
    const begin = async () => {
      const call = request(`${server.url}/api/keywordlist/add`, {
        method: 'POST',
        agent: new Agent(),
        headers,
      });
      const status = once(call, 'response').then(([response]) => {
        response.resume();
        return response.statusCode as number;
      });
      call.flushHeaders();
      await once(call, 'continue');
      return { finish: () => call.end(body), status };
    };
    const underWay = await Promise.all(Array.from({ length: 24 }, begin));
    server.process.kill('SIGTERM');
    while (
      await fetch(`${server.url}/healthz`, { headers: { connection: 'close' } }).then(
        ({ ok }) => ok,
        () => false,
      )
    );
    for (const { finish } of underWay) finish();
    assert.deepEqual(await Promise.all(underWay.map(({ status }) => status)), Array(24).fill(200));
    const { code, output } = await server.ended;
    assert.equal(code, 0, output);
    assert.equal(
      output.match(/"path":"\/api\/keywordlist\/add","status":200/g)?.length,
      24,
      'every record of the log is there',
    );
    assert.equal(output.match(/"msg":"thread serves"/g)?.length, threads);
    assert.equal(output.match(/^Administrator:/gm)?.length, 1);
    const others = output.split('\n').filter((line) => !line.includes('"msg":"failed login from'));
    assert.deepEqual(
      others.filter((line) => /"level":(40|50|60)/.test(line)),
      [],
    );
  });

  test('SIGTERM before the other threads have come up ends it with 0', async () => {
    const server = await bourseProcess().serve(settings, ['--threads', String(threads)]);
    assert.equal((await stopped(server)).code, 0);
  });

  for (const wrong of ['0', '1.5', '65']) {
    test(`--threads ${wrong} is refused`, async () => {
      const { code, stderr } = await bourseProcess().run(['serve', '--threads', wrong]);
      assert.equal(code, 1);
      assert.match(stderr, /must be a number from 1 to 64/);
    });
  }
});
