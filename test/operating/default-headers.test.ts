import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { rawHttp } from '../robustness/raw-http.ts';
import { type Managed, startManaged } from './managed.ts';

let server: Managed | undefined;
before(async () => {
  server = await startManaged();
});
after(() => server?.close());

function running(): Managed {
  assert.ok(server);
  return server;
}

const made = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe('X-Request-Id', () => {
  const cases: readonly (readonly [what: string, sent: string, given: string | RegExp])[] = [
    ['a name', 'checkout-17', 'checkout-17'],
    ['all that is printable', '!~"#$%&\'()*+,-./:;<=>?@[]^_`{|}', '!~"#$%&\'()*+,-./:;<=>?@[]^_`{|}'],
    ['128 characters', 'a'.repeat(128), 'a'.repeat(128)],
    ['129 characters', 'a'.repeat(129), made],
    ['nothing', '', made],
    ['a space in it', 'a b', made],
    ['bytes that are no ASCII', 'a\xff', made],
  ];
  for (const [what, sent, given] of cases) {
    test(what, async () => {
      const { head } = await rawHttp(
        running().port,
        `GET /healthz HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${sent}\r\n\r\n`,
      );
      const id = /^x-request-id: (.*)$/im.exec(head)?.[1]?.trim() ?? 'none';
      if (typeof given === 'string') assert.equal(id, given);
      else assert.match(id, given);
    });
  }

  test('stands in every record of the log of its request', async () => {
    await fetch(`${running().url}/api/tag/add`, { method: 'POST', headers: { 'x-request-id': 'find-me' } });
    const found = running().lines.filter(({ requestId }) => requestId === 'find-me');
    assert.partialDeepStrictEqual(found, [{ msg: 'request', path: '/api/tag/add', status: 401 }]);
  });
});

const api = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

describe('every answer carries an ID and the headers that keep browsers and caches careful', () => {
  const cases: readonly (readonly [
    request: string,
    status: number,
    headers: Readonly<Record<string, string | RegExp>>,
  ])[] = [
    ['GET /healthz HTTP/1.1', 200, api],
    ['GET /readyz HTTP/1.1', 200, api],
    ['GET /metrics HTTP/1.1', 200, api],
    ['GET /api/tag/get HTTP/1.1', 401, api],
    ['GET /nothing HTTP/1.1', 404, api],
    ['DELETE /api/tag/get HTTP/1.1', 405, api],
    ['GET /%zz HTTP/1.1', 400, api],
    ['FROB / HTTP/1.1', 400, api],
    [`GET /${'a'.repeat(200_000)} HTTP/1.1`, 431, api],
    [
      'GET /docs HTTP/1.1',
      200,
      {
        ...api,
        'cache-control': 'no-cache',
        'content-security-policy': /script-src 'self'.*frame-ancestors 'none'/,
      },
    ],
    ['GET /api/openapi.json HTTP/1.1', 200, { ...api, 'cache-control': 'no-cache' }],
  ];
  for (const [line, status, headers] of cases) {
    test(`${line.slice(0, 40)}: ${status}`, async () => {
      const reply = await rawHttp(running().port, `${line}\r\nHost: x\r\n\r\n`);
      assert.equal(reply.status, status, reply.head);
      const found = new Headers(
        reply.head
          .split('\r\n')
          .slice(1)
          .map((header) => header.split(/: (.*)/s).slice(0, 2) as [string, string]),
      );
      assert.match(found.get('x-request-id') ?? '', made);
      for (const [name, value] of Object.entries(headers)) {
        if (typeof value === 'string') assert.equal(found.get(name), value);
        else assert.match(found.get(name) ?? '', value);
      }
    });
  }
});
