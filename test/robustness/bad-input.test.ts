import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { randomStream } from '../support/seed.ts';
import { added } from './api.ts';
import { assertErrorBody, faultsOf } from './error-shape.ts';
import { type LoggedServer, startLoggedServer } from './logged-server.ts';

let server: LoggedServer | undefined;
before(async () => {
  server = await startLoggedServer();
});
after(() => server?.close());
afterEach(async () => {
  assert.equal((await api().get('/healthz')).status, 200, 'the server serves on');
  assert.doesNotMatch(running().log(), /"level":50|unexpected error/, 'nothing unexpected happened');
});

function running(): LoggedServer {
  assert.ok(server);
  return server;
}
const api = () => running().api;

const publisherAdd = '/api/publisher/add';
const listAdd = '/api/domainlist/add';
const nested = (open: string, close: string, times: number) => open.repeat(times) + close.repeat(times);
const publisher = (members: string) => `{"Publisher":{${members}}}`;
const list = (members: string) => `{"DomainList":{${members}}}`;

/** A body, where it is sent, what is answered, and a path that a fault must name. */
type Case = readonly [name: string, path: string, body: string | Uint8Array, status: number, fault?: string];

async function run([name, path, body, status, fault]: Case): Promise<void> {
  const reply = await api().post(path, body);
  assert.equal(reply.status, status, `${name}: ${reply.text.slice(0, 200)}`);
  assertErrorBody(reply, name);
  assert.ok(reply.text.length < 500_000, `${name}: ${reply.text.length} characters of answer`);
  if (fault === undefined) return;
  const paths = faultsOf(reply).map(({ Path }) => Path);
  assert.ok(paths.includes(fault), `${name}: ${fault} is not among ${paths.slice(0, 20)}`);
}

const utf8 = (text: string) => new TextEncoder().encode(text);
const good = publisher('"Name":"é"');

const encodings: readonly Case[] = [
  ['UTF-16, little end first', publisherAdd, Buffer.from(`\ufeff${good}`, 'utf16le'), 400],
  ['UTF-16, big end first', publisherAdd, Buffer.from(`\ufeff${good}`, 'utf16le').swap16(), 400],
  ['Latin 1', publisherAdd, Buffer.from(good, 'latin1'), 400],
  ['gzip', publisherAdd, gzipSync(good), 400],
  [
    'an overlong UTF-8 slash',
    publisherAdd,
    Buffer.concat([utf8('{"'), Buffer.from([0xc0, 0xaf]), utf8('":1}')]),
    400,
  ],
  [
    'a surrogate in UTF-8 (CESU)',
    publisherAdd,
    Buffer.concat([utf8('"'), Buffer.from([0xed, 0xa0, 0x80]), utf8('"')]),
    400,
  ],
  ['a UTF-8 list cut in a letter', listAdd, utf8(list('"ListText":"é')).slice(0, -1), 400],
  ['a raw NUL', publisherAdd, publisher('"Name":"a\0b"'), 400],
  [
    'a NUL by escape',
    publisherAdd,
    publisher('"Name":"a\\u0000b","Mail":"","Country":"","Username":""'),
    406,
    'Publisher.Name',
  ],
  ['half a surrogate pair', publisherAdd, publisher('"Name":"\\ud83d"'), 406, 'Publisher.Name'],
  ['the other half', publisherAdd, publisher('"City":"\\udc00\\ud83d"'), 406, 'Publisher.City'],
  ['half a pair as a name', publisherAdd, publisher('"\\ud800":1'), 406, 'Publisher.\ud800'],
  ['a NUL in a list', listAdd, list('"Name":"a","ListText":"a.example\\u0000"'), 406, 'DomainList.ListText'],
  [
    'a NUL in an item',
    '/api/ortb/vasttag/add',
    '{"VastTag":{"Mimes":["a/b\\u0000"]}}',
    406,
    'VastTag.Mimes[0]',
  ],
];

