import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { after, afterEach, before, describe, test } from 'node:test';
import { randomStream } from '../support/seed.ts';
import { assertErrorBody, assertErrorShape } from './error-shape.ts';
import { type LoggedServer, startLoggedServer } from './logged-server.ts';
import { rawHttp } from './raw-http.ts';

let server: LoggedServer | undefined;
before(async () => {
  server = await startLoggedServer();
});
after(() => server?.close());
afterEach(async () => {
  assert.equal((await running().api.get('/healthz')).status, 200, 'the server serves on');
  assert.doesNotMatch(running().log(), /"level":50|unexpected error/, 'nothing unexpected happened');
});

function running(): LoggedServer {
  assert.ok(server);
  return server;
}

/** A POST of a tag with these headers and this body, byte for byte. */
const post = (headers: string, body: string, path = '/api/tag/add') =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${running().api.authorization}\r\n${headers}\r\n${body}`;
const get = (headers: string, line = 'GET /healthz HTTP/1.1') => `${line}\r\n${headers}\r\n`;
const host = 'Host: x\r\n';
const json = '{"Tag":{"Name":"a"}}';
const chunked = 'Transfer-Encoding: chunked\r\n';

/** Bytes, and the status they are answered with; `end` closes our side behind them. */
type Case = readonly [name: string, bytes: () => string, status: number, end?: 'end'];

const headers: readonly Case[] = [
  ['garbage', () => '\x00\x01\x02\xff hello\r\n\r\n', 400],
  ['TLS where there is none', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
  ['a preface of HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['an unknown version', () => get(host, 'GET /healthz HTTP/9.9'), 400],
  ['an unknown method', () => get(host, 'FROB /healthz HTTP/1.1'), 400],
  ['a method that nothing serves', () => get(host, 'PROPFIND /healthz HTTP/1.1'), 405],
  ['a header without a colon', () => get(`${host}nonsense\r\n`), 400],
  ['a header with a space in its name', () => get(`${host}Bad Header: y\r\n`), 400],
  ['a NUL in a header', () => get(`${host}A: b\0c\r\n`), 400],
  ['a lone carriage return in a header', () => get(`${host}A: b\rc\r\n`), 400],
  ['a header of 200 kB', () => get(`${host}A: ${'a'.repeat(200_000)}\r\n`), 431],
  ['thirty thousand headers', () => get(`${host}${'a: b\r\n'.repeat(30_000)}`), 431],
  ['a URL of 200 kB', () => get(host, `GET /${'a'.repeat(200_000)} HTTP/1.1`), 431],
  ['raw bytes in the URL', () => get(host, 'GET /api/\xff\xfe HTTP/1.1'), 400],
  ['no host', () => get(''), 400],
  ['two hosts', () => get(`${host}hOST: y\r\n`), 400],
  ['the same host twice', () => get(host + host), 400],
  ['an expectation that nobody meets', () => get(`${host}Expect: a miracle\r\n`), 417],
  ['a wish for a tunnel', () => get(host, 'CONNECT elsewhere.example:443 HTTP/1.1'), 405],
  ['an asterisk for a URL', () => get(host, 'OPTIONS * HTTP/1.1'), 404],
  [
    'two tokens',
    () => get(`${host}Authorization: Bearer a\r\nAuthorization: Bearer b\r\n`, 'GET /api/tag/get HTTP/1.1'),
    401,
  ],
  [
    'a token of raw bytes',
    () => get(`${host}Authorization: Bearer \xff\xfe\r\n`, 'GET /api/tag/get HTTP/1.1'),
    401,
  ],
];

const bodies: readonly Case[] = [
  ['a length and chunks', () => post(`Content-Length: 20\r\n${chunked}`, `14\r\n${json}\r\n0\r\n\r\n`), 400],
  ['two lengths', () => post('Content-Length: 20\r\nContent-Length: 19\r\n', json), 400],
  ['a length below 0', () => post('Content-Length: -1\r\n', json), 400],
  ['a length that is no number', () => post('Content-Length: abc\r\n', json), 400],
  ['a length beyond all limits', () => post('Content-Length: 99999999999999\r\n', json), 413],
  ['a length beyond all numbers', () => post(`Content-Length: ${'9'.repeat(40)}\r\n`, json), 400],
  ['a body shorter than its length', () => post('Content-Length: 100\r\n', json), 400, 'end'],
  ['a body longer than its length', () => post('Content-Length: 10\r\n', json), 400],
  ['a POST that names no host', () => post('Content-Length: 20\r\n', json).replace(host, ''), 400],
  [
    'a POST with an expectation that nobody meets',
    () => post('Expect: a miracle\r\nContent-Length: 20\r\n', json),
    417,
  ],
  ['chunks with endless extensions', () => post(chunked, `14;${'a'.repeat(20_000)}\r\n${json}`), 413],
  ['no length and no body', () => post('', ''), 400],
  ['a body nobody announced', () => post('', json), 400],
  ['a chunk whose size is none', () => post(chunked, `zz\r\n${json}\r\n0\r\n\r\n`), 400],
  ['a chunk longer than its size', () => post(chunked, `2\r\n${json}\r\n0\r\n\r\n`), 400],
  ['chunks that end early', () => post(chunked, `14\r\n${json}\r\n`), 400, 'end'],
  ['an unknown transfer encoding', () => post('Transfer-Encoding: frob\r\n', json), 400],
  ['a megabyte and more by length', () => post('Content-Length: 1048577\r\n', ' '.repeat(1_048_577)), 413],
  [
    'a megabyte and more by chunks',
    () => post(chunked, `100001\r\n${' '.repeat(0x100001)}\r\n0\r\n\r\n`),
    413,
  ],
  [
    '64 MiB and more, announced',
    () => post(`Content-Length: ${64 * 2 ** 20 + 1}\r\n`, '{', '/api/domainlist/add'),
    413,
  ],
];

for (const [what, cases] of Object.entries({ headers, bodies })) {
  describe(`bad HTTP: ${what}`, () => {
    for (const [name, bytes, status, end] of cases) {
      test(`${name}: ${status}`, async () => {
        const reply = await rawHttp(running().port, bytes(), end === 'end');
        assert.equal(reply.status, status, `${reply.head} ${reply.body}`);
        assert.match(reply.head, /content-type: application\/json/i);
        assert.match(reply.head, /x-request-id: \S+/i);
        assert.equal(/^allow: /im.test(reply.head), status === 405);
        assertErrorShape(JSON.parse(reply.body), reply.body, name);
      });
    }
  });
}

describe('unusual HTTP that is right', () => {
  const cases: readonly Case[] = [
    [
      'chunks of a byte',
      () => post(chunked, `${[...json].map((byte) => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`),
      200,
    ],
    [
      'chunks with extensions and trailers',
      () => post(chunked, `14;a=b\r\n${json}\r\n0\r\nT: x\r\n\r\n`),
      200,
    ],
    ['an expectation to continue', () => post('Expect: 100-continue\r\nContent-Length: 20\r\n', json), 200],
    ['HTTP/1.0', () => get('', 'GET /healthz HTTP/1.0'), 200],
    ['an absolute URL', () => get(host, 'GET http://elsewhere.example/healthz HTTP/1.1'), 200],
    ['an absolute URL of a door', () => get(host, 'GET http://elsewhere.example/vast?zone=1 HTTP/1.1'), 200],
    ['an absolute URL without a path', () => get(host, 'GET HTTPS://elsewhere.example HTTP/1.1'), 302],
    [
      'an upgrade that is not offered',
      () => get(`${host}Connection: Upgrade\r\nUpgrade: websocket\r\n`),
      200,
    ],
    [
      'a body on a GET',
      () => get(`${host}Content-Length: 4\r\n`, 'GET /healthz HTTP/1.1').concat('junk'),
      200,
    ],
    ['exactly a megabyte', () => post('Content-Length: 1048576\r\n', json.padEnd(1_048_576)), 200],
  ];
  for (const [name, bytes, status] of cases) {
    test(`${name}: ${status}`, async () => {
      const reply = await rawHttp(running().port, bytes());
      assert.equal(reply.status, status, `${reply.head} ${reply.body}`);
    });
  }
});

describe('limits of size', () => {
  test('a list may have 64 MiB and no byte more, by length and by chunks', async () => {
    const comment = `#${'x'.repeat(1000)}\\n`;
    const fill = (length: number) => {
      const head = '{"DomainList":{"Name":"big","ListText":"';
      const text = head + comment.repeat(Math.floor((length - head.length - 3) / comment.length));
      return Buffer.from(`${text}#`.padEnd(length - 3, 'x'));
    };
    const limit = 64 * 2 ** 20;
    const { api } = running();
    const over = await api.post('/api/domainlist/add', Buffer.concat([fill(limit), Buffer.from('"}} ')]));
    assert.equal(over.status, 413);
    assertErrorBody(over);
    const most = await api.post(
      '/api/domainlist/add',
      Buffer.concat([fill(limit - 2), Buffer.from('"}}  ')]),
    );
    assert.equal(most.status, 200, most.text.slice(0, 200));
  });
});

