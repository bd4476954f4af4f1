import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import { bourseProcess, stopped } from '../cli/bourse-process.ts';
import { startTestServer, tokenOf } from '../support/server.ts';

const requestFor = (path: string) => `GET ${path} HTTP/1.1\r\nHost: exchange.example\r\n\r\n`;

/** A connection that has had one answer, and is kept for more. */
async function keptConnection(url: string, path: string): Promise<Socket> {
  const socket = createConnection(Number(new URL(url).port), '127.0.0.1');
  socket.write(requestFor(path));
  await once(socket, 'data');
  return socket;
}

const cases: readonly (readonly [path: string, answer: RegExp])[] = [
  ['/api/tag/get', /^HTTP\/1\.1 503 .*\r\nconnection: close\r\n.*The server is shutting down/is],
  ['/vast?zone=1', /^HTTP\/1\.1 \d+ .*\r\nconnection: close\r\n/is],
];
for (const [path, expected] of cases) {
  test(`${path} on a kept connection, sent as the server begins to stop, is answered and not cut off`, async () => {
    const server = await startTestServer();
    const socket = await keptConnection(server.url, path);
    // Written to the kernel at once; the server reads it after it has begun to close.
    socket.write(requestFor(path));
    const [answer] = await Promise.all([text(socket), server.close()]);
    assert.match(answer, expected);
  });
}

describe('a server that drains', () => {
  test('says so at /readyz, serves all else, and closes its port once the time is over', async () => {
    const waited: number[] = [];
    const over = Promise.withResolvers<void>();
    const wait = (ms: number) => {
      waited.push(ms);
      return over.promise;
    };
    const server = await startTestServer({ drainSeconds: 7 }, pino({ level: 'silent' }), { wait });
    const ask = async (path: string) => (await fetch(server.url + path)).status;
    assert.equal(await ask('/readyz'), 200);
    const closed = server.close();
    assert.deepEqual(waited, [7000]);
    const away = await fetch(`${server.url}/readyz`);
    assert.deepEqual([away.status, away.headers.get('retry-after')], [503, '1']);
    assert.partialDeepStrictEqual(await away.json(), { Error: 'The server is about to stop' });
    assert.equal(await ask('/healthz'), 200);
    await tokenOf(server.url, server.mail, server.password);
    over.resolve();
    await closed;
    await assert.rejects(ask('/healthz'));
  });

  test('says so in all its threads; a second SIGTERM ends it at once', async () => {
    const { serve } = bourseProcess();
    const server = await serve({ BOURSE_DRAIN_SECONDS: '3600' }, ['--threads', '3']);
    const text = async (path: string) =>
      (await fetch(server.url + path, { headers: { connection: 'close' } })).text();
    while (!(await text('/metrics')).includes('bourse_threads 3')) await turn();
    server.process.kill('SIGTERM');
    while (!(await text('/readyz')).includes('about to stop')) await turn();
    // The kernel gives each connection to one of the threads.
    const answers = await Promise.all(Array.from({ length: 60 }, () => text('/readyz')));
    assert.ok(answers.every((answer) => answer.includes('about to stop')));
    server.process.kill('SIGTERM');
    assert.equal((await server.ended).code, 1);
  });
});

const stopSteps = [
  'stopping',
  '/readyz returns 503 before the port closes',
  'the port closes; requests under way are answered',
  'requests are answered; what was counted is stored',
];

test('the log says once of each thread that it serves and that it stopped, and each step of the stop', async () => {
  const { serve } = bourseProcess();
  const server = await serve({ BOURSE_DRAIN_SECONDS: '1' }, ['--threads', '3']);
  const metrics = async () => (await fetch(`${server.url}/metrics`)).text();
  while (!(await metrics()).includes('bourse_threads 3')) await turn();
  const { code, output } = await stopped(server);
  assert.equal(code, 0);
  const records = output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
  for (const said of ['thread serves', 'thread stopped']) {
    const threads = records.filter(({ msg }) => msg === said).map(({ thread }) => thread);
    assert.deepEqual(threads.toSorted(), [0, 1, 2], said);
  }
  const others = records.filter(({ msg }) => !msg.startsWith('thread '));
  assert.deepEqual(
    others.map(({ msg }) => msg),
    stopSteps,
  );
  const times = [
    ...others.slice(1),
    records.find(({ msg, thread }) => msg === 'thread stopped' && thread === 0),
  ];
  const afterMs = times.map((record) => Number(record?.afterMs));
  assert.deepEqual(
    afterMs,
    afterMs.toSorted((a, b) => a - b),
  );
  assert.ok(Number(afterMs[1]) >= 999, 'the port closes after the seconds that it drains');
});