const shapes: readonly Case[] = [
  ['nothing', publisherAdd, '', 400],
  ['white space', publisherAdd, ' \n\t ', 400],
  ['a byte-order mark alone', publisherAdd, '\ufeff', 400],
  ['null', publisherAdd, 'null', 406, ''],
  ['a string', publisherAdd, '"Publisher"', 406, ''],
  ['a number', publisherAdd, '1e400', 406, ''],
  ['an array', publisherAdd, `[${good}]`, 406, ''],
  ['an array in the wrapper', publisherAdd, '{"Publisher":[{}]}', 406, 'Publisher'],
  ['null in the wrapper', publisherAdd, '{"Publisher":null}', 406, 'Publisher'],
  ['a comment', publisherAdd, `/* hello */${good}`, 400],
  ['a trailing comma', publisherAdd, publisher('"Name":"a",'), 400],
  ['two documents', publisherAdd, good + good, 400],
  ['a cut document', publisherAdd, good.slice(0, -2), 400],
  ['NaN', publisherAdd, publisher('"SellerType":NaN'), 400],
  ['open arrays, 64 KiB', publisherAdd, '['.repeat(65_536), 400],
  ['nested arrays, 64 KiB', publisherAdd, nested('[', ']', 32_768), 406],
  ['nested arrays, 1 MiB', publisherAdd, nested('[', ']', 524_288), 406],
  ['nested objects, 64 KiB', publisherAdd, `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`, 406],
  ['nested objects, 1 MiB', publisherAdd, `${'{"a":'.repeat(170_000)}1${'}'.repeat(170_000)}`, 406],
  ['nested arrays in a field', publisherAdd, publisher(`"Name":${nested('[', ']', 30_000)}`), 406],
  [
    'nested arrays in a list, 2 MiB',
    listAdd,
    list(`"ListText":"${'x'.repeat(2 ** 20)}","Name":${nested('[', ']', 500_000)}`),
    406,
    'DomainList.Name',
  ],
  ['nested arrays in a list, 4 MiB', listAdd, list(`"Name":${nested('[', ']', 2_000_000)}`), 413],
  [
    'nested objects in a list, 4 MiB',
    listAdd,
    list(`"Name":${'{"a":'.repeat(700_000)}1${'}'.repeat(700_000)}`),
    413,
  ],
];

const names: readonly Case[] = [
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype', ''].flatMap((name): Case[] => [
    [`wrapper ${name}`, publisherAdd, `{"${name}":{"Name":"a"}}`, 406, ''],
    [`wrapper beside ${name}`, publisherAdd, `{"Publisher":{},"${name}":{}}`, 406, ''],
    [`field ${name}`, publisherAdd, publisher(`"${name}":{"Name":"a"}`), 406, `Publisher.${name}`],
    [
      ...([`nested ${name}`, '/api/ortb/vasttag/add'] as const),
      ...([
        `{"VastTag":{"Countries":[{"CC":"US","${name}":1}]}}`,
        406,
        `VastTag.Countries[0].${name}`,
      ] as const),
    ],
  ]),
  ['a field twice', publisherAdd, publisher('"Name":"a","Name":"b"'), 406, 'Publisher.Name'],
  ['a field twice by escape', publisherAdd, publisher('"Name":"a","N\\u0061me":"b"'), 406, 'Publisher.Name'],
  ['the wrapper twice', publisherAdd, '{"Publisher":{},"Publisher":{}}', 406, 'Publisher'],
  [
    'a nested name twice',
    '/api/ortb/vasttag/add',
    '{"VastTag":{"Countries":[{"CC":"US","CC":"DE"}]}}',
    406,
    'VastTag.Countries[0].CC',
  ],
  [
    '90,000 wrappers',
    publisherAdd,
    `{${Array.from({ length: 90_000 }, (_, index) => `"u${index}":0`)}}`,
    406,
    '',
  ],
  [
    '90,000 unknown fields',
    publisherAdd,
    publisher(Array.from({ length: 90_000 }, (_, index) => `"u${index}":0`).join()),
    406,
  ],
  ['a field 90,000 times', publisherAdd, publisher(Array(90_000).fill('"u":0').join()), 406],
  ['a name of 1 MB', publisherAdd, publisher(`"${'x'.repeat(1_000_000)}":1`), 406, 'Publisher.Mail'],
  ['a wrapper of 1 MB', publisherAdd, `{"${'x'.repeat(1_000_000)}":{}}`, 406, ''],
  ['a name of 30 MB', listAdd, list(`"${'x'.repeat(30_000_000)}":1`), 406, 'DomainList.Name'],
];

const tag = (members: string) => `{"VastTag":{${members}}}`;
const tagAdd = '/api/ortb/vasttag/add';
const many = (item: string, count: number) => `[${Array(count).fill(item).join()}]`;
const numbers: readonly Case[] = [
  ...[
    '1e400',
    '-1',
    '1.5',
    '2147483648',
    '9007199254740993',
    '-1e-300',
    '"1"',
    'true',
    'null',
    '[]',
    '{}',
    '[1]',
  ].map((number): Case => [`MaxQps ${number}`, tagAdd, tag(`"MaxQps":${number}`), 406, 'VastTag.MaxQps']),
  ...['1e400', '-0.000001', '1000000.01', '1e22', '"1"', 'false', 'null'].map(
    (number): Case => [`Bidfloor ${number}`, tagAdd, tag(`"Bidfloor":${number}`), 406, 'VastTag.Bidfloor'],
  ),
  ...['0', '-1', '1.5', '4294967297', '99999999999999999999', '"1"', 'null'].map(
    (number): Case => [
      `PublisherId ${number}`,
      tagAdd,
      tag(`"PublisherId":${number}`),
      406,
      'VastTag.PublisherId',
    ],
  ),
  ...['0', '-1', '1e400', '9007199254740993', '"1"', 'null', '[1]', '{}'].flatMap((number): Case[] =>
    ['update', 'activate', 'deactivate'].map((operation) => [
      ...([
        `${operation} Id ${number}`,
        `/api/ortb/vasttag/${operation}`,
        tag(`"Id":${number}`),
        406,
      ] as const),
      'VastTag.Id',
    ]),
  ),
  [
    'more sizes than a list holds',
    tagAdd,
    tag(`"SizesList":${many('"1x1"', 10_001)}`),
    406,
    'VastTag.SizesList',
  ],
  [
    '100,000 IDs of none',
    tagAdd,
    tag(`"Tags":[${Array.from({ length: 100_000 }, (_, index) => index + 1)}]`),
    406,
  ],
  ['500,000 times the ID of none', tagAdd, tag(`"Tags":${many('1', 500_000)}`), 406, 'VastTag.Tags'],
  ['300,000 wrong items', tagAdd, tag(`"Mimes":${many('1', 300_000)}`), 406, 'VastTag.Mimes'],
  ['40,000 wrong objects', tagAdd, tag(`"Os":${many('{"Family":1,"X":2}', 40_000)}`), 406, 'VastTag.Os'],
];

