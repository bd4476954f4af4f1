import assert from 'node:assert/strict';
import { after, beforeEach, suite, test } from 'node:test';
import fc from 'fast-check';
import { countries } from '../../src/reference/countries.ts';
import { eventually } from '../support/eventually.ts';
import { freshUsername, posted, type Values } from './api.ts';
import { startDealsReceiver } from './deals-receiver.ts';
import { assertRefused } from './refusals.ts';
import { dayMs, minuteMs, startSendingRoom } from './sending-room.ts';
import { addUser } from './users.ts';

const { server, api, clock, one, startProcess } = await startSendingRoom({
  // What its own worker takes meanwhile arrives, too.
  allowPrivateDemand: true,
});
const receiver = await startDealsReceiver();
after(() => receiver.close());
beforeEach(() => {
  receiver.posts.length = 0;
  receiver.answers.length = 0;
});

const secret = 'secret-of-a-buyer';
const push = (Id: number, as = api) => as.post('/api/deal/push', { Deal: { Id } });
const addDeal = (values: Values = {}) =>
  api.add('Deal', { Code: freshUsername(), Name: 'News', PushUrl: receiver.url, ...values });

async function sendingsOf(Id: number): Promise<readonly Values[]> {
  const reply = await api.get(`/api/deal/sendings?Id=${Id}`);
  assert.equal(reply.status, 200, reply.text);
  return reply.body as unknown as readonly Values[];
}

/** The last sending of a deal, once it was tried so often. */
async function tried(Id: number, attempts = 1): Promise<Values> {
  await one.run();
  await eventually(async () => {
    const [last] = await sendingsOf(Id);
    assert.ok(Number(last?.Attempts) >= attempts);
  }, 'the deal is sent');
  const [last] = await sendingsOf(Id);
  return last ?? assert.fail('nothing is sent');
}

async function sent(Id: number): Promise<Values> {
  posted(await push(Id), 'Deal');
  return tried(Id);
}

const postsOf = (code: unknown) => receiver.posts.filter(({ deal }) => deal.id === code);

const statusOf = async (Id: number) => {
  const { SellerStatus, BuyerStatus } = await api.one('Deal', Id);
  return [SellerStatus, BuyerStatus];
};

const lines = (values: readonly string[]) => values.join('\n');
const alphanumeric = fc.stringMatching(/^[A-Za-z0-9_-]{1,20}$/);
const day = fc
  .integer({ min: 0, max: 3000 })
  .map((number) => new Date(Date.UTC(2035, 0, 1 + number)).toISOString().slice(0, 10));
const drawn = fc.record(
  {
    Name: fc.string({ maxLength: 40 }).map((text) => text.replaceAll(/\p{Cc}/gu, '')),
    Description: fc.string({ maxLength: 250 }).map((text) => text.replaceAll(/\p{Cc}/gu, '')),
    Type: fc.constantFrom(1, 2, 3, 4),
    PriceType: fc.constantFrom(0, 1, 2, 3),
    Price: fc.integer({ min: 0, max: 100_000 }).map((cents) => cents / 100),
    Currency: fc.constantFrom('', 'USD', 'EUR', 'JPY'),
    Curator: fc.constantFrom('', 'curator.example'),
    CurationFeeType: fc.constantFrom(0, 1, 2, 3, 4),
    CurationFee: fc.integer({ min: 0, max: 100 }),
    Units: fc.nat(),
    TotalCost: fc.integer({ min: 0, max: 1_000_000 }),
    StartTime: fc.oneof(fc.constant(''), day.map((text) => text.replace(/^20/, '19')), fc.constant('2042-12-31T23:30')),
    EndTime: fc.oneof(fc.constant(''), day.map((text) => text.replace(/^20/, '21')), fc.constant('2044-01-31')),
    TimeZone: fc.constantFrom('', 'Asia/Kathmandu', 'America/New_York'),
    SeatListMode: fc.constantFrom(0, 1),
    SeatList: fc.array(alphanumeric, { maxLength: 3 }).map(lines),
    AdTypes: fc.subarray([1, 2, 3, 4]),
    Countries: fc.subarray(countries.slice(0, 60), { maxLength: 5 }).map((all) => all.map(({ CC }) => ({ CC }))),
  },
  { requiredKeys: [] },
); // biome-ignore format: a table

