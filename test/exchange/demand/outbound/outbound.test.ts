import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { after, before, describe, test } from 'node:test';
import { Agent, buildConnector } from 'undici';
import type { OutboundAnswer, OutboundRequest } from '../../../../src/exchange/demand/demand-kind.ts';
import { createOutbound } from '../../../../src/exchange/demand/outbound/create-outbound.ts';
import { sendOnce } from '../../../../src/exchange/demand/outbound/send-once.ts';
import type { Outbound } from '../../../../src/exchange/demand/outbound.ts';
import type { Reason } from '../../../../src/exchange/reasons.ts';
import { type FaultyPartner, startFaultyPartner } from './faulty-partner.ts';

/** On a busy machine a timer may be late; the answer must still come about when it was due. */

let partner: FaultyPartner;
let outbound: Outbound;

before(async () => {
  partner = await startFaultyPartner();
  outbound = createOutbound({ allowPrivate: true, breaker: { failuresMin: 1_000 } });
});

after(async () => {
  await outbound.close();
  await partner[Symbol.asyncDispose]();
});

const get = (path: string): OutboundRequest => ({ method: 'GET', url: partner.url + path, headers: {} });

const post = (path: string): OutboundRequest => ({
  method: 'POST',
  url: partner.url + path,
  headers: { 'content-type': 'application/json' },
  body: '{"id":"1"}',
});

const reasonOf = (result: object): Reason | undefined =>
  'reason' in result ? (result.reason as Reason) : undefined;

const answered: readonly (readonly [path: string, answer: Partial<OutboundAnswer>])[] = [
  ['/ok', { status: 200, body: '{"a":1}' }],
  ['/bom', { status: 200, body: 'body' }],
  ['/latin1', { status: 200, body: 'Köln' }],
  ['/latin1-declared', { status: 200, body: '<?xml version="1.0" encoding="ISO-8859-1"?>Köln' }],
  ['/utf8-declared', { status: 200, body: '<?xml version="1.0" encoding="UTF-8"?>Köln' }],
  ['/utf16', { status: 200, body: 'Köln' }],
  ['/unknown-charset', { status: 200, body: 'Köln' }],
  ['/empty', { status: 204, body: '' }],
  ['/error', { status: 500, body: 'oh' }],
  ['/gzip', { status: 200, body: 'zipped' }],
  ['/deflate', { status: 200, body: 'zipped' }],
  ['/deflate-raw', { status: 200, body: 'zipped' }],
  ['/br', { status: 200, body: 'zipped' }],
  ['/too-long', { status: 200, body: '12345' }],
];

describe('what a partner answers', () => {
  for (const [path, answer] of answered) {
    test(`GET ${path}`, async () => {
      assert.partialDeepStrictEqual(await outbound.call('A:1', get(path), 5_000), answer);
    });
    test(`POST ${path}`, async () => {
      assert.partialDeepStrictEqual(await outbound.call('A:1', post(path), 5_000), answer);
    });
  }

  test('headers come with lower-case names, repeated ones joined', async () => {
    const answer = await outbound.call('A:1', get('/ok'), 5_000);
    assert.ok('headers' in answer);
    assert.partialDeepStrictEqual(answer.headers, { 'content-type': 'application/json', 'x-twice': 'a, b' });
  });

  test('a request goes out as given, with the encodings that can be read', async () => {
    await outbound.call('A:1', post('/ok?x=%7B1%7D'), 5_000);
    const sent = partner.requests.at(-1) ?? '';
    assert.match(sent, /^POST \/ok\?x=%7B1%7D HTTP\/1\.1\r\n/);
    assert.match(sent, /accept-encoding: gzip, deflate, br\r\n/);
    assert.match(sent, /\r\n\r\n\{"id":"1"\}$/);
  });

  test('connections are kept and used again', async () => {
    const own = createOutbound({ allowPrivate: true });
    const before = partner.connections();
    for (let times = 0; times < 10; times += 1) await own.call('A:1', get('/ok'), 5_000);
    const made = partner.connections() - before;
    assert.ok(made <= 2, `${made} connections`);
    await own.close();
  });

  test('a connection that takes longer than a call may is there for the next one', async () => {
    const connect = buildConnector({});
    const agent = new Agent({
      connect: (target, callback) => void setTimeout(connect, 100, target, callback),
    });
    const before = partner.connections();
    const released = Promise.withResolvers<void>();
    const options = { origin: partner.url, path: '/ok', method: 'GET' };
    const bounds = { deadlineMs: 20, bytesMax: 1_000, released: released.resolve };
    assert.equal(reasonOf(await sendOnce(agent, options, bounds)), 'timed_out');
    await released.promise;
    const seen = partner.seen.length;
    const next = await sendOnce(agent, options, { ...bounds, deadlineMs: 5_000 });
    assert.ok('status' in next && next.status === 200);
    assert.equal(partner.connections() - before, 1);
    assert.equal(partner.seen.length - seen, 1, 'the first request is never sent');
    await agent.close();
  });
});

