import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { ExplainedDeal, Explanation, HeldAuction } from '../../src/answers/explanation.ts';
import { ratesRead, today, writeRates } from '../support/rates.ts';
import { type Stored, type Values, zoneUrl } from './exchange-room.ts';
import { type MockDsp, startMockDsp } from './mock-dsp.ts';
import { openRtbRoom, post, type RtbRoom, requestOf } from './rtb-room.ts';

type Row = readonly [code: string, deal: Values, expected: readonly [rule: string, field: string]];

const oldTime = '2020-01-01T00:00:00Z';
const offered = ['', ''] as const;
const video = { mimes: ['video/mp4'], w: 640, h: 360 };

suite('deals in explanations', () => {
  const folder = mkdtempSync(join(tmpdir(), 'explained-deals-'));
  let room: RtbRoom;
  let dsp: MockDsp;
  let endpoint: Stored;
  let bidder: Stored;
  let refused: Stored;
  let stranger: Stored;

  before(async () => {
    room = await openRtbRoom(undefined, { ratesFile: writeRates(folder, today()) });
    dsp = await startMockDsp();
    await ratesRead(room.server.url);
    dsp.answer('/none', () => ({ status: 204, body: '' }));
    const ZoneUrlUsEast = `${dsp.url}/none`;
    [bidder, stranger] = [await room.dsp({ ZoneUrlUsEast }), await room.dsp({ ZoneUrlUsEast })];
    refused = await room.dsp({ ZoneUrlUsEast, Countries: [{ CC: 'NO' }] });
    endpoint = await room.endpoint({ DspRtbEps: [bidder.Id, refused.Id] });
  });
  after(async () => {
    await dsp.close();
    await room.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const rows = (): readonly Row[] => [
    ['open', { Priority: 1, Currency: 'EUR', Price: 2 }, offered],
    ['ended', { EndTime: oldTime }, ['out_of_flight', 'EndTime']],
    ['future', { StartTime: '2999-01-01T00:00:00Z' }, ['out_of_flight', 'StartTime']],
    ['closed', { Hours: '0'.repeat(168) }, ['outside_hours', 'Hours']],
    ['country', { Countries: [{ CC: 'NO' }] }, ['country_not_targeted', 'Countries']],
    ['audio', { AdTypes: [3] }, ['media_not_enabled', 'AdTypes']],
    ['no-rate', { Currency: 'GBP' }, ['currency_not_accepted', 'Currency']],
    ['upstream', { UpstreamCode: 'A' }, ['upstream_deal_missing', 'UpstreamCode']],
    ['upstream-rate', { UpstreamCode: 'B' }, ['currency_not_accepted', 'bidfloorcur']],
    [
      'upstream-seat',
      { UpstreamCode: 'C', SeatListMode: 1, SeatList: 'a' },
      ['seat_not_in_deal', 'SeatList'],
    ],
    ['not-connected', { DspRtbEps: [stranger.Id] }, ['deal_without_buyer', 'DspRtbEps']],
    ['not-called', { DspRtbEps: [refused.Id] }, ['deal_without_buyer', 'DspRtbEps']],
    ['inactive', { Countries: [{ CC: 'NO' }] }, ['inactive', 'Status']],
  ];
  const imp = {
    video,
    pmp: {
      deals: [
        { id: 'B', bidfloor: 1, bidfloorcur: 'GBP' },
        { id: 'C', wseat: ['b'] },
      ],
    },
  };

  test('each deal for a supply object is named with why it is not offered', async () => {
    const added = new Map<string, Stored>();
    for (const [Code, values] of rows())
      added.set(Code, await room.add('deal', { Code, RtbEps: [endpoint.Id], ...values }));
    await room.add('deal', { Code: 'of-other-supply', VastTags: [(await room.add('ortb/vasttag')).Id] });
    await room.call('deal/deactivate', { Deal: { Id: added.get('inactive')?.Id } });
    await room.served();
    const asked = {
      RtbEp: { Id: endpoint.Id },
      Request: { OpenRtb: requestOf([imp]) },
    };
    const told = (await room.call('exchange/explain', asked)) as unknown as Explanation;
    const found = new Map(told.Deals.map((deal) => [deal.Code, deal]));
    assert.deepEqual([...found.keys()].toSorted(), [...added.keys()].toSorted());
    for (const [Code, , [rule, field]] of rows()) {
      const { Id, Outcome, Rule, Field } = found.get(Code) as ExplainedDeal;
      const outcome = rule === '' ? 'offered' : 'refused';
      assert.deepEqual([Id, Outcome, Rule, Field], [added.get(Code)?.Id, outcome, rule, field], Code);
    }
    const refusals = found.get('inactive')?.Refusals.map(({ Rule }) => Rule);
    assert.deepEqual(refusals, ['inactive', 'country_not_targeted']);
    const [notCalled, open] = [found.get('not-called'), added.get('open')];
    assert.deepEqual([notCalled?.Wanted, notCalled?.Met], ['called', ['country_not_targeted']]);
    const candidate = told.Candidates.find(({ Id }) => Id === bidder.Id);
    const foreign = { Currency: 'EUR', Cpm: 2, Rate: 1.0857 };
    const offers = [{ Id: open?.Id, Code: 'open', Bidfloor: 2.1714, ForeignBidfloor: foreign }];
    assert.deepEqual(candidate?.Deals, offers);
  });

  test('a sampled auction shows which deals each candidate was offered', async () => {
    await post(zoneUrl(endpoint), requestOf([imp]));
    const [held] = (await room.call(
      `exchange/auctions?RtbEp=${endpoint.Id}`,
    )) as unknown as readonly HeldAuction[];
    const codes = held?.Candidates.map(({ Id, Deals }) => [Id, Deals.map(({ Code }) => Code)]);
    assert.deepEqual(codes, [
      [bidder.Id, ['open']],
      [refused.Id, []],
    ]);
  });
});