for (const [what, cases] of Object.entries({ encodings, shapes, names, numbers })) {
  describe(`bad ${what}`, () => {
    for (const each of cases) test(each[0], () => run(each));
  });
}

describe('numbers at the edge', () => {
  test('-0, tiny and long decimals are taken for what they are', async () => {
    const { Id } = await added(api(), 'publisher', 'Publisher', {
      Name: 'a',
      Mail: 'a@example.com',
      Country: 'US',
      Username: 'edge',
    });
    const sent = `"PublisherId":${Id},"MaxQps":-0,"Bidfloor":1e-400,"Tmax":1e2,"Width":3.0,"MaxIvt":99.99999949,"SpentDailyLimit":0.1234565`;
    const { status, body } = await api().post(tagAdd, tag(sent));
    assert.equal(status, 200);
    const { MaxQps, Bidfloor, Tmax, Width, MaxIvt, SpentDailyLimit } = body.VastTag as Record<string, number>;
    assert.deepEqual(
      [MaxQps, Bidfloor, Tmax, Width, MaxIvt, SpentDailyLimit],
      [0, 0, 100, 3, 99.999999, 0.123457],
    );
  });
});

describe('nonsense', () => {
  const random = randomStream();
  const bytes = (count: number, value: () => number) => Uint8Array.from({ length: count }, value);
  const kinds: readonly [string, () => number][] = [
    ['bytes', () => Math.floor(random() * 256)],
    ['printable', () => 32 + Math.floor(random() * 95)],
    ['JSON marks', () => '[]{}",:0tfn\\u-. '.charCodeAt(Math.floor(random() * 16))],
  ];
  for (const [kind, value] of kinds) {
    test(`64 KiB of ${kind}, anywhere, of any content type, is no JSON`, async () => {
      for (const path of [
        publisherAdd,
        listAdd,
        '/api/ortb/vasttag/update',
        '/api/tag/activate',
        '/api/auth/login',
      ]) {
        for (const type of [
          'application/json',
          'text/plain',
          'image/png',
          'nonsense',
          'application/json; charset=x',
        ]) {
          const reply = await api().post(path, bytes(65_536, value), { 'content-type': type });
          assert.equal(reply.status, 400, `${path} ${type}`);
          assertErrorBody(reply, path);
        }
      }
    });
  }

  test('nonsense for a token, a path, a query', async () => {
    for (const authorization of [
      'Bearer',
      'Bearer ',
      'Bearer x',
      `Bearer ${'x'.repeat(8000)}`,
      'Basic YTpi',
      '\u00ff',
    ]) {
      const reply = await api().post(publisherAdd, '{}', { authorization });
      assert.equal(reply.status, 401, authorization);
      assertErrorBody(reply);
    }
    const paths: readonly [string, number][] = [
      ['/api/%zz/get', 400],
      ['/%00', 404],
      ['/api/../../etc/passwd', 404],
      [`/${'a'.repeat(10_000)}`, 404],
      ['/api/publisher/get?Id=%zz', 406],
      ['/api/publisher/get?__proto__=1&constructor=2&toString=3', 406],
      [`/api/publisher/get?Id=${'1'.repeat(10_000)}`, 406],
      [`/api/publisher/get?${'a=1&'.repeat(3000)}`, 406],
      ['/api/publisher/get?Id=1&Id=2', 406],
      ['/api/publisher/get?Id=1e1', 406],
      ['/api/publisher/get?Id=0x1', 406],
      ['/api/publisher/get?Id=%F0%9F%8E%88', 406],
      [`/api/publisher/get?${'1'.repeat(200_000)}`, 431],
    ];
    for (const [path, status] of paths) {
      const reply = await api().get(path);
      assert.equal(reply.status, status, path.slice(0, 80));
      assertErrorBody(reply, path.slice(0, 80));
    }
  });
});