const failed: readonly (readonly [path: string, reason: Reason])[] = [
  ['/gzip-bomb', 'invalid_response'],
  ['/gzip-garbage', 'invalid_response'],
  ['/gzip-cut', 'invalid_response'],
  ['/gzip-twice', 'invalid_response'],
  ['/unknown-encoding', 'invalid_response'],
  ['/stall', 'timed_out'],
  ['/stall-in-head', 'timed_out'],
  ['/stall-in-body', 'timed_out'],
  ['/drip-head', 'timed_out'],
  ['/drip-body', 'timed_out'],
  ['/endless', 'invalid_response'],
  ['/large', 'invalid_response'],
  ['/too-short', 'invalid_response'],
  ['/no-http', 'invalid_response'],
  ['/huge-header', 'invalid_response'],
  ['/reset', 'unreachable'],
  ['/close', 'unreachable'],
];

describe('partners that fail', () => {
  const shortMs = 200;
  for (const [path, reason] of failed) {
    test(`${path} is ${reason}`, async () => {
      // Where the time does not run out, there is enough of it on a busy machine.
      const deadlineMs = reason === 'timed_out' ? shortMs : 10_000;
      const startMs = performance.now();
      const result = await outbound.call('B:1', post(path), deadlineMs);
      const tookMs = performance.now() - startMs;
      assert.equal(reasonOf(result), reason, JSON.stringify(result));
      if (reason === 'timed_out') assert.ok(tookMs >= deadlineMs - 2, `${tookMs} ms`);
    });
  }

  test('all of them at once keep nobody waiting', async () => {
    const good = outbound.call('B:2', get('/ok'), 5_000);
    const bad = failed.map(([path]) => outbound.call('B:3', get(path), shortMs));
    assert.equal(reasonOf(await good), undefined);
    await Promise.all(bad);
  });

  test('nobody listens', async () => {
    const gone = await startFaultyPartner();
    await gone[Symbol.asyncDispose]();
    const request: OutboundRequest = { method: 'GET', url: gone.url, headers: {} };
    assert.equal(reasonOf(await outbound.call('B:4', request, 1_000)), 'unreachable');
  });

  test('no time is left', async () => {
    const before = partner.seen.length;
    assert.equal(reasonOf(await outbound.call('B:5', get('/ok'), 0)), 'timed_out');
    assert.equal(reasonOf(await outbound.call('B:5', get('/ok'), -5)), 'timed_out');
    assert.equal(partner.seen.length, before);
  });

  for (const url of ['', 'ads.example.com', 'ftp://ads.example.com', 'file:///etc/passwd', 'http://[']) {
    test(`'${url}' cannot be called`, async () => {
      const result = await outbound.call('B:6', { method: 'GET', url, headers: {} }, 1_000);
      assert.equal(reasonOf(result), 'not_callable');
    });
  }

  test('a header that would break the request is not sent', async () => {
    const request = { ...get('/ok'), headers: { 'x-a': 'b\r\nx-c: d' } };
    assert.equal(reasonOf(await outbound.call('B:7', request, 1_000)), 'not_callable');
  });

  test('more calls than there may be connections are refused, and counted down as they end', async () => {
    const own = createOutbound({ allowPrivate: true, callsPerOriginMax: 2 });
    const calls = [1, 2, 3].map(() => own.call('A:1', get('/stall'), 300));
    const reasons = (await Promise.all(calls)).map(reasonOf);
    assert.deepEqual(reasons, ['timed_out', 'timed_out', 'too_many_calls']);
    assert.equal(reasonOf(await own.call('A:1', get('/ok'), 5_000)), undefined);
    await own.close();
  });
});