suite('a deal that is pushed', () => {
  test('is sent as the Deals API has it, with its headers, and what the buyer says is shown', async () => {
    const { Id, Code } = await addDeal({
      Description: 'News in the evening',
      Type: 4,
      PriceType: 3,
      Price: 12.5,
      Currency: 'EUR',
      Units: 1000,
      TotalCost: 12.5,
      Countries: [{ CC: 'DE' }, { CC: 'CH' }],
      StartTime: '2040-01-01T00:00',
      EndTime: '2060-06-30',
      TimeZone: 'Europe/Berlin',
      SeatListMode: 1,
      SeatList: 'seat-1\n\n seat-2 ',
      AdTypes: [2],
      Curator: 'curator.example',
      CurationFeeType: 3,
      CurationFee: 1,
      PushUrl: `${receiver.url}?key=of-the-url#1`,
      PushHeaders: `Authorization: Bearer ${secret}\nX-Seat: 7`,
    });
    receiver.answers.push((response, { id }) =>
      response.end(
        JSON.stringify({
          version: '1.0',
          id,
          buyerstatus: [{ buyerseatid: 'seat-1', status: 3 }, { status: 2 }, { status: 7 }, 'x'],
        }),
      ),
    );
    const { State, To, Attempts, Error: error, Channel } = await sent(Id);
    assert.deepEqual(
      { State, To, Attempts, error, Channel },
      { State: 'sent', To: receiver.url, Attempts: 1, error: '', Channel: 'webhook' },
    );
    const [post] = postsOf(Code);
    assert.deepEqual(post?.faults, []);
    assert.equal(post?.path, '/deals?key=of-the-url');
    assert.equal(post?.headers.authorization, `Bearer ${secret}`);
    assert.equal(post?.headers['x-seat'], '7');
    assert.equal(post?.headers['webhook-signature'], undefined);
    assert.deepEqual(post?.deal, {
      id: Code,
      name: 'News',
      sellerstatus: 0,
      origin: 'exchange.example',
      desc: 'News in the evening',
      wseat: ['seat-1', 'seat-2'],
      adtypes: [2],
      dinventory: 2,
      terms: {
        startdate: '2039-12-31T23:00:00Z',
        enddate: '2060-06-30T21:59:59Z',
        countries: ['DEU', 'CHE'],
        dealfloor: 12.5,
        cur: 'EUR',
        guar: 1,
        pricetype: 3,
        units: 1000,
        totalcost: 12.5,
      },
      curation: { curator: 'curator.example', curfeetype: 3 },
    });
    const { BuyerStatus } = await api.one('Deal', Id);
    assert.deepEqual(BuyerStatus, [
      { Seat: 'seat-1', Status: 3, StatusString: 'Ready to serve' },
      { Seat: '', Status: 2, StatusString: 'Rejected' },
    ]);
  });

  test('is valid by the tables of the Deals API, whatever its settings', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(drawn, async (values) => {
        const reply = await api.post('/api/deal/add', {
          Deal: { Code: freshUsername(), PushUrl: receiver.url, ...values },
        });
        const { Id, Code } = posted(reply, 'Deal');
        const { State, Error: error } = await sent(Id);
        const chosen = (values.Countries ?? []) as readonly { CC: string }[];
        const isNowhere = chosen.length > 0 && chosen.every(({ CC }) => /^(A[12P]|EU|O1)$/.test(CC));
        assert.equal(State, isNowhere ? 'failed' : 'sent', String(error));
        assert.deepEqual(postsOf(Code).map(({ faults }) => faults), isNowhere ? [] : [[]]); // biome-ignore format: one line
      }),
      { numRuns: 40 },
    );
  });

  test('keeps its state by the codes of the Deals API', async () => {
    const nowMs = Date.now();
    const time = (days: number) => new Date(nowMs + days * dayMs).toISOString().slice(0, 19).concat('Z');
    const rows: readonly (readonly [what: string, values: Values, isInactive: boolean, status: number])[] = [
      ['without times', {}, false, 0],
      ['under way', { StartTime: time(-1), EndTime: time(1) }, false, 0],
      ['inactive', { EndTime: time(1) }, true, 1],
      ['before its start', { StartTime: time(1) }, false, 2],
      ['after its end', { EndTime: time(-1) }, false, 3],
      ['inactive after its end', { EndTime: time(-1) }, true, 4],
    ];
    for (const [what, values, isInactive, status] of rows) {
      const added = await addDeal(values);
      const { Id } = added;
      if (!isInactive) assert.equal(added.SellerStatus, status, what);
      if (isInactive) posted(await api.post('/api/deal/deactivate', { Deal: { Id } }), 'Deal');
      assert.equal((await api.one('Deal', Id)).SellerStatus, status, what);
      for (const query of ['', '?Fields=Id,SellerStatus', '?Sort=SellerStatus']) {
        const row = (await api.all('Deal', query)).find((deal) => deal.Id === Id);
        assert.equal(row?.SellerStatus, status, `${what} ${query}`);
      }
    }
  });

  test('stays archived once a buyer was told so', async () => {
    const { Id, Code } = await addDeal({ EndTime: '2020-01-31' });
    posted(await api.post('/api/deal/deactivate', { Deal: { Id } }), 'Deal');
    await sent(Id);
    assert.equal(postsOf(Code).at(-1)?.deal.sellerstatus, 4);
    posted(await api.post('/api/deal/activate', { Deal: { Id } }), 'Deal');
    await api.update('Deal', { Id, EndTime: '' });
    assert.equal((await statusOf(Id))[0], 4);
    clock.nowMs += minuteMs;
    await sent(Id);
    assert.equal(postsOf(Code).at(-1)?.deal.sellerstatus, 4);
  });

  const failures: readonly (readonly [
    what: string,
    answer: Parameters<(typeof receiver.answers)['push']>[0],
    error: RegExp,
  ])[] = [
    ['an error', (response) => response.writeHead(500).end(), /answered 500/],
    ['a redirect', (response) => response.writeHead(307, { location: '/there' }).end(), /redirects are not followed/],
    ['a cut connection', (response) => response.destroy(), /could not be reached|invalid HTTP/],
    ['a huge answer', (response) => response.end('x'.repeat(200_000)), /with too much/],
  ]; // biome-ignore format: a table
  for (const [what, answer, error] of failures) {
    test(`is sent again after ${what}, as it is then`, async () => {
      const { Id, Code } = await addDeal({ PushHeaders: `X-Key: ${secret}` });
      receiver.answers.push(answer);
      const first = await sent(Id);
      assert.deepEqual([first.State, first.Attempts], ['waiting', 1]);
      assert.match(String(first.Error), error);
      assert.deepEqual((await statusOf(Id))[1], []);
      await api.update('Deal', { Id, Name: 'Renamed meanwhile' });
      clock.nowMs += 2 * minuteMs;
      const again = await tried(Id, 2);
      assert.deepEqual([again.State, again.Attempts, again.Error], ['sent', 2, '']);
      assert.equal(postsOf(Code).at(-1)?.deal.name, 'Renamed meanwhile');
      assert.deepEqual((await statusOf(Id))[1], [
        { Seat: 'seat-1', Status: 0, StatusString: 'Pending approval' },
      ]);
    });
  }

  const odd: readonly (readonly [what: string, body: string, error: RegExp])[] = [
    ['nothing', '', /^$/],
    ['no JSON', `<p>${secret}</p>`, /arrived, but its answer is not a BuyerSeat/],
    ['another deal', '{"version":"1.0","id":"other"}', /arrived, but its answer is about another deal/],
  ];
  for (const [what, body, error] of odd) {
    test(`has arrived if the buyer answers with ${what}, and keeps what it said before`, async () => {
      const { Id } = await addDeal();
      await sent(Id);
      clock.nowMs += minuteMs;
      receiver.answers.push((response) => response.end(body));
      const last = await sent(Id);
      assert.deepEqual([last.State, last.Attempts], ['sent', 1]);
      assert.match(String(last.Error), error);
      assert.doesNotMatch(String(last.Error), new RegExp(secret));
      assert.equal(((await statusOf(Id))[1] as readonly unknown[]).length, 1);
    });
  }

  test('is not sent to a private address', async () => {
    const { Id, Code } = await addDeal();
    const guarded = await startProcess({
      allowPrivateDemand: false,
      smtpUrl: undefined,
      mailFrom: undefined,
    });
    posted(await push(Id), 'Deal');
    await guarded.run();
    const [last] = await sendingsOf(Id);
    assert.equal(last?.State, 'waiting');
    assert.match(String(last?.Error), /does not lead to a public address/);
    assert.deepEqual(postsOf(Code), []);
  });

  test('that is no longer sent there is given up', async () => {
    const { Id, Code } = await addDeal();
    posted(await push(Id), 'Deal');
    await api.update('Deal', { Id, PushUrl: '' });
    const last = await tried(Id);
    assert.deepEqual([last.State, last.Error], ['failed', 'the deal is no longer sent there']);
    assert.deepEqual(postsOf(Code), []);
  });
});

