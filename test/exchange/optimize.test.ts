import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Bidder, startBidder } from './bidder.ts';
import { type Stored, type Values, zoneUrl } from './exchange-room.ts';
import { bannerImp, openRtbRoom, post, type RtbRoom, requestOf } from './rtb-room.ts';

let room: RtbRoom;
let pays: Bidder;
let doesNot: Bidder;
before(async () => {
  room = await openRtbRoom();
  pays = await startBidder(() => ({ adm: '<p>a</p>', w: 300, h: 250, price: 3 }));
  doesNot = await startBidder(() => undefined);
});
after(async () => {
  await room.close();
  await Promise.all([pays.close(), doesNot.close()]);
});

interface Candidate extends Values {
  readonly Id: number;
  readonly Rule: string;
  readonly Outcome: string;
  readonly Field: string;
  readonly Met: unknown;
}

/** An endpoint with a campaign, a DSP that always bids and one that never does. */
async function connected(values: Values, ofDsp: Values = {}) {
  const campaign = await room.campaign({ Type: 2, Cpm: 0.01, Width: 300, Height: 250, AutoOptimize: 1 });
  const dsp = (one: Bidder) => room.dsp({ ZoneUrlUsEast: `${one.url}/bid`, BannerEnabled: 1, ...ofDsp });
  const [good, bad] = [await dsp(pays), await dsp(doesNot)];
  const endpoint = await room.endpoint({ ...values, DspRtbEps: [good.Id, bad.Id], Campaigns: [campaign.Id] });
  await room.served();
  const ask = async (times: number) => {
    for (let time = 0; time < times; time += 1) await post(zoneUrl(endpoint), requestOf([bannerImp]));
  };
  /** Asks until it is clear that who has never bid won't bring much by a single bid, either. */
  const learn = () => Promise.all(Array.from({ length: 10 }, () => ask(200)));
  return { endpoint, campaign, good, bad, ask, learn };
}

const explained = async (endpoint: Stored) =>
  (await room.call('exchange/explain', { RtbEp: { Id: endpoint.Id } })).Candidates as readonly Candidate[];

describe('AutoOptimize', () => {
  let shaped: Awaited<ReturnType<typeof connected>>;

  test('saves calls to who never bids, of the endpoint, and explains it; tests ask all the same', async () => {
    shaped = await connected({ AutoOptimize: 1 });
    const { endpoint, campaign, good, bad, ask, learn } = shaped;
    await learn();
    const before = [pays.requests.length, doesNot.requests.length];
    await ask(100);
    assert.equal(pays.requests.length - (before[0] ?? 0), 100);
    const askedAgain = doesNot.requests.length - (before[1] ?? 0);
    assert.ok(askedAgain < 40, `${askedAgain} calls of 100`);

    const seen = doesNot.requests.length;
    const candidates = await explained(endpoint);
    const byId = new Map(candidates.map((one) => [`${one.Entity} ${one.Id}`, one]));
    assert.equal(byId.get(`DspRtbEp ${good.Id}`)?.Outcome, 'asked');
    assert.notEqual(byId.get(`Campaign ${campaign.Id}`)?.Rule, 'not_worth_asking');
    const refused = byId.get(`DspRtbEp ${bad.Id}`);
    assert.equal(refused?.Rule, 'not_worth_asking');
    assert.equal(refused?.Field, 'AutoOptimize');
    const { ExpectedValue, ExploredShare } = (refused?.Met ?? {}) as Record<string, number>;
    assert.equal(ExploredShare, 0.07);
    assert.ok(ExpectedValue !== undefined && ExpectedValue < Number(refused?.Wanted));
    assert.equal(doesNot.requests.length, seen, 'an explanation asks nobody');

    const held = (await room.call(
      'exchange/auctions?Reason=not_worth_asking',
    )) as unknown as readonly Values[];
    assert.ok(held.every(({ Entity, Id }) => Entity === 'RtbEp' && Id === endpoint.Id) && held.length > 0);
    const { Calls } = await room.call('exchange/test/run', { Entity: 'RtbEp', Id: endpoint.Id });
    assert.equal((Calls as readonly Values[]).length, 2);
  });

  test('holds for a demand object alone, too, and for nobody where nobody asks for it', async () => {
    const cases = [
      { values: {}, ofDsp: { AutoOptimize: 1 }, isSaved: true },
      { values: {}, ofDsp: {}, isSaved: false },
    ];
    for (const { values, ofDsp, isSaved } of cases) {
      const { ask, learn } = await connected(values, ofDsp);
      await learn();
      const before = doesNot.requests.length;
      await ask(50);
      const asked = doesNot.requests.length - before;
      assert.ok(isSaved ? asked < 25 : asked === 50, `${asked} calls of 50`);
    }
  });

  test('counts what it saves, by pair and in reports, and refuses nothing for good', async () => {
    const { bad } = shaped;
    const today = new Date().toISOString().slice(0, 10);
    const measured = () =>
      room.call('statistics/report', {
        From: today,
        To: today,
        GroupBy: ['Demand'],
        Measures: ['SavedCalls', 'RevenueAtRisk', 'Calls'],
        Filters: [{ Field: 'Demand', Operator: 'In', Values: [`DspRtbEp:${bad.Id}`] }],
      });
    const rowOf = async () => ((await measured()).Rows as readonly Record<string, number>[])[0];
    let row = await rowOf();
    while (Number(row?.SavedCalls ?? 0) + Number(row?.Calls ?? 0) < 2100) row = await rowOf();
    assert.ok(Number(row?.SavedCalls) > 60 && Number(row?.RevenueAtRisk) >= 0, JSON.stringify(row));
    assert.equal(Number(row?.SavedCalls) + Number(row?.Calls), 2100);
  });

  test('leaves out nobody who is offered a deal that names it', async () => {
    const { endpoint, bad, ask } = shaped;
    const calls = async () => {
      await room.served();
      const before = doesNot.requests.length;
      await ask(20);
      return doesNot.requests.length - before;
    };
    await room.add('deal', { Code: 'for-all', RtbEps: [endpoint.Id] });
    assert.ok((await calls()) < 15);
    await room.add('deal', { Code: 'for-one', RtbEps: [endpoint.Id], DspRtbEps: [bad.Id] });
    assert.equal(await calls(), 20);
  });
});
