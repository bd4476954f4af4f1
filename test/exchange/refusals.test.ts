import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type Stored, type Values, zoneUrl } from './exchange-room.ts';
import { type MockDsp, startMockDsp } from './mock-dsp.ts';
import { bannerImp, openRtbRoom, post, type RtbRoom, requestOf } from './rtb-room.ts';

let room: RtbRoom;
let dsp: MockDsp;
let rtbEp: Stored;
/** Demand objects by name; each is refused for another reason, but the one that wins. */
const demand = new Map<string, Stored>();

const imp = { ...bannerImp, bidfloor: 1 };
const auctions = 3;
/** The UTC day of the auctions, which may end while they are held. */
let days: readonly [string, string];
const today = () => new Date().toISOString().slice(0, 10);

interface Case {
  readonly name: string;
  readonly values?: Values;
  /** Prices of the bids that it answers with; none = 204. */
  readonly bids?: readonly number[];
  readonly status?: number;
  readonly adomain?: string;
  /** Refusals of an auction, with their lost value: the price of a CPM. */
  readonly refused: Readonly<Record<string, readonly [count: number, lostCpm: number]>>;
}

const cases: readonly Case[] = [
  { name: 'inactive', refused: { inactive: [1, 0] } },
  { name: 'country', values: { Countries: [{ CC: 'FR' }] }, refused: { country_not_targeted: [1, 0] } },
  { name: 'floor', values: { MaxBidfloor: 0.5 }, refused: { floor_above_maximum: [1, 0] } },
  { name: 'both', values: { MaxBidfloor: 0.5, Countries: [{ CC: 'FR' }] }, refused: { country_not_targeted: [1, 0] } },
  { name: 'silent', refused: { no_bid: [1, 0] } },
  { name: 'broken', status: 500, refused: { invalid_response: [1, 0] } },
  { name: 'cheap', bids: [0.5], refused: { below_floor: [1, 0.5] } },
  { name: 'blocked', bids: [7], adomain: 'blocked.example', refused: { domain_blocked: [1, 7] } },
  { name: 'second', bids: [2], refused: { lost: [1, 2] } },
  { name: 'two bids', bids: [3, 1.5], refused: { lost: [2, 3] } },
  { name: 'without a price', bids: [0], refused: { invalid_price: [1, 0] } },
  { name: 'winner', bids: [5], refused: {} },
]; // biome-ignore format: a table

const underDeal: readonly string[] = ['winner', 'second', 'two bids'];

before(async () => {
  room = await openRtbRoom();
  dsp = await startMockDsp();
  for (const { name, values = {}, bids = [], status = bids.length > 0 ? 200 : 204, adomain } of cases) {
    const path = `/${name.replaceAll(' ', '-')}`;
    dsp.answer(path, ({ body }) => {
      const { id } = JSON.parse(body) as Values;
      const dealid = underDeal.includes(name) ? 'the deal' : undefined;
      const bid = bids.map((price, index) => ({
        dealid,
        id: String(index),
        impid: '1',
        price,
        adm: '<p>x</p>',
        adomain: [adomain ?? 'fine.example'],
      }));
      return { status, body: status === 200 ? JSON.stringify({ id, seatbid: [{ bid }] }) : '' };
    });
    demand.set(name, await room.dsp({ Name: name, ZoneUrlUsEast: `${dsp.url}${path}`, ...values }));
  }
  const DspRtbEps = [...demand.values()].map(({ Id }) => Id);
  rtbEp = await room.endpoint({
    DspRtbEps,
    AdDomainsBrandsBlacklist: 'blocked.example',
    Countries: [{ CC: 'DE' }],
  });
  await room.add('deal', { Code: 'the deal', PriceType: 1, Price: 1 });
  await room.call('ortb/dsprtbep/deactivate', { DspRtbEp: { Id: demand.get('inactive')?.Id } });
  await room.served();
  const begun = today();
  for (let time = 0; time < auctions; time += 1) {
    const answer = await post(zoneUrl(rtbEp), requestOf([imp]));
    assert.equal(answer.bids.length, 1, JSON.stringify(answer.body));
    await fetch(answer.bids[0]?.nurl ?? '');
  }
  const elsewhere = { device: { ip: '203.0.113.7', geo: { country: 'USA' } } };
  await post(zoneUrl(rtbEp), requestOf([imp, imp], elsewhere));
  assert.equal((await post(zoneUrl(rtbEp), '{"id":"1"}')).status, 400);
  days = [begun, today()];
});
after(async () => {
  await dsp.close();
  await room.close();
});

async function rowsOf(more: object): Promise<readonly Values[]> {
  const [From, To] = days;
  const response = await fetch(`${room.server.url}/api/statistics/report`, {
    method: 'POST',
    body: JSON.stringify({ From, To, Measures: ['Refusals', 'LostValue'], ...more }),
    headers: { authorization: `Bearer ${room.server.token}` },
  });
  const answer = (await response.json()) as { Rows: readonly Values[] };
  assert.equal(response.status, 200, JSON.stringify(answer));
  return answer.Rows;
}

