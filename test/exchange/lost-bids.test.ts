import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Values, zoneUrl } from './exchange-room.ts';
import { type MockDsp, startMockDsp } from './mock-dsp.ts';
import { bannerImp, openRtbRoom, post, type RtbRoom, requestOf } from './rtb-room.ts';

let room: RtbRoom;
let dsp: MockDsp;

before(async () => {
  room = await openRtbRoom();
  dsp = await startMockDsp();
});
after(async () => {
  await dsp.close();
  await room.close();
});

describe('a bid that takes no part counts in Bids, and its bidder is told why', () => {
  test('of more than 16 of an answer, 16 are told and all are counted', async () => {
    const bids = Array.from({ length: 40 }, (_, index) => ({
      id: `b${index}`,
      impid: '7',
      price: 3,
      adm: '<p></p>',
      lurl: `${dsp.url}/many-told`,
    }));
    dsp.answer('/many', ({ body }) => {
      const { id } = JSON.parse(body) as Values;
      return { body: JSON.stringify({ id, seatbid: [{ bid: bids }] }) };
    });
    const demand = await room.dsp({ ZoneUrlUsEast: `${dsp.url}/many` });
    const rtbEp = await room.endpoint({ DspRtbEps: [demand.Id] });
    await room.served();
    await post(zoneUrl(rtbEp), requestOf([bannerImp]));
    const row = await room.statistics(demand, ({ Bids }) => Number(Bids) > 0);
    assert.equal(row.Bids, 40);
    await dsp.call('/many-told', () => dsp.calls('/many-told').length >= 16);
    assert.equal(dsp.calls('/many-told').length, 16);
  });
});
