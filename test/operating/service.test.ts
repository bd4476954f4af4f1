import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { type Managed, startManaged } from './managed.ts';

/** Samples of a scrape: value by name and labels, as the text has them. */
async function scrape(url: string): Promise<ReadonlyMap<string, number>> {
  const answer = await fetch(`${url}/metrics`);
  assert.match(answer.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  const lines = (await answer.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const cut = line.lastIndexOf(' ');
      return [line.slice(0, cut), Number(line.slice(cut + 1))];
    }),
  );
}

describe('/metrics', () => {
  let server: Managed | undefined;
  let token = '';
  before(async () => {
    server = await startManaged();
    token = await server.tokenFor();
  });
  after(() => server?.close());
  const running = () => server ?? assert.fail('no server');
  const call = (path: string, method = 'GET', body?: string) =>
    fetch(running().url + path, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body }),
    }).then((answer) => answer.text());

  test('counts requests by operation, method and status, and measures how long they took', async () => {
    await call('/api/tag/add', 'POST', '{"Tag":{"Name":"a"}}');
    await call('/api/tag/add', 'POST', '{"Tag":{"Name":1}}');
    await call('/api/tag/get?Id=1');
    await call('/api/tag/get');
    await call('/a-path-of-nobody?auth=a-secret');
    await call('/api/tag/get', 'DELETE');
    const found = await scrape(running().url);
    const counts = [...found].filter(([name]) => name.startsWith('bourse_requests_total'));
    assert.deepEqual(Object.fromEntries(counts), {
      'bourse_requests_total{operation="/api/tag/add",method="POST",status="200"}': 1,
      'bourse_requests_total{operation="/api/tag/add",method="POST",status="406"}': 1,
      'bourse_requests_total{operation="/api/tag/get",method="GET",status="200"}': 2,
      'bourse_requests_total{operation="(none)",method="GET",status="404"}': 1,
      'bourse_requests_total{operation="(none)",method="DELETE",status="405"}': 1,
    });
    const duration = 'bourse_request_duration_seconds';
    assert.equal(found.get(`${duration}_count{operation="/api/tag/get"}`), 2);
    assert.equal(found.get(`${duration}_bucket{le="+Inf",operation="/api/tag/get"}`), 2);
    assert.ok((found.get(`${duration}_sum{operation="/api/tag/get"}`) ?? 0) > 0);
  });

  test('tells the revision, the load and the event loop', async () => {
    const before = (await scrape(running().url)).get('bourse_revision');
    await call('/api/tag/add', 'POST', '{"Tag":{"Name":"another"}}');
    const found = await scrape(running().url);
    assert.equal(found.get('bourse_revision'), Number(before) + 1);
    assert.equal(found.get('bourse_writes_waiting'), 0);
    assert.equal(found.get('bourse_threads'), 1);
    for (const stat of ['p50', 'p99', 'max']) {
      const seconds = found.get(`bourse_event_loop_delay_seconds{stat="${stat}"}`);
      assert.ok(seconds !== undefined && seconds >= 0 && seconds < 10, stat);
    }
    assert.ok((found.get('process_resident_memory_bytes') ?? 0) > 1e7);
  });

  test('holds no token, query or path that a client made up', async () => {
    await call(`/made-up/${token}?auth=${token}`);
    const text = await (await fetch(`${running().url}/metrics`)).text();
    assert.doesNotMatch(text, /made-up|auth=|a-secret/);
    assert.ok(!text.includes(token));
  });
});

describe('/readyz while PostgreSQL comes and goes', () => {
  let postgres: PostgresServer | undefined;
  let server: Managed | undefined;
  before(async () => {
    postgres = await startPostgres();
    server = await startManaged({ databaseUrl: await postgres.freshDatabase() });
  });
  after(async () => {
    await server?.close();
    await postgres?.remove();
  });

  test('answers 200, then 503 with the reason, then 200 again; /healthz and /metrics answer throughout', async () => {
    assert.ok(server && postgres);
    const ask = (path: string) => fetch(`${server?.url}${path}`);
    assert.equal((await ask('/readyz')).status, 200);
    await postgres.stop();
    const away = await ask('/readyz');
    assert.deepEqual([away.status, away.headers.get('retry-after')], [503, '1']);
    assert.partialDeepStrictEqual(await away.json(), {
      Status: 'Error',
      Error: 'The database cannot be reached; try again',
    });
    assert.equal((await ask('/healthz')).status, 200);
    const found = await scrape(server.url);
    for (const state of ['in_use', 'idle', 'waiting']) {
      assert.ok(found.has(`bourse_database_connections{state="${state}"}`), state);
    }
    await postgres.start();
    assert.equal((await ask('/readyz')).status, 200);
  });
});

test('/readyz is 503 while the server shuts down', async () => {
  const server = await startManaged();
  const socket = createConnection(server.port, '127.0.0.1').setEncoding('utf8');
  socket.write('GET /readyz HTTP/1.1\r\n');
  // By the time that another connection is answered, the beginning of this request has arrived.
  await fetch(`${server.url}/healthz`);
  await fetch(`${server.url}/healthz`);
  const closed = server.app.close();
  while (server.app.server.listening) await new Promise((resolve) => setImmediate(resolve));
  socket.write('Host: x\r\n\r\n');
  const [answer] = await once(socket, 'data');
  assert.match(String(answer), /^HTTP\/1\.1 503 .*connection: close.*The server is shutting down/is);
  await closed;
  await server.close();
});