/** The rows of a question, once everything has been counted. */
async function settled(more: object, isWhole: (rows: readonly Values[]) => boolean) {
  for (;;) {
    const rows = await rowsOf(more);
    if (isWhole(rows)) return rows;
    await delay(20);
  }
}

const usd = (cpm: number) => Math.round(cpm * 1e6) / 1e9;
const perAuction = cases
  .flatMap(({ refused }) => Object.values(refused))
  .reduce((sum, [count]) => sum + count, 0);
/** Two impressions from elsewhere, and a body that is no bid request. */
const ofSupply = 3;
const everything = auctions * perAuction + ofSupply;
const total = (rows: readonly Values[]) => rows.reduce((sum, { Refusals }) => sum + Number(Refusals), 0);

describe('each demand object that does not win is counted once, by why it was refused', () => {
  test('and whatever is grouped by, all refusals are there', async () => {
    for (const GroupBy of [
      [],
      ['Reason'],
      ['Supply'],
      ['Demand'],
      ['Hour', 'Reason'],
      ['Supply', 'Demand', 'Reason'],
    ]) {
      const rows = await settled({ GroupBy }, (found) => total(found) >= everything);
      assert.equal(total(rows), everything, GroupBy.join());
    }
  });

  for (const { name, refused } of cases) {
    test(name, async () => {
      const Id = demand.get(name)?.Id ?? assert.fail();
      await settled({}, (found) => total(found) >= everything);
      const Filters = [{ Field: 'Demand', Operator: 'In', Values: [`DspRtbEp:${Id}`] }];
      const rows = await rowsOf({ GroupBy: ['Reason'], Filters });
      const wanted = Object.entries(refused).map(([Reason, [count, lost]]) => [
        Reason,
        auctions * count,
        usd(auctions * lost),
      ]);
      assert.deepEqual(
        rows.map(({ Reason, Refusals, LostValue }) => [Reason, Refusals, LostValue]),
        wanted,
      );
      for (const { ReasonHelp } of rows) assert.match(String(ReasonHelp), /\w+/);
    });
  }

  test('what ends an auction before demand is looked at has none', async () => {
    await settled({}, (found) => total(found) >= everything);
    const of = (Operator: string) => [{ Field: 'DemandKind', Operator, Values: [''] }];
    const told = (rows: readonly Values[]) => rows.map(({ Reason, Refusals }) => [Reason, Refusals]);
    assert.deepEqual(told(await rowsOf({ GroupBy: ['Reason'], Filters: of('In') })), [
      ['country_not_targeted', 2],
      ['invalid_request', 1],
    ]);
    const others = await rowsOf({ GroupBy: ['Reason'], Filters: of('NotIn') });
    assert.equal(total(others), auctions * perAuction);
  });
});

test('answers are counted by how long they took', async () => {
  await settled({}, (found) => total(found) >= everything);
  const Measures = ['Calls', 'Answers', 'NoBids', 'LatencyP50', 'LatencyP99'];
  const rows = await rowsOf({ GroupBy: ['Demand'], Measures });
  const called = cases.filter(
    ({ refused }) => !/not_targeted|inactive|floor_above/.test(Object.keys(refused).join()),
  );
  assert.deepEqual(
    rows.map(({ DemandName, Calls }) => [DemandName, Calls]),
    called.map(({ name }) => [name, auctions]),
  );
  for (const { DemandName, LatencyP50, LatencyP99 } of rows) {
    assert.ok(Number(LatencyP50) > 0 && Number(LatencyP50) <= Number(LatencyP99), String(DemandName));
  }
});

test('a win counts for the deal of its bid', async () => {
  const rows = await settled({ GroupBy: ['Deal'], Measures: ['Wins'] }, (found) =>
    found.some(({ Wins }) => Wins === auctions),
  );
  assert.deepEqual(rows, [{ Deal: 'the deal', Wins: auctions }]);
});

