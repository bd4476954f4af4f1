import assert from 'node:assert/strict';
import type { NetworkInterfaceInfo } from 'node:os';
import { networkInterfaces } from 'node:os';
import { after, describe, test } from 'node:test';
import { pino } from 'pino';
import { urlAt } from '../../src/serving/reachable-url.ts';
import { bourseProcess, stopped } from '../cli/bourse-process.ts';
import { startTestServer } from '../support/server.ts';

function at(address: string, internal = false): NetworkInterfaceInfo {
  const common = { address, internal, netmask: '', mac: '', cidr: null };
  return address.includes(':') ? { ...common, family: 'IPv6', scopeid: 0 } : { ...common, family: 'IPv4' };
}

const own = [at('127.0.0.1', true), at('::1', true)];
const both = {
  lo: own,
  eth0: [at('fe80::1'), at('2001:db8::7'), at('203.0.113.7')],
  docker0: [at('172.17.0.1')],
};
const cases: readonly (readonly [host: string, interfaces: Parameters<typeof urlAt>[2], url: string])[] = [
  ['127.0.0.1', both, 'http://127.0.0.1:8080'],
  ['::1', both, 'http://[::1]:8080'],
  ['exchange.internal', both, 'http://exchange.internal:8080'],
  ['0.0.0.0', both, 'http://203.0.113.7:8080'],
  ['0', both, 'http://203.0.113.7:8080'],
  ['::', both, 'http://203.0.113.7:8080'],
  ['0:0:0:0:0:0:0:0', both, 'http://203.0.113.7:8080'],
  ['::', { lo: own, eth0: [at('fe80::1'), at('2001:db8::7')] }, 'http://[2001:db8::7]:8080'],
  ['0.0.0.0', { lo: own }, 'http://localhost:8080'],
  ['::', { lo: own, eth0: [at('fe80::1')] }, 'http://localhost:8080'],
  ['0.0.0.0', {}, 'http://localhost:8080'],
];

describe('a server is reached', () => {
  for (const [host, interfaces, url] of cases) {
    test(`that listens at ${host}, at ${url}`, () => assert.equal(urlAt(host, 8080, interfaces), url));
  }
});

/** What a server at the host warns of in its settings, and the URL of a tag of its own. */
async function started(host: string, baseUrl?: string) {
  const warnings: string[] = [];
  // A busy machine is warned of slow requests, too.
  const write = (line: string) => {
    const { msg } = JSON.parse(line) as { readonly msg: string };
    if (msg.startsWith('BOURSE_')) warnings.push(msg);
  };
  const server = await startTestServer({ host, baseUrl }, pino({ level: 'warn' }, { write }));
  after(server.close);
  const headers = { authorization: `Bearer ${server.token}` };
  const post = async (path: string, body: object) =>
    (await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })).json();
  const values = { Mail: 'a@example.com', Name: 'A', Country: 'DE', Username: 'a' };
  await post('/api/publisher/add', { Publisher: values });
  const added = await post('/api/ortb/vasttag/add', { VastTag: { PublisherId: 1, Name: 'T' } });
  const { ZoneUrls } = (added as { VastTag: { ZoneUrls: { ZoneUrl: string }[] } }).VastTag;
  const zone = new URL(ZoneUrls[0]?.ZoneUrl ?? '');
  const isReached = baseUrl !== undefined || (await fetch(zone)).status < 500;
  return { warnings, hostname: zone.hostname, isReached };
}

const machines = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
const everywhere = machines.some(({ family }) => family === 'IPv6') ? ['0.0.0.0', '::'] : ['0.0.0.0'];

describe('the zone URLs of a server', () => {
  for (const host of everywhere) {
    test(`at ${host} lead to it, and BOURSE_BASE_URL is asked for`, async () => {
      const { warnings, hostname, isReached } = await started(host);
      assert.ok(isReached);
      assert.doesNotMatch(hostname, /^\[?[0:.]+\]?$/);
      assert.equal(warnings.length, 1);
      assert.match(warnings[0] ?? '', /^BOURSE_BASE_URL is not set/);
    });
  }

  test('with BOURSE_BASE_URL are there, without a warning', async () => {
    const { warnings, hostname } = await started('0.0.0.0', 'https://exchange.example');
    assert.deepEqual({ warnings, hostname }, { warnings: [], hostname: 'exchange.example' });
  });

  test('at an address of its own are there, without a warning', async () => {
    const { warnings, hostname } = await started('127.0.0.1');
    assert.deepEqual({ warnings, hostname }, { warnings: [], hostname: '127.0.0.1' });
  });
});

test('the program prints an address that is reached', async () => {
  const server = await bourseProcess().serve({ BOURSE_HOST: '0.0.0.0' });
  assert.equal((await fetch(`${server.url}/healthz`)).status, 200);
  assert.match((await stopped(server)).output, /"level":40.*BOURSE_BASE_URL is not set/);
});
