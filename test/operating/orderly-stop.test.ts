import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { startTestServer } from '../support/server.ts';

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