describe('GET /api/health/get', () => {
  const healthOf = async (query: string, status = 200) => {
    const response = await fetch(`${room.server.url}/api/health/get?${query}`, {
      headers: { authorization: `Bearer ${room.server.token}` },
    });
    const answer = await response.json();
    assert.equal(response.status, status, JSON.stringify(answer));
    return answer as readonly Values[];
  };
  const idOf = (name: string) => demand.get(name)?.Id ?? assert.fail();
  const healthOfDemand = async (name: string) =>
    (await healthOf(`Entity=DspRtbEp&Ids=${idOf(name)}`))[0] ?? {};
  const reasonsOf = (list: unknown) => (list as readonly Values[]).map(({ Reason }) => Reason);

  test('tells of each demand object what it had, in the order of IDs', async () => {
    await settled({}, (found) => total(found) >= everything);
    const all = await healthOf('Entity=DspRtbEp');
    assert.deepEqual(
      all.map(({ Name }) => Name),
      cases.map(({ name }) => name),
    );
    for (const { name, refused } of cases) {
      const { Refusals, LastRequest, Calls } = all.find(({ Name }) => Name === name) ?? {};
      assert.deepEqual(reasonsOf(Refusals), Object.keys(refused), name);
      assert.equal(LastRequest !== null, Calls !== 0, name);
    }
    const told = await healthOf(`Entity=DspRtbEp&Ids=${idOf('winner')},${idOf('cheap')}`);
    assert.deepEqual(
      told.map(({ Name, Bids, BidValue, State }) => [Name, Bids, BidValue, State]),
      [
        ['cheap', auctions, usd(auctions * 0.5), 'ok'],
        ['winner', auctions, usd(auctions * 5), 'ok'],
      ],
    );
  });

  test('its state is the worst that is true', async () => {
    assert.equal((await healthOfDemand('inactive')).State, 'inactive');
    assert.equal((await healthOfDemand('country')).State, 'idle');
    const limited = await room.dsp({ Name: 'limited', ZoneUrlUsEast: `${dsp.url}/none`, MaxQps: 1 });
    await room.served();
    assert.equal(
      (await healthOf(`Entity=DspRtbEp&Ids=${limited.Id}`))[0]?.State,
      'not_ready',
      'it is not connected',
    );
  });

  test('has the last faulty answer as it came, cut', async () => {
    const { LastFault } = await healthOfDemand('blocked');
    const { Reason, Markup, HttpStatus, IsCut } = LastFault as Values;
    assert.deepEqual([Reason, Markup, HttpStatus, IsCut], ['domain_blocked', '<p>x</p>', 200, 0]);
    assert.equal((await healthOfDemand('cheap')).LastFault, null, 'a price is no fault');
    const long = `<!-- ${'é'.repeat(5000)} -->`;
    dsp.answer('/broken', () => ({ status: 200, body: long }));
    // A fault is remembered once a second.
    for (;;) {
      await post(zoneUrl(rtbEp), requestOf([imp]));
      const { Markup: cut, IsCut: flag } = (await healthOfDemand('broken')).LastFault as Values;
      if (flag === 1) {
        assert.equal(cut, long.slice(0, 4096));
        break;
      }
      await delay(50);
    }
  });

  test('a partner that fails is paused until then, and why', async () => {
    dsp.answer('/silent', () => ({ status: 503, body: '' }));
    for (;;) {
      await post(zoneUrl(rtbEp), requestOf([imp]));
      const { State, Reasons, Paused } = await healthOfDemand('silent');
      if (State !== 'paused') continue;
      assert.deepEqual(reasonsOf(Reasons), ['invalid_response']);
      const { Until, Reason, Threads, OfThreads } = Paused as Values;
      assert.ok(Date.parse(String(Until)) > Date.now() - 60_000, String(Until));
      assert.deepEqual([Reason, Threads, OfThreads], ['invalid_response', 1, 1]);
      return;
    }
  });

  test('tells of supply what ended its auctions before demand, and how much was filled', async () => {
    const [told = {}] = await healthOf('Entity=RtbEp');
    assert.deepEqual(
      [told.Id, told.State, reasonsOf(told.Refusals), told.Paused],
      [rtbEp.Id, 'ok', ['country_not_targeted', 'invalid_request'], undefined],
    );
    assert.ok(Number(told.Requests) >= auctions && told.LastRequest !== null);
  });

  test('of what it cannot tell, it says why', async () => {
    for (const [query, path] of [
      ['Entity=Publisher', 'Entity'],
      ['', 'Entity'],
      ['Entity=DspRtbEp&Ids=999999', 'Ids'],
      ['Entity=DspRtbEp&Ids=x', 'Ids'],
    ] as const) {
      const { Errors } = (await healthOf(query, 406)) as unknown as { Errors: readonly Values[] };
      assert.equal(Errors[0]?.Path, path, query);
    }
  });
});

test('sampled auctions are found by why they, or demand in them, were refused', async () => {
  const found = async (query: string) =>
    (await room.call(`exchange/auctions?${query}`)) as unknown as readonly Values[];
  const id = demand.get('blocked')?.Id;
  const rulesOf = (held: readonly Values[]) =>
    held.map(({ Candidates }) => (Candidates as readonly Values[]).find(({ Id }) => Id === id)?.Rule);
  const blocked = await found(`RtbEp=${rtbEp.Id}&DspRtbEp=${id}&Reason=domain_blocked`);
  assert.ok(blocked.length > 0 && rulesOf(blocked).every((rule) => rule === 'domain_blocked'));
  assert.deepEqual(await found(`DspRtbEp=${id}&Reason=below_floor`), []);
  assert.ok((await found('Reason=below_floor')).length > 0);
});