const redirected: readonly (readonly [path: string, reason: Reason | undefined])[] = [
  ['/redirect', undefined],
  ['/redirect-2', undefined],
  ['/redirect-3', undefined],
  ['/redirect-4', 'invalid_response'],
  ['/redirect-round', 'invalid_response'],
  ['/redirect-file', 'not_callable'],
  ['/redirect-nowhere', 'not_callable'],
];

describe('redirects', () => {
  for (const [path, reason] of redirected) {
    test(`GET ${path} ${reason ?? 'arrives'}`, async () => {
      const result = await outbound.call('C:1', get(path), 5_000);
      assert.equal(reasonOf(result), reason);
      if ('body' in result) assert.equal(result.body, '{"a":1}');
    });
  }

  test('a POST is not redirected', async () => {
    const before = partner.seen.length;
    const result = await outbound.call('C:1', post('/redirect'), 5_000);
    assert.ok('status' in result && result.status === 302);
    assert.deepEqual(partner.seen.slice(before), ['POST /redirect HTTP/1.1']);
  });
});

describe('private addresses', () => {
  /** Names that lead where the test says; what is not here, nowhere. */
  function outboundWith(names: Readonly<Record<string, readonly string[]>>): Outbound {
    return createOutbound({
      allowPrivate: false,
      resolve: (hostname, _options, callback) => {
        const addresses = names[hostname]?.map(
          (address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 }),
        );
        if (addresses === undefined)
          callback(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), []);
        else callback(null, addresses);
      },
    });
  }

  const hosts: readonly (readonly [host: string, reason: Reason])[] = [
    ['127.0.0.1', 'private_address'],
    ['127.1', 'private_address'],
    ['2130706433', 'private_address'],
    ['0x7f.0.0.1', 'private_address'],
    ['[::1]', 'private_address'],
    ['[::ffff:127.0.0.1]', 'private_address'],
    ['169.254.169.254', 'private_address'],
    ['inside.example.com', 'private_address'],
    ['both-inside.example.com', 'private_address'],
    ['nowhere.example.com', 'unreachable'],
  ];

  for (const [host, reason] of hosts) {
    test(`${host} is ${reason}`, async () => {
      const own = outboundWith({
        'inside.example.com': ['127.0.0.1'],
        'both-inside.example.com': ['10.0.0.1', '::1'],
      });
      const before = partner.connections();
      const url = `http://${host}:${partner.port}/ok`;
      const result = await own.call('D:1', { method: 'POST', url, headers: {}, body: '{}' }, 1_000);
      assert.equal(reasonOf(result), reason);
      assert.equal(partner.connections(), before);
      await own.close();
    });
  }

  test('stay refused by that name when the circuit breaker is open', async () => {
    const own = outboundWith({});
    const url = `${partner.url}/ok`;
    for (let times = 0; times < 15; times += 1) {
      const result = await own.call('D:1', { method: 'GET', url, headers: {} }, 1_000);
      assert.equal(reasonOf(result), 'private_address');
    }
    await own.close();
  });

  /** Takes the loopback address of the partner for a public one, and resolves every name as told, one after another. */
  const outboundBefore = (...resolutions: readonly string[][]) => {
    let times = 0;
    return createOutbound({
      allowPrivate: false,
      isPrivate: (address) => address !== '127.0.0.1',
      resolve: (_hostname, _options, callback) => {
        const addresses = resolutions[Math.min(times, resolutions.length - 1)] ?? [];
        times += 1;
        callback(
          null,
          addresses.map((address) => ({ address, family: 4 })),
        );
      },
    });
  };
  const named = (path: string): OutboundRequest => ({
    method: 'GET',
    url: `http://dsp.example.com:${partner.port}${path}`,
    headers: {},
  });

  test('are not reached by a name that has changed its mind', async () => {
    const own = outboundBefore(['127.0.0.1'], ['10.0.0.1']);
    assert.equal(reasonOf(await own.call('D:2', named('/close'), 5_000)), 'unreachable');
    assert.equal(reasonOf(await own.call('D:2', named('/ok'), 5_000)), 'private_address');
    await own.close();
  });

  test('are left out where a name has others too', async () => {
    const own = outboundBefore(['10.0.0.1', '127.0.0.1']);
    assert.partialDeepStrictEqual(await own.call('D:3', named('/ok'), 5_000), { status: 200 });
    await own.close();
  });

  test('are not tried where the others of a name fail', async () => {
    const own = createOutbound({
      allowPrivate: false,
      // Nobody listens there.
      isPrivate: (address) => address !== '::1',
      resolve: (_hostname, _options, callback) =>
        callback(null, [
          { address: '127.0.0.1', family: 4 },
          { address: '::1', family: 6 },
        ]),
    });
    const before = partner.connections();
    assert.equal(reasonOf(await own.call('D:5', named('/ok'), 5_000)), 'unreachable');
    assert.equal(partner.connections(), before);
    await own.close();
  });

  test('are not reached by a redirect', async () => {
    const own = outboundBefore(['127.0.0.1']);
    assert.equal(reasonOf(await own.call('D:4', named('/redirect-inside'), 5_000)), 'private_address');
    await own.close();
  });
});

