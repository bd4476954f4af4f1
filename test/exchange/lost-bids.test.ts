import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type MacroValues, macroOf } from '../../src/protocols/openrtb/macros.ts';
import { type Values, zoneUrl } from './exchange-room.ts';
import { type MockDsp, startMockDsp } from './mock-dsp.ts';
import { bannerImp, openRtbRoom, popImp, post, type RtbRoom, requestOf } from './rtb-room.ts';

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

const told: readonly (keyof MacroValues)[] = ['LOSS', 'CURRENCY', 'MIN_TO_WIN', 'IMP_ID', 'SEAT_ID', 'PRICE'];
const macros = told.map((name) => `${name}=${macroOf(name)}`).join('&');

interface Case {
  readonly name: string;
  readonly imp?: object;
  /** The bids of the answer, each with an `id`; what they leave out is as in a good one. */
  readonly bids: readonly Values[];
  /** Members of the response. */
  readonly response?: Values;
  readonly endpoint?: Values;
  /** The price that is answered; undefined = no bid. */
  readonly answered?: number;
  /** The loss notices of bids, by ID: loss code, currency, minimum to win, impression, seat, price. */
  readonly lost: Readonly<Record<string, string>>;
}

const cases: readonly Case[] = [
  { name: 'the lower bids of an answer', bids: [{ id: 'a', price: 3 }, { id: 'b', price: 2 }, { id: 'c', price: 1 }], answered: 3, lost: { b: '102,USD,3,1,s1,', c: '102,USD,3,1,s1,' } },
  { name: 'another impression', bids: [{ id: 'a', impid: '7' }], lost: { a: '3,USD,,7,s1,' } },
  { name: 'another impression beside a good bid', bids: [{ id: 'a', impid: '7' }, { id: 'b' }], answered: 3, lost: { a: '3,USD,3,7,s1,' } },
  { name: 'another currency', response: { cur: 'EUR' }, bids: [{ id: 'a' }, { id: 'b' }], lost: { a: '3,EUR,,1,s1,', b: '3,EUR,,1,s1,' } },
  { name: 'another request', response: { id: 'other' }, bids: [{ id: 'a' }], lost: { a: '3,USD,,1,s1,' } },
  { name: 'no price', bids: [{ id: 'a', price: 0 }, { id: 'b', price: '3' }, { id: 'c', price: 1e-12 }], lost: { a: '3,USD,,1,s1,', b: '3,USD,,1,s1,', c: '3,USD,,1,s1,' } },
  { name: 'a member of another type', bids: [{ id: 'a', adomain: {} }], lost: { a: '3,USD,,1,s1,' } },
  { name: 'another medium', bids: [{ id: 'a', mtype: 2 }], lost: { a: '204,USD,,1,s1,' } },
  { name: 'a pop to nowhere', imp: popImp, bids: [{ id: 'a', adm: 'javascript:1' }], lost: { a: '200,USD,,1,s1,' } },
  { name: 'refused by the endpoint, whose other bid is not', endpoint: { AdDomainsBrandsBlacklist: 'dsp.example' }, bids: [{ id: 'a' }, { id: 'b', price: 2, adomain: ['other.example'] }], answered: 2, lost: { a: '205,USD,2,1,s1,' } },
]; // biome-ignore format: a table

describe('a bid that takes no part counts in Bids, and its bidder is told why', () => {
  for (const { name, imp = bannerImp, bids, response = {}, endpoint = {}, answered, lost } of cases) {
    test(name, async () => {
      const path = `/${name.replaceAll(/\W/g, '-')}`;
      const bid = { impid: '1', price: 3, adm: '<p></p>', adomain: ['dsp.example'] };
      const made = bids.map((one) => ({ ...bid, ...one, lurl: `${dsp.url}${path}-${one.id}?${macros}` }));
      dsp.answer(path, ({ body }) => {
        const { id } = JSON.parse(body) as Values;
        return { body: JSON.stringify({ id, seatbid: [{ seat: 's1', bid: made }], ...response }) };
      });
      const demand = await room.dsp({ ZoneUrlUsEast: `${dsp.url}${path}` });
      const rtbEp = await room.endpoint({ DspRtbEps: [demand.Id], ...endpoint });
      await room.served();
      const answer = await post(zoneUrl(rtbEp), requestOf([imp]));
      assert.equal(answer.bids[0]?.price, answered);
      for (const [id, wanted] of Object.entries(lost)) {
        const { url } = await dsp.call(`${path}-${id}`);
        assert.equal([...new URL(url, dsp.url).searchParams.values()].join(), wanted, id);
      }
      const row = await room.statistics(demand, ({ Bids }) => Number(Bids) > 0);
      assert.equal(row.Bids, bids.length);
      const heard = bids.filter(({ id }) => dsp.calls(`${path}-${id}`).length > 0);
      assert.deepEqual(
        heard.map(({ id }) => id),
        Object.keys(lost),
      );
    });
  }

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
