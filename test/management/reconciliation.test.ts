import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { after, beforeEach, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { pino } from 'pino';
import { createReconciling } from '../../src/serving/reconciling.ts';
import { openStore } from '../../src/store/open-store.ts';
import { pairCounts } from '../statistics/counting.ts';
import { listenOnLoopback } from '../support/loopback.ts';
import { type Fetched, startApi, type Values } from './api.ts';
import { assertRefused } from './refusals.ts';
import { addUsers } from './users.ts';

const dayMs = 86_400_000;
const { server, api } = await startApi();
/** Ahead of the server's own clock, whose own fetching finds nothing due. */
let nowMs = Math.ceil(Date.now() / dayMs) * dayMs + 20 * dayMs + 5 * 3_600_000;
const dateOf = (back: number) => new Date(nowMs - back * dayMs).toJSON().slice(0, 10);

interface Answer {
  readonly status?: number;
  readonly body?: string | Buffer;
  readonly location?: string;
}
let answer: (request: IncomingMessage) => Answer;
const asked: { url: string; headers: IncomingMessage['headers'] }[] = [];
const startPartner = () =>
  listenOnLoopback(
    createServer((request, response) => {
      asked.push({ url: request.url ?? '', headers: request.headers });
      const { status = 200, body = '', location } = answer(request);
      response.writeHead(status, location === undefined ? {} : { location }).end(body);
    }),
  );
const partner = await startPartner();
const elsewhere = await startPartner();

/** A process that fetches, on the server's database and the test's clock. */
async function startProcess(allowPrivateDemand = true) {
  const logged: unknown[] = [];
  const store = await openStore({ url: server.databaseUrl, now: () => nowMs });
  const logger = pino({ level: 'trace' }, { write: (line) => void logged.push(line) });
  const reconciling = createReconciling({ config: { allowPrivateDemand }, store, now: () => nowMs, logger });
  after(async () => {
    await reconciling.close();
    await store.close();
  });
  return { run: () => reconciling.run(), logged, store };
}

const one = await startProcess();
const other = await startProcess();
const guarded = await startProcess(false);
after(() => Promise.all([partner.close(), elsewhere.close()]));

beforeEach(async () => {
  for (const { Id } of await api.all('DspRtbEp', '?ActiveOnly=1'))
    await api.post('/api/ortb/dsprtbep/deactivate', { DspRtbEp: { Id } });
  // The planning rests a while; then a change is looked at.
  nowMs += dayMs;
  asked.length = 0;
});

const addDsp = (values: Values = {}): Promise<Fetched> =>
  api.add('DspRtbEp', { StatsApi: `${partner.url}/stats?from={date_from}&to={date_to}`, ...values });

async function stateOf({ Id }: Fetched): Promise<Values> {
  const reply = await api.get(`/api/statistics/partner/get?Entity=DspRtbEp&Id=${Id}`);
  assert.equal(reply.status, 200, reply.text);
  return reply.body;
}

const measures = ['PartnerImpressions', 'PartnerAmount', 'ReportedDays', 'Discrepancy', 'AmountDiscrepancy'];

/** What a report says of the last days of an object. */
async function reported({ Id }: Fetched, days = 3): Promise<readonly unknown[]> {
  const reply = await api.post('/api/statistics/report', {
    From: dateOf(days),
    To: dateOf(1),
    GroupBy: ['Day'],
    Measures: measures,
    Filters: [{ Field: 'Demand', Operator: 'In', Values: [`DspRtbEp:${Id}`] }],
  });
  assert.equal(reply.status, 200, reply.text);
  return (reply.body.Rows as readonly Values[]).map((row) => measures.map((name) => row[name]));
}

const rowsOf = (rows: readonly (readonly [back: number, imps: number, spend: string])[]) => ({
  body: JSON.stringify({ data: rows.map(([back, imps, spend]) => ({ date: dateOf(back), imps, spend })) }),
});

describe('headers that nobody sets', () => {
  const names = [
    'Host',
    'content-length',
    'Transfer-Encoding',
    'CONNECTION',
    'Upgrade',
    'Expect',
    'Keep-Alive',
    'TE',
    'Trailer',
    'Proxy-Authorization',
    'proxy-connection',
    'HTTP2-Settings',
    'Accept-Encoding',
  ];
  for (const name of names) {
    test(`${name} is refused by name`, async () => {
      const { Id: AdvertiserId } = await api.add('Advertiser');
      const before = (await api.all('DspRtbEp')).length;
      for (const lines of [`${name}: 1`, `X-Key: 1\r\n  ${name}:1\nX-Other: 2`]) {
        const reply = await api.post('/api/ortb/dsprtbep/add', {
          DspRtbEp: { AdvertiserId, StatsApiHeaders: lines },
        });
        assertRefused(reply, {
          status: 406,
          paths: ['DspRtbEp.StatsApiHeaders'],
          says: [`must not set ${name}: that header belongs to the connection`],
        });
      }
      assert.equal((await api.all('DspRtbEp')).length, before);
    });
  }
});

describe('the statistics of a partner', () => {
  test('are fetched once a day for the last three days, and stand in reports', async () => {
    answer = () =>
      rowsOf([
        [4, 9, '9'],
        [3, 10, '1.000001'],
        [1, 20, '2'],
      ]);
    const object = await addDsp({ StatsApiHeaders: 'X-Key: secret-1' });
    assert.equal((await stateOf(object)).State, 'none');
    await Promise.all([one.run(), other.run()]);
    assert.deepEqual(
      asked.map(({ url, headers }) => [url, headers['x-key'], headers.host]),
      [[`/stats?from=${dateOf(3)}&to=${dateOf(1)}`, 'secret-1', new URL(partner.url).host]],
    );
    assert.deepEqual(await reported(object, 4), [
      [0, 0, 0, null, null],
      [10, 1.000001, 1, 100, 100],
      // Left out, and over: 0 is compared with ours.
      [0, 0, 1, null, null],
      [20, 2, 1, 100, 100],
    ]);
    const state = await stateOf(object);
    assert.deepEqual([state.State, state.Rows, state.Error, state.Sample], ['read', 3, '', '']);
    await one.run();
    assert.equal(asked.length, 1, 'it is not due again');
    nowMs += dayMs;
    answer = () =>
      rowsOf([
        [3, 1, '1'],
        [2, 25, '2.5'],
      ]);
    await other.run();
    assert.deepEqual(await reported(object, 5), [
      [0, 0, 0, null, null],
      [10, 1.000001, 1, 100, 100],
      [1, 1, 1, 100, 100],
      [25, 2.5, 1, 100, 100],
      [0, 0, 1, null, null],
    ]);
  });

  test('are fetched on demand, for days that are named', async () => {
    answer = () => rowsOf([[40, 5, '0.5']]);
    const object = await addDsp();
    const want = (body: Values) => api.post('/api/statistics/partner/fetch', { Entity: 'DspRtbEp', ...body });
    const reply = await want({ Id: object.Id, From: dateOf(60), To: dateOf(40) });
    assert.equal(reply.status, 200, reply.text);
    await one.run();
    assert.equal(asked[0]?.url, `/stats?from=${dateOf(60)}&to=${dateOf(40)}`);
    const bare = await addDsp({ StatsApi: '' });
    const cases: readonly (readonly [Values, string])[] = [
      [{ Id: 999_999 }, 'Id'],
      [{ Id: bare.Id }, 'Id'],
      [{ Id: object.Id, To: '2099-01-01' }, 'To'],
      [{ Id: object.Id, From: '2020-01-01', To: '2020-12-31' }, 'From'],
      [{ Id: object.Id, From: '2020-02-01', To: '2020-01-01' }, 'From'],
    ];
    for (const [body, path] of cases) assertRefused(await want(body), { status: 406, paths: [path] });
    const [analyst, stranger] = await addUsers(server, [{ role: 2, teamId: 1 }, { role: 0 }]);
    const asAnalyst = api.as(analyst?.token ?? '');
    const path = `/api/statistics/partner/get?Entity=DspRtbEp&Id=${object.Id}`;
    assert.equal((await asAnalyst.get(path)).status, 200);
    const wanted = { Entity: 'DspRtbEp', Id: object.Id };
    assertRefused(await asAnalyst.post('/api/statistics/partner/fetch', wanted), { status: 403 });
    assertRefused(await api.as(stranger?.token ?? '').get(path), { status: 406 });
    assertRefused(await api.as(stranger?.token ?? '').post('/api/statistics/partner/fetch', wanted), {
      status: 406,
    });
  });

  test('that cannot be read are shown by their first bytes, as text, and count nothing', async () => {
    const object = await addDsp();
    answer = () => rowsOf([[1, 7, '1']]);
    await one.run();
    const before = await reported(object);
    const cases: readonly (readonly [Answer, state: string, RegExp, sample: string])[] = [
      [
        { body: '<script>alert(1)</script>\u202e\u0007' },
        'unreadable',
        /HTML/,
        '<script>alert(1)</script>\\u202e\\u0007',
      ],
      [{ body: 'x'.repeat(5000) }, 'unreadable', /no column/, 'x'.repeat(300)],
      [
        { body: '[{"date":"2026-13-45","imps":1}]' },
        'unreadable',
        /date is/,
        '[{"date":"2026-13-45","imps":1}]',
      ],
      [{ status: 503, body: 'closed' }, 'failed', /answered with 503/, 'closed'],
      [{ body: ' '.repeat(2_000_000) }, 'failed', /too much/, ''],
    ];
    for (const [given, state, error, sample] of cases) {
      answer = () => given;
      nowMs += dayMs;
      await one.run();
      const shown = await stateOf(object);
      assert.equal(shown.State, state);
      assert.match(String(shown.Error), error);
      assert.equal(shown.Sample, sample);
    }
    nowMs -= cases.length * dayMs;
    assert.deepEqual(await reported(object), before, 'what was read stays');
  });

  test('that fail are asked for again after an hour; one that fails holds up no other', async () => {
    const failing = await addDsp({ StatsApi: 'http://127.0.0.1:1/' });
    const working = await addDsp();
    answer = () => rowsOf([[1, 7, '1']]);
    await one.run();
    assert.deepEqual([(await stateOf(failing)).State, (await stateOf(working)).State], ['failed', 'read']);
    const next = Date.parse(String((await stateOf(failing)).NextFetch)) - nowMs;
    assert.ok(next <= 3_600_000 && next > 0, String(next));
  });

  test('secrets go to the host of the URL alone, and stand in no answer and no log', async () => {
    const object = await addDsp({ StatsApiHeaders: 'Authorization: Bearer secret-2' });
    answer = ({ url }) =>
      url?.startsWith('/stats') ? { status: 302, location: `${elsewhere.url}/moved` } : { body: 'nothing' };
    await one.run();
    const sent = asked.map(({ url, headers }) => [url.split('?')[0], headers.authorization]);
    assert.deepEqual(sent, [
      ['/stats', 'Bearer secret-2'],
      ['/moved', undefined],
    ]);
    assert.ok(!JSON.stringify([await stateOf(object), one.logged, other.logged]).includes('secret-2'));
  });

  test('are not asked for at private addresses', async () => {
    const object = await addDsp();
    answer = () => ({ body: '[]' });
    await guarded.run();
    const { State, Error: text } = await stateOf(object);
    assert.deepEqual([State, asked.length], ['failed', 0]);
    assert.match(String(text), /does not lead to a public address/);
  });
});

describe('what a partner says of days', () => {
  /** Counts so many impressions of an object some days ago, at an hour of UTC. */
  async function count(object: Fetched, back: number, impressions: number, hour = 12): Promise<void> {
    const { Id: PublisherId } = await api.add('Publisher');
    const supply = { kind: 'VastTag', id: (await api.add('VastTag', { PublisherId })).Id };
    const pair = pairCounts(supply, { kind: 'DspRtbEp', id: object.Id }, { impressions });
    const pairs = [{ ...pair, hour: (Math.floor(nowMs / dayMs) - back) * 24 + hour }];
    await one.store.statistics.add([{ id: randomUUID(), timeMs: nowMs, pairs, addresses: [] }]);
  }
  /** Wants the last three days, by the test's clock. */
  function fetchAgain({ Id: id }: Fetched): Promise<void> {
    const toDay = Math.floor(nowMs / dayMs) - 1;
    const object = { kind: 'DspRtbEp', id, teamId: 1 };
    return one.store.reconciliation.request(object, nowMs, { fromDay: toDay - 2, toDay });
  }
  async function summed({ Id }: Fetched): Promise<Values> {
    const Measures = ['Impressions', 'PartnerImpressions', 'ReportedDays', 'MissingDays', 'Discrepancy'];
    const Filters = [{ Field: 'Demand', Operator: 'In', Values: [`DspRtbEp:${Id}`] }];
    const question = { From: dateOf(3), To: dateOf(1), Measures, Filters };
    const reply = await api.post('/api/statistics/report', question);
    assert.equal(reply.status, 200, reply.text);
    return (reply.body.Rows as readonly Values[])[0] ?? {};
  }

  for (const missing of [1, 2, 3]) {
    test(`counts as 0 where it leaves one out that is over, and is said: ${missing} days ago`, async () => {
      const object = await addDsp();
      for (const back of [1, 2, 3]) await count(object, back, 1100);
      answer = () =>
        rowsOf([1, 2, 3].flatMap((back) => (back === missing ? [] : [[back, 1001, '1'] as const])));
      await one.run();
      assert.deepEqual(await summed(object), {
        Impressions: 3300,
        PartnerImpressions: 2002,
        ReportedDays: 3,
        MissingDays: 1,
        Discrepancy: -39.333333,
      });
    });
  }

  test('is not compared while it may not have closed them', async () => {
    const object = await addDsp();
    for (const back of [1, 2, 3]) await count(object, back, 1000);
    answer = () => rowsOf([[2, 1000, '1'], [3, 1000, '1']]); // biome-ignore format: rows
    nowMs -= 3 * 3_600_000;
    await one.run();
    const open = { Impressions: 3000, PartnerImpressions: 2000, ReportedDays: 2, MissingDays: 0 };
    assert.deepEqual(await summed(object), { ...open, Discrepancy: 0 });
    nowMs += 3 * 3_600_000;
    await fetchAgain(object);
    await one.run();
    const { Discrepancy, MissingDays } = await summed(object);
    assert.deepEqual([MissingDays, Discrepancy], [1, -33.333333]);
  });

  test('is asked for, and compared, by the days of its zone', async () => {
    const StatsApi = `${partner.url}/ny?from={date_from}&to={date_to}#zone=America/New_York`;
    const object = await addDsp({ StatsApi });
    // In New York, 02:00 is of the day before; in winter as in summer.
    for (const back of [0, 1, 2, 3]) await count(object, back, 100, 2);
    nowMs += 4 * 3_600_000;
    answer = () => rowsOf([[1, 100, '1'], [2, 100, '1'], [3, 100, '1']]); // biome-ignore format: rows
    await one.run();
    assert.equal(asked[0]?.url, `/ny?from=${dateOf(3)}&to=${dateOf(1)}`);
    assert.deepEqual(await summed(object), {
      Impressions: 300,
      PartnerImpressions: 300,
      ReportedDays: 3,
      MissingDays: 0,
      Discrepancy: 0,
    });
    const nowhere = await addDsp({ StatsApi: `${partner.url}/stats#zone=Mars/Olympus` });
    asked.length = 0;
    nowMs += dayMs;
    await one.run();
    const { State, Error: text } = await stateOf(nowhere);
    assert.deepEqual([State, asked.some(({ url }) => url === '/stats')], ['unreadable', false]);
    assert.match(String(text), /zone after # in StatsApi is not in the IANA database/);
  });

  test('is read as a file of gzip and as XML; what is binary is shown as text', async () => {
    const object = await addDsp();
    const csv = () => `date,imps,spend\n${dateOf(1)},7,1.5\n`;
    const xml = () => `<stats><row><date>${dateOf(1)}</date><imps>8</imps><spend>1</spend></row></stats>`;
    const cases: readonly (readonly [body: () => string | Buffer, state: string, imps: number, says: RegExp])[] = [
      [() => gzipSync(csv()), 'read', 7, /^$/],
      [xml, 'read', 8, /^$/],
      [() => gzipSync(xml()), 'read', 8, /^$/],
      [() => gzipSync(csv()).subarray(0, 30), 'failed', 8, /invalid HTTP, or with too much/],
      [() => gzipSync('x'.repeat(3_000_000)), 'failed', 8, /too much/],
      [() => gzipSync(gzipSync(csv())), 'unreadable', 8, /binary, not text/],
      [() => Buffer.from('504b0304140000000800', 'hex'), 'unreadable', 8, /binary, not text/],
      [() => csv().replace('spend', 'spend,currency').replace('1.5', '1.5,EUR'), 'unreadable', 8, /currency is "EUR".*Ask the partner for USD/],
    ]; // biome-ignore format: a table
    for (const [body, state, imps, says] of cases) {
      answer = () => ({ body: body() });
      await fetchAgain(object);
      await one.run();
      const shown = await stateOf(object);
      assert.equal(shown.State, state, String(shown.Error));
      assert.match(String(shown.Error), says);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come
      assert.doesNotMatch(`${shown.Error}${shown.Sample}`, /[\u0000-\u0009\u000e-\u001f\ufffd]/);
      const [counted] = (await reported(object, 1)) as readonly (readonly unknown[])[];
      assert.equal(counted?.[0], imps, 'what cannot be read changes nothing');
    }
  });

  test('stays known when it says something else later', async () => {
    const object = await addDsp();
    const times: string[] = [];
    for (const [imps, spend] of [
      [1000, '10'],
      [1000, '10'],
      [900, '8.5'],
    ] as const) {
      // biome-ignore format: rows
      answer = () => rowsOf([[1, imps, spend], [2, 5, '1'], [3, 5, '1']]); // biome-ignore format: rows
      await fetchAgain(object);
      await one.run();
      times.push(new Date(nowMs).toISOString());
      nowMs += 60_000;
    }
    const path = `/api/statistics/partner/history?Entity=DspRtbEp&Id=${object.Id}`;
    const days = `&From=${dateOf(1)}&To=${dateOf(1)}`;
    const reply = await api.get(path + days);
    const day = { Day: dateOf(1), State: 'reported', Clicks: 0 };
    assert.deepEqual(reply.body as unknown, [
      { ...day, Fetched: times[2], Impressions: 900, Amount: 8.5 },
      { ...day, Fetched: times[0], Impressions: 1000, Amount: 10 },
    ]);
    assert.equal(((await api.get(`${path}&To=${dateOf(1)}`)).body as unknown as unknown[]).length, 4);
    assertRefused(await api.get(`${path}&From=yesterday`), { status: 406, paths: ['From'] });
    const [analyst, stranger] = await addUsers(server, [{ role: 2, teamId: 1 }, { role: 0 }]);
    assert.equal((await api.as(analyst?.token ?? '').get(path + days)).status, 200);
    assertRefused(await api.as(stranger?.token ?? '').get(path + days), { status: 406 });
  });
});