suite('a push', () => {
  test('needs a URL without credentials, a deal of the team, and the right to write', async () => {
    const { Id } = await addDeal();
    const without = await api.add('Deal');
    assertRefused(await push(without.Id), { status: 406, paths: ['Deal.PushUrl'], says: ['is empty'] });
    assertRefused(await push(999_999), { status: 406, paths: ['Deal.Id'] });
    const url = 'https://user:pass@dsp.example/';
    const refused = { status: 406, paths: ['Deal.PushUrl'], says: ['PushHeaders'] };
    assertRefused(await api.post('/api/deal/update', { Deal: { Id, PushUrl: url } }), refused);
    const analyst = await addUser(server, { role: 2, teamId: 1 });
    assert.equal((await push(Id, api.as(analyst.token))).status, 403);
    const outsider = await addUser(server, { role: 0 });
    assertRefused(await push(Id, api.as(outsider.token)), { status: 406, paths: ['Deal.Id'] });
    assert.equal((await api.as(outsider.token).get(`/api/deal/sendings?Id=${Id}`)).status, 406);
    assert.deepEqual(await sendingsOf(Id), []);
  });

  test('that is only tried sends nothing, and one that is repeated by its key is one', async () => {
    const { Id } = await addDeal();
    const body = JSON.stringify({ Deal: { Id } });
    const post = (query: string, headers = {}) =>
      api.send(`/api/deal/push${query}`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', ...headers },
      });
    assert.equal((await post('?DryRun=1')).status, 200);
    assert.deepEqual(await sendingsOf(Id), []);
    const key = { 'idempotency-key': freshUsername() };
    assert.equal((await post('', key)).status, 200);
    assert.equal((await post('', key)).status, 200);
    assert.equal((await sendingsOf(Id)).length, 1);
  });
});

