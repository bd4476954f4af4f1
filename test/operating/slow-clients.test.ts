import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { type Managed, startManaged } from './managed.ts';

let server: Managed | undefined;
let authorization = '';
before(async () => {
  server = await startManaged({
    patience: { headersMs: 200, requestMs: 400, progressMs: 600, checkEveryMs: 50 },
  });
  authorization = `Authorization: Bearer ${await server.tokenFor()}\r\n`;
});
after(() => server?.close());

function running(): Managed {
  assert.ok(server);
  return server;
}

function connected(bytes: string): Socket {
  const socket = createConnection(running().port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(bytes);
  return socket;
}

const post = (headers: string) => `POST /api/tag/add HTTP/1.1\r\nHost: x\r\n${authorization}${headers}\r\n`;

describe('a client that takes too long', () => {
  const cases: readonly (readonly [what: string, bytes: () => string])[] = [
    ['to finish its headers', () => 'GET /healthz HTTP/1.1\r\nHost: x\r\n'],
    ['to send its body', () => `${post('Content-Length: 100\r\n')}{"Tag":`],
    ['to send its chunks', () => `${post('Transfer-Encoding: chunked\r\n')}5\r\n{"Tag\r\n`],
  ];
  for (const [what, bytes] of cases) {
    test(`${what} is told so, and cut off`, async () => {
      const answer = await text(connected(bytes()));
      assert.match(answer, /^HTTP\/1\.1 408 Request Timeout\r\n/);
      assert.match(answer, /\r\n\r\n\{"Status":"Error","Error":"The request did not arrive in time"\}$/);
    });
  }

  test('to read a long answer is cut off, and the server goes on', async () => {
    const { url, app } = running();
    // More than the buffers of both sides hold.
    const ListText = Array.from({ length: 900_000 }, (_, n) => `domain-number-${n}.example`).join('\n');
    // Without a socket, on which this much work would be taken for a lack of progress.
    const added = await app.inject({
      method: 'POST',
      url: '/api/domainlist/add',
      headers: { authorization: authorization.slice('Authorization: '.length).trim() },
      payload: JSON.stringify({ DomainList: { Name: 'long', ListText } }),
    });
    assert.equal(added.statusCode, 200, added.body);
    const accepted = once(app.server, 'connection');
    const client = connected(`GET /api/domainlist/get?Id=1 HTTP/1.1\r\nHost: x\r\n${authorization}\r\n`);
    client.pause();
    const [socket] = (await accepted) as [Socket];
    await once(socket, 'close');
    client.destroy();
    assert.equal((await fetch(`${url}/healthz`)).status, 200);
  });
});

test('a server that takes long itself cuts nobody off', async () => {
  const { app, databasePath } = running();
  const writer = new DatabaseSync(databasePath);
  writer.exec('begin immediate');
  const body = '{"Tag":{"Name":"patient"}}';
  const answer = text(connected(`${post(`Connection: close\r\nContent-Length: ${body.length}\r\n`)}${body}`));
  // Nothing has moved on the connection for as long as a client may stand still.
  await once(app.server, 'timeout');
  writer.exec('commit');
  writer.close();
  assert.match(await answer, /^HTTP\/1\.1 200 OK\r\n/);
});