describe('connections that break', () => {
  test('requests cut anywhere leave nothing behind', async () => {
    const before = (await running().api.get('/api/tag/get')).text;
    const whole = post('Content-Length: 23\r\n', '{"Tag":{"Name":"cut"}} ');
    for (let length = 0; length < whole.length; length += 5) {
      const socket = createConnection(running().port, '127.0.0.1');
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      socket.write(whole.slice(0, length));
      await new Promise((resolve) => setImmediate(resolve));
      const closed = once(socket, 'close');
      if (length % 2) socket.resetAndDestroy();
      else socket.destroy();
      await closed;
    }
    assert.equal((await running().api.get('/api/tag/get')).text, before);
  });

  test('a hundred clients of garbage at once hinder nobody', async () => {
    const random = randomStream();
    const garbage = () => Buffer.from(Uint8Array.from({ length: 2000 }, () => Math.floor(random() * 256)));
    const noise = Array.from({ length: 100 }, () => rawHttp(running().port, garbage(), true));
    const calls = Array.from({ length: 50 }, () => running().api.get('/api/tag/get'));
    assert.deepEqual(new Set((await Promise.all(calls)).map(({ status }) => status)), new Set([200]));
    for (const { status } of await Promise.all(noise)) assert.ok(status === 400 || status === undefined);
  });
});