test('no answer shows the headers of a deal, and who leaves them out keeps them', async () => {
  const { Id, Code } = await addDeal({ PushHeaders: `X-Key: ${secret}` });
  const user = await api.one('Deal', Id);
  await api.update('Deal', user);
  await sent(Id);
  assert.equal(postsOf(Code).at(-1)?.headers['x-key'], secret);
  const paths = [
    `deal/get?Id=${Id}`,
    'deal/get',
    'deal/get?Fields=Id,Code',
    `deal/get?Id=${Id}&AsOf=${new Date().toISOString()}`,
    `deal/sendings?Id=${Id}`,
    `history/get?Entity=Deal&Id=${Id}`,
    `search?Query=${secret}`,
    'config/export',
  ];
  for (const path of paths) {
    const reply = await api.get(`/api/${path}`);
    assert.doesNotMatch(reply.text.replaceAll(`search?Query=${secret}`, ''), new RegExp(secret), path);
  }
  assert.equal((await api.get('/api/deal/get?Fields=PushHeaders')).status, 406);
  assert.equal((await api.get(`/api/deal/get?Filter=PushHeaders:${secret}`)).status, 406);
  const batch = await api.post('/api/batch', {
    Changes: [{ Entity: 'Deal', Operation: 'update', Object: { Id, Code, PushHeaders: `X-Key: ${secret}` } }],
  });
  assert.doesNotMatch(batch.text, new RegExp(secret));
  assert.ok(!('PushHeaders' in user));
});
