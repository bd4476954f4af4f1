import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { SimulationReport } from '../../src/simulation/traffic/report.ts';
import { bourseProcess, stopped } from '../cli/bourse-process.ts';
import type { SpawnedServer } from '../spawned-server.ts';

const { run, serve } = bourseProcess();
const password = 'a-password-for-the-simulation';
let server: SpawnedServer;

before(async () => {
  server = await serve({ BOURSE_ADMIN_PASSWORD: password });
});
after(() => stopped(server));

const quick = ['--duration', '1', '--rate', '80', '--json'];

async function simulated(args: readonly string[], input = ''): Promise<SimulationReport> {
  const { code, stdout, stderr } = await run(['simulate', ...args, ...quick], { input });
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  return JSON.parse(stdout) as SimulationReport;
}

test('on a database without users, what makes one is told', async () => {
  const fresh = bourseProcess();
  await fresh.run(['migrate']);
  const { code, stderr } = await fresh.run(['simulate', '--server', server.url]);
  assert.equal(code, 1);
  assert.match(stderr, /^There is no user yet; .*`bourse serve` or `bourse user add` to create one\n$/);
});

test('a team without tags is told so', async () => {
  const { code, stderr } = await run(['simulate', '--server', server.url]);
  assert.deepEqual([code, stderr], [1, 'The team has no active VAST tags; `bourse demo` adds some\n']);
});

