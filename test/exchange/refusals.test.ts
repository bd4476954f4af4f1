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

before(async () => {
  room = await openRtbRoom();
  dsp = await startMockDsp();
  for (const { name, values = {}, bids = [], status = bids.length > 0 ? 200 : 204, adomain } of cases) {
    const path = `/${name.replaceAll(' ', '-')}`;
    dsp.answer(path, ({ body }) => {
      const { id } = JSON.parse(body) as Values;
      const dealid = `deal of ${name}`;
      const bid = bids.map((price, index) => ({
        dealid,
        ...{ id: String(index), impid: '1', price, adm: '<p>x</p>', adomain: [adomain ?? 'fine.example'] },
      }));
      return { status, body: status === 200 ? JSON.stringify({ id, seatbid: [{ bid }] }) : '' };
    });
    demand.set(name, await room.dsp({ Name: name, ZoneUrlUsEast: `${dsp.url}${path}`, ...values }));
  }
  const DspRtbEps = [...demand.values()].map(({ Id }) => Id);
  rtbEp = await room.endpoint({
    ...{ DspRtbEps, AdDomainsBrandsBlacklist: 'blocked.example', Countries: [{ CC: 'DE' }] },
  });
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
    ...{ method: 'POST', body: JSON.stringify({ From, To, Measures: ['Refusals', 'LostValue'], ...more }) },
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
        ...[Reason, auctions * count, usd(auctions * lost)],
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
  assert.deepEqual(rows, [{ Deal: 'deal of winner', Wins: auctions }]);
});