describe('a private address that is known to be harmless', () => {
  const cases: readonly (readonly [path: string, expected: object])[] = [
    ['/ok', { status: 200 }],
    ['/error', { reason: 'private_address' }],
    // Each hop is judged by its own URL.
    ['/redirect', { status: 200 }],
    ['/redirect-inside', { reason: 'private_address' }],
    ['/redirect-2', { status: 200 }],
  ];
  for (const [path, expected] of cases) {
    test(`GET ${path}`, async () => {
      const prefixes = ['/ok', '/redirect'].map((start) => partner.url + start);
      const own = createOutbound({
        allowPrivate: false,
        isHarmless: (url) => prefixes.some((prefix) => url.startsWith(prefix)),
      });
      assert.partialDeepStrictEqual(await own.call('E:1', get(path), 5_000), expected);
      await own.close();
    });
  }
});

describe('a partner that fails is paused', () => {
  test('by the name of its circuit breaker, and called again after the pause', async () => {
    const clock = { ms: 0 };
    const own = createOutbound({
      allowPrivate: true,
      now: () => clock.ms,
      random: () => 0,
      breaker: { failuresMin: 3, pauseMs: 1_000 },
    });
    const reasons: (Reason | undefined)[] = [];
    for (const path of ['/error', '/reset', '/error', '/ok']) {
      reasons.push(reasonOf(await own.call('E:1', get(path), 5_000)));
    }
    assert.deepEqual(reasons, [undefined, 'unreachable', undefined, 'paused_after_failures']);
    assert.equal(
      reasonOf(await own.call('E:2', get('/ok'), 5_000)),
      undefined,
      'another partner is not paused',
    );
    clock.ms += 1_000;
    assert.equal(reasonOf(await own.call('E:1', get('/ok'), 5_000)), undefined);
    assert.equal(reasonOf(await own.call('E:1', get('/ok'), 5_000)), undefined);
    await own.close();
  });
});
