import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Stored, type Values, zoneUrl } from './exchange-room.ts';
import { type MockDsp, startMockDsp } from './mock-dsp.ts';
import { bannerImp, openRtbRoom, post, type RtbRoom, requestOf } from './rtb-room.ts';

const auctions = 60;
const measures = ['Calls', 'Errors', 'PausedCalls', 'CallAttempts', 'TimeoutRate', 'UnavailableRate'];

let room: RtbRoom;
let partner: MockDsp;
let endpoint: Stored;
let dead: Stored;
let well: Stored;
before(async () => {
  room = await openRtbRoom();
  partner = await startMockDsp();
  partner.answer('/dead', () => ({ status: 503, body: '' }));
  partner.answer('/well', () => ({ status: 204, body: '' }));
  dead = await room.dsp({ Name: 'dead', ZoneUrlUsEast: `${partner.url}/dead` });
  well = await room.dsp({ Name: 'well', ZoneUrlUsEast: `${partner.url}/well` });
  endpoint = await room.endpoint({ DspRtbEps: [dead.Id, well.Id] });
  await room.served();
  for (let time = 0; time < auctions; time += 1) await post(zoneUrl(endpoint), requestOf([bannerImp]));
});
after(async () => {
  await room.close();
  await partner.close();
});

/** The figures of today by a dimension, once all auctions are counted. */
async function figuresBy(GroupBy: string): Promise<readonly Values[]> {
  for (;;) {
    const today = new Date().toISOString().slice(0, 10);
    const { Rows } = await room.call('statistics/report', {
      From: today,
      To: today,
      GroupBy: [GroupBy],
      Measures: measures,
    });
    const rows = Rows as readonly Values[];
    const attempts = rows.reduce((sum, { CallAttempts }) => sum + Number(CallAttempts), 0);
    if (attempts >= 2 * auctions) return rows;
  }
}

test('a partner that is paused could not be asked, by whatever it is told', async () => {
  const rows = await figuresBy('Demand');
  const made = partner.calls('/dead').length;
  assert.ok(made < auctions / 2, 'the breaker has paused it');
  const ofDead = rows.find(({ Demand }) => Demand === dead.Id);
  assert.partialDeepStrictEqual(ofDead, {
    Calls: made,
    Errors: made,
    PausedCalls: auctions - made,
    CallAttempts: auctions,
    TimeoutRate: 0,
    UnavailableRate: 100,
  });
  assert.partialDeepStrictEqual(
    rows.find(({ Demand }) => Demand === well.Id),
    { Calls: auctions, PausedCalls: 0, CallAttempts: auctions, UnavailableRate: 0 },
  );
  for (const group of ['Supply', 'Country', 'Site', 'Day']) {
    const [row = {}, ...others] = (await figuresBy(group)).filter(
      ({ CallAttempts }) => Number(CallAttempts) > 0,
    );
    assert.deepEqual([others, row.CallAttempts, row.UnavailableRate], [[], 2 * auctions, 50], group);
  }
});

test('health says how much of what was to be asked could not be', async () => {
  await figuresBy('Demand');
  const [told = {}] = (await room.call(
    `health/get?Entity=DspRtbEp&Ids=${dead.Id}`,
  )) as unknown as readonly Values[];
  assert.deepEqual([told.CallAttempts, told.UnavailableRate], [auctions, 100]);
});