describe('against the exchange of bourse demo', () => {
  before(async () => {
    assert.equal((await run(['demo', '--server', server.url])).code, 0);
    while ((await fetch(`${server.url}/demo/tags`)).status !== 200);
  });

  const logins: readonly (readonly [name: string, args: readonly string[], input: string])[] = [
    ['with a token of its own, where it has the database', [], ''],
    [
      'with a mail address and a password',
      ['--mail', 'admin@localhost', '--password-stdin'],
      `${password}\n`,
    ],
  ];
  for (const [name, args, input] of logins) {
    test(`${name}: what the exchange counts is what it has acknowledged`, async () => {
      const report = await simulated(['--server', server.url, ...args], input);
      const { requests, failed, filled, latencyMs, errors, trackers, counted } = report;
      assert.ok(requests > 40 && filled > requests / 2 && filled <= requests, JSON.stringify(report));
      assert.ok(latencyMs.p50 > 0 && latencyMs.p99 >= latencyMs.p50);
      assert.deepEqual({ failed, errors }, { failed: 0, errors: {} });
      for (const { called, acknowledged } of Object.values(trackers)) assert.equal(acknowledged, called);
      assert.deepEqual(
        [counted?.requests, counted?.impressions],
        [requests, trackers.impression?.acknowledged],
      );
      assert.ok(counted && counted.revenue >= counted.spent && counted.spent > 0, JSON.stringify(counted));
    });
  }

  test('a zone URL needs no management API', async () => {
    const [tag] = (await (await fetch(`${server.url}/demo/tags`)).json()) as readonly { zoneUrl: string }[];
    const { requests, filled, counted } = await simulated(['--zone', tag?.zoneUrl ?? '']);
    assert.ok(requests > 40 && filled > 0);
    assert.equal(counted, null);
  });

  test('without --json the report is for people', async () => {
    const args = ['simulate', '--server', server.url, '--duration', '1', '--rate', '20', '--seed', '3'];
    const { stdout } = await run(args);
    assert.match(stdout, /^3 tags, 20 requests per second, a day in 1 s, seed 3\nrequests +\d+ \(/);
    for (const line of [
      /^filled +\d+ requests \(/m,
      /^latency +of answered requests: p50 .* ms/m,
      /^errors +none$/m,
      /^revenue +\d.* USD/m,
    ]) {
      assert.match(stdout, line);
    }
  });

  test('a wrong password is told as the server tells it', async () => {
    const args = ['simulate', '--server', server.url, '--mail', 'admin@localhost', '--password', 'wrong'];
    const { code, stderr } = await run(args);
    assert.equal(code, 1);
    assert.match(stderr, /\/api\/auth\/login answers with 401: /);
  });
});

describe('a day on which every request fails is a failure, and the report is printed all the same', () => {
  const cases: readonly (readonly [what: string, url: () => string, error: RegExp])[] = [
    ['nobody is there', () => 'http://127.0.0.1:9/vast', /^request: ECONNREFUSED$/],
    ['there is no such path', () => `${server.url}/nothing`, /^request: status 404$/],
    ['what answers is no ad server', () => `${server.url}/healthz`, /^answer: /],
  ];
  for (const [what, url, error] of cases) {
    test(what, async () => {
      const { code, stdout, stderr } = await run(['simulate', '--zone', url(), ...quick]);
      const { requests, failed, errors } = JSON.parse(stdout) as SimulationReport;
      assert.ok(requests > 40);
      assert.equal(failed, requests);
      assert.deepEqual({ code, stderr }, { code: 1, stderr: `All ${requests} requests failed\n` });
      assert.deepEqual(Object.values(errors), [requests]);
      assert.match(Object.keys(errors).join(), error);
    });
  }
});

describe('a demonstration opens its mock DSPs, and nothing else inside', () => {
  interface Tag {
    readonly Id: number;
    readonly ZoneUrls: readonly [{ readonly ZoneUrl: string }];
  }
  interface Auction {
    readonly Candidates: readonly object[];
  }
  const cases: readonly (readonly [path: string, rule: string])[] = [
    ['/demo/dsp/KEY/vast/fill=0', 'no_bid'],
    ['/demo/dsp/KEY/vast/fault=redirect', 'private_address'],
    ['/demo/dsp/vast/fill=0', 'private_address'],
    ['/demo/dsp/other/vast/fill=0', 'private_address'],
    ['/demo/player', 'private_address'],
    ['/demo/dsp/KEY/../../../metrics', 'private_address'],
    ['/demo/dsp/KEY/%2e%2e/%2e%2e/%2e%2e/metrics', 'private_address'],
  ];
  for (const [path, rule] of cases) {
    test(`${path} is ${rule}`, async () => {
      const token = (await run(['token', 'issue', '--mail', 'admin@localhost'])).stdout.trim();
      const headers = { authorization: `Bearer ${token}` };
      const call = async <T>(name: string, body?: object): Promise<T> => {
        const post = body ? { method: 'POST', body: JSON.stringify(body) } : {};
        return (await fetch(`${server.url}/api/${name}`, { headers, ...post })).json() as Promise<T>;
      };
      const [{ ZoneUrlEu }] = await call<readonly [{ ZoneUrlEu: string }]>('ortb/dspvasttag/get');
      const [, key = ''] = /\/demo\/dsp\/([^/]+)\//.exec(ZoneUrlEu) ?? [];
      assert.match(key, /^[\w-]{32}$/);
      const ZoneUrlUsEast = server.url + path.replace('KEY', key);
      const { DspRtbEp: dsp } = await call<{ DspRtbEp: { Id: number } }>('ortb/dspvasttag/add', {
        DspRtbEp: { AdvertiserId: 1, ZoneUrlUsEast },
      });
      const { VastTag: tag } = await call<{ VastTag: Tag }>('ortb/vasttag/add', {
        VastTag: { PublisherId: 1, DspVastTags: [dsp.Id] },
      });
      const changes = await call<readonly { Revision: number }[]>('history/get?Limit=1000');
      await call(`exchange/status?Revision=${changes.at(-1)?.Revision}`);
      await (await fetch(tag.ZoneUrls[0].ZoneUrl)).text();
      const [auction] = await call<readonly [Auction]>(`exchange/auctions?VastTag=${tag.Id}`);
      assert.partialDeepStrictEqual(auction.Candidates, [{ Id: dsp.Id, Rule: rule }]);
    });
  }
});

describe('options that make no sense are refused', () => {
  const cases: readonly (readonly [args: readonly string[], says: RegExp])[] = [
    [['--rate', '0'], /number above 0/],
    [['--duration', 'long'], /number above 0/],
    [['--duration', '86401'], /at most 86400/],
    [['--seed', '-1'], /whole number/],
    [['--zone', 'zone'], /zone URL/],
    [['--server', 'localhost:8080'], /http or https URL/],
    [['--zone', 'http://a.example/vast', '--token', 't'], /cannot be used with option/],
    [['--password', 'p'], /--mail/],
  ];
  for (const [args, says] of cases) {
    test(args.join(' '), async () => {
      const { code, stderr } = await run(['simulate', ...args]);
      assert.equal(code, 1);
      assert.match(stderr, says);
    });
  }

  test('a server that is away is named', async () => {
    const { code, stderr } = await run(['simulate', '--server', 'http://127.0.0.1:9', '--token', 't']);
    assert.equal(code, 1);
    assert.match(stderr, /^http:\/\/127\.0\.0\.1:9\/.* does not answer: ECONNREFUSED\n$/);
  });
});
