import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { describe, test } from 'node:test';
import { createOutbound } from '../../../../src/exchange/demand/outbound/create-outbound.ts';
import {
  createResolve,
  type ResolveOptions,
} from '../../../../src/exchange/demand/outbound/resolve-names.ts';
import {
  type Completion,
  readCompletion,
  readHosts,
} from '../../../../src/exchange/demand/outbound/system-names.ts';
import { startDnsServer, type Zone } from './dns-server.ts';
import { startFaultyPartner } from './faulty-partner.ts';

const plain: Completion = { search: [], ndots: 1 };
const hosts = readHosts('127.0.0.1 localhost\n10.1.1.1 inside Both # 10.1.1.9\n::2 both\nnonsense here\n');

/** Resolves by a server of the zone; answers addresses, or the error's code. */
async function startNames(zone: Zone, options: Omit<ResolveOptions, 'servers'> = {}, completion = plain) {
  const server = await startDnsServer(zone);
  const resolve = createResolve({
    servers: server.servers,
    systemNames: () => ({ hosts, completion }),
    ...options,
  });
  const find = (name: string) =>
    new Promise<string>((done) => {
      const told = (addresses: readonly LookupAddress[]) => addresses.map(({ address }) => address).join(' ');
      resolve(name, { all: true }, (error, addresses) => done(error ? String(error.code) : told(addresses)));
    });
  return { resolve, find, asked: server.asked, [Symbol.asyncDispose]: server[Symbol.asyncDispose] };
}

const cluster: Completion = { search: ['ns.cluster.local', 'cluster.local'], ndots: 2 };

const cases: readonly (readonly [
  name: string,
  completion: Completion,
  found: string,
  asked: readonly string[],
])[] = [
  ['dsp.example.com', plain, '192.0.2.1', ['dsp.example.com']],
  ['DSP.Example.com', plain, '192.0.2.1', ['dsp.example.com']],
  ['gone.example.com', plain, 'ENOTFOUND', ['gone.example.com']],
  ['empty.example.com', plain, 'ENODATA', ['empty.example.com']],
  ['bidder', plain, '192.0.2.2', ['bidder']],
  ['inside', plain, '10.1.1.1', []],
  ['INSIDE.', plain, '10.1.1.1', []],
  ['both', plain, '10.1.1.1 ::2', []],
  ['here', plain, 'ENOTFOUND', ['here']],
  ['localhost', plain, '127.0.0.1', []],
  ['dsp.localhost', plain, '127.0.0.1 ::1', []],
  // As the system completes names: with few dots the search comes first.
  ['bidder', cluster, '192.0.2.3', ['bidder.ns.cluster.local']],
  ['mock.other', cluster, '192.0.2.4', ['mock.other.ns.cluster.local', 'mock.other.cluster.local']],
  ['dsp.example.com', cluster, '192.0.2.1', ['dsp.example.com']],
  [
    'example.com',
    cluster,
    '192.0.2.5',
    ['example.com.ns.cluster.local', 'example.com.cluster.local', 'example.com'],
  ],
  ['example.com.', cluster, '192.0.2.5', ['example.com']],
];

const zone: Zone = {
  'dsp.example.com': { A: '192.0.2.1', ttlS: 60 },
  'empty.example.com': {},
  'example.com': { A: '192.0.2.5' },
  bidder: { A: '192.0.2.2' },
  'bidder.ns.cluster.local': { A: '192.0.2.3' },
  'mock.other.cluster.local': { A: '192.0.2.4' },
  'silent.example.com': 'silent',
};

describe('names', () => {
  for (const [name, completion, found, asked] of cases) {
    test(`${name} is ${found}, with ${completion.search.length} domains to search`, async () => {
      await using names = await startNames(zone, {}, completion);
      assert.equal(await names.find(name), found);
      assert.deepEqual(names.asked, asked);
    });
  }

  test('are asked for again when their time is over, and at once by many only once', async () => {
    const clock = { ms: 0 };
    await using names = await startNames(zone, { now: () => clock.ms });
    await Promise.all([names.find('dsp.example.com'), names.find('dsp.example.com')]);
    clock.ms = 59_999;
    assert.equal(await names.find('dsp.example.com'), '192.0.2.1');
    assert.equal(names.asked.length, 1);
    clock.ms = 60_000;
    assert.equal(await names.find('dsp.example.com'), '192.0.2.1');
    assert.equal(names.asked.length, 2);
  });

  test('that have no time to live are asked for each time', async () => {
    await using names = await startNames(zone);
    for (let times = 1; times <= 2; times += 1) {
      await names.find('example.com');
      assert.equal(names.asked.length, times);
    }
  });

  test('that DNS keeps silent about end in an error', async () => {
    await using names = await startNames(zone);
    assert.equal(await names.find('silent.example.com'), 'ETIMEOUT');
  });
});

describe('a partner whose DNS keeps silent', () => {
  test('keeps nobody from calling another', async () => {
    const silent = Array.from({ length: 40 }, (_, n) => [`n${n}.silent.example.com`, 'silent'] as const);
    await using names = await startNames({
      ...Object.fromEntries(silent),
      'dsp.example.com': { A: '127.0.0.1' },
    });
    await using partner = await startFaultyPartner();
    const own = createOutbound({ allowPrivate: true, resolve: names.resolve });
    for (const [name] of silent) own.notify(`http://${name}/`);
    for (const host of ['dsp.example.com', 'localhost']) {
      const url = `http://${host}:${partner.port}/ok`;
      const answer = await own.call(host, { method: 'POST', url, headers: {}, body: '{}' }, 1_000);
      assert.partialDeepStrictEqual(answer, { status: 200 });
    }
    assert.equal(own.notices().waiting, silent.length);
    await own.close();
  });
});

const files: readonly (readonly [text: string, host: string, completion: Completion])[] = [
  ['', 'box', { search: [], ndots: 1 }],
  ['', 'box.example.com', { search: ['example.com'], ndots: 1 }],
  [
    'nameserver 10.0.0.1\nsearch a.example b.example.\n',
    'box',
    { search: ['a.example', 'b.example'], ndots: 1 },
  ],
  ['search a.example\ndomain b.example\n', 'box', { search: ['b.example'], ndots: 1 }],
  ['search .\noptions edns0 ndots:5 trust-ad\n', 'box.x', { search: [], ndots: 5 }],
  ['; search a.example\n# options ndots:3\noptions ndots:99', 'box', { search: [], ndots: 15 }],
];

describe('resolv.conf', () => {
  for (const [text, host, completion] of files) {
    test(JSON.stringify(text), () => assert.deepEqual(readCompletion(text, host), completion));
  }
});
