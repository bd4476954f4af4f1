import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startManaged } from './managed.ts';

const info = 30;
const warn = 40;

/** What a request leaves in the log, where requests are slow from so many milliseconds on. */
async function logged(slowFromMs: number, path: string, method: string) {
  const server = await startManaged({ slowFromMs });
  const headers = { authorization: `Bearer ${await server.tokenFor()}`, 'x-request-id': 'this-one' };
  await (await fetch(server.url + path, { method, headers })).text();
  await server.close();
  return server.lines.filter(({ requestId }) => requestId === 'this-one');
}

describe('the log of requests', () => {
  const cases: readonly (readonly [
    slowFromMs: number,
    method: string,
    path: string,
    records: readonly object[],
  ])[] = [
    [60_000, 'GET', '/api/tag/get', []],
    [
      60_000,
      'GET',
      '/api/tag/get?Id=9',
      [{ level: info, msg: 'request', status: 406, path: '/api/tag/get' }],
    ],
    [60_000, 'POST', '/api/tag/add', [{ level: info, msg: 'request', status: 400 }]],
    [-1, 'GET', '/api/tag/get', [{ level: warn, msg: 'slow request', status: 200, userId: 1 }]],
    [-1, 'POST', '/api/tag/add', [{ level: warn, msg: 'slow request', status: 400 }]],
  ];
  for (const [slowFromMs, method, path, records] of cases) {
    test(`${method} ${path}, slow from ${slowFromMs} ms on`, async () => {
      const found = await logged(slowFromMs, path, method);
      assert.equal(found.length, records.length);
      assert.partialDeepStrictEqual(found, records);
      for (const { durationMs } of found) assert.ok(Number(durationMs) >= 0);
    });
  }
});
