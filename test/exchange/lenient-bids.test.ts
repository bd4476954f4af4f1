import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Values, zoneUrl } from './exchange-room.ts';
import { type MockDsp, startMockDsp } from './mock-dsp.ts';
import { bannerImp, nativeImp, openRtbRoom, post, type RtbRoom, requestOf } from './rtb-room.ts';

let room: RtbRoom;
let dsp: MockDsp;

before(async () => {
  room = await openRtbRoom();
  await room.add('deal', { Code: '3' });
  dsp = await startMockDsp();
});
after(() => Promise.all([room.close(), dsp.close()]));

interface Case {
  readonly name: string;
  /** Members of the bid, as JSON without braces, and its seat and the response's own members likewise. */
  readonly bid?: string;
  readonly seat?: string;
  readonly response?: string;
  readonly imp?: object;
  readonly endpoint?: Values;
  /** Members of the bid, or the seat, that is answered; undefined = no bid. */
  readonly answered?: Values;
  readonly markup?: RegExp;
  /** What Health names: the place and what was met there; `tolerated` where the bid is read all the same. */
  readonly fault?: readonly [field: string, met: unknown, tolerated?: 'tolerated'];
}

const place = 'seatbid[0].bid[0]';
const read = (member: string, met: unknown) => [`${place}.${member}`, met, 'tolerated'] as const;
const refused = (member: string, met: unknown) => [`${place}.${member}`, met] as const;

const cases: readonly Case[] = [
  { name: 'all of their types', answered: { crid: 'c1' } },
  { name: 'id', bid: '"id":7', answered: {}, fault: read('id', 7) },
  { name: 'impid', bid: '"impid":1', answered: {}, fault: read('impid', 1) },
  { name: 'another impid', bid: '"impid":2', fault: refused('impid', '2') },
  { name: 'crid', bid: '"crid":4711', answered: { crid: '4711' }, fault: read('crid', 4711) },
  { name: 'crid of 0', bid: '"crid":0', answered: { crid: '0' }, fault: read('crid', 0) },
  { name: 'crid above 2^53', bid: '"crid":12345678901234567891', answered: { crid: '12345678901234567891' }, fault: read('crid', '12345678901234567891') },
  { name: 'crid of 16 digits', bid: '"crid":9007199254740993', answered: { crid: '9007199254740993' }, fault: read('crid', '9007199254740993') },
  { name: 'crid with a fraction', bid: '"crid":4711.5', fault: refused('crid', 4711.5) },
  { name: 'crid that is true', bid: '"crid":true', fault: refused('crid', 'boolean') },
  { name: 'crid that is a list', bid: '"crid":["c1"]', fault: refused('crid', 'object') },
  { name: 'crid that is listed', bid: '"crid":4711', endpoint: { CridList: '4711', CridListMode: 0 }, fault: ['CridList', '4711'] },
  { name: 'adid', bid: '"adid":5', answered: { adid: '5' }, fault: read('adid', 5) },
  { name: 'cid', bid: '"cid":5', answered: { cid: '5' }, fault: read('cid', 5) },
  { name: 'bundle', bid: '"bundle":553834731', answered: { bundle: '553834731' }, fault: read('bundle', 553_834_731) },
  { name: 'bundle that is blocked', bid: '"bundle":553834731', endpoint: { AdAppsBlacklist: '553834731' }, fault: ['AdAppsBlacklist', '553834731'] },
  { name: 'dealid', bid: '"dealid":3', answered: {}, fault: read('dealid', 3) },
  { name: 'w and h', bid: '"w":"300","h":"250"', answered: { w: 300, h: 250 }, fault: read('w', '300') },
  { name: 'w with a unit', bid: '"w":"300px"', fault: refused('w', '300px') },
  { name: 'w that is empty', bid: '"w":""', fault: refused('w', '') },
  { name: 'w below 0', bid: '"w":"-300"', fault: refused('w', '-300') },
  { name: 'w and h of another size', bid: '"w":"728","h":"90"', fault: ['', '728x90'] },
  { name: 'mtype', bid: '"mtype":"1"', answered: { mtype: 1 }, fault: read('mtype', '1') },
  { name: 'another mtype', bid: '"mtype":"2"', fault: ['mtype', 2] },
  { name: 'exp', bid: '"exp":"60"', answered: { exp: 60 }, fault: read('exp', '60') },
  { name: 'adomain', bid: '"adomain":"brand.example"', answered: { adomain: ['brand.example'] }, fault: read('adomain', 'brand.example') },
  { name: 'adomain that is empty', bid: '"adomain":""', answered: { adomain: undefined }, fault: read('adomain', '') },
  { name: 'adomain that is blocked', bid: '"adomain":"bad.example"', endpoint: { AdDomainsBrandsBlacklist: 'bad.example' }, fault: ['AdDomainsBrandsBlacklist', 'bad.example'] },
  { name: 'adomain of two in a text', bid: '"adomain":"a.example,b.example"', fault: refused('adomain', 'a.example,b.example') },
  { name: 'cat', bid: '"cat":"IAB1"', answered: { cat: ['IAB1'] }, fault: read('cat', 'IAB1') },
  { name: 'cat of numbers', bid: '"cat":[596],"cattax":"7"', answered: { cat: ['596'], cattax: 7 }, fault: read('cat', 'object') },
  { name: 'attr', bid: '"attr":"4"', answered: { attr: [4] }, fault: read('attr', '4') },
  { name: 'attr of texts', bid: '"attr":["4","5"]', answered: { attr: [4, 5] }, fault: read('attr', 'object') },
  { name: 'attr that is blocked', imp: { banner: { ...bannerImp.banner, battr: [4] } }, bid: '"attr":4', fault: ['battr', 4] },
  { name: 'price', bid: '"price":"3"', fault: refused('price', '3') },
  { name: 'price above 2^53', bid: '"price":12345678901234567891', fault: refused('price', '12345678901234567891') },
  { name: 'adm', bid: '"adm":5', fault: refused('adm', 5) },
  { name: 'adm that is a native ad', imp: nativeImp, bid: '"adm":{"assets":[],"link":{"url":"https://brand.example/"},"ext":{"a":12345678901234567891}}', answered: { crid: 'c1' }, markup: /^\{"assets":\[\],.*"ext":\{"a":12345678901234567891\}/, fault: read('adm', 'object') },
  { name: 'adm with integers above 2^53', imp: nativeImp, bid: String.raw`"adm":"{\"assets\":[{\"id\":12345678901234567891}]}"`, answered: {}, markup: /^\{"assets":\[\{"id":12345678901234567891\}\]/ },
  { name: 'adm that is an object, for a banner', bid: '"adm":{"assets":[]}', fault: ['', 'JSON'] },
  { name: 'adm that is a list', imp: nativeImp, bid: '"adm":[{"assets":[]}]', fault: refused('adm', 'object') },
  { name: 'burl', bid: '"burl":5', fault: refused('burl', 5) },
  { name: 'seat', seat: '"seat":9', answered: { seat: '9' }, fault: ['seatbid[0].seat', 9, 'tolerated'] },
  { name: 'seat that is an object', seat: '"seat":{}', fault: ['seatbid[0].seat', 'object'] },
  { name: 'bidid', response: '"bidid":5', answered: {} },
]; // biome-ignore format: a table

describe('members of another type are read where they can mean only one thing, and Health names them', () => {
  for (const {
    name,
    imp = bannerImp,
    bid = '',
    seat = '',
    response = '',
    endpoint = {},
    answered,
    markup = /./,
    fault,
  } of cases) {
    test(name, async () => {
      const path = `/${name.replaceAll(/\W/g, '-')}`;
      const members = (...parts: readonly string[]) => `{${parts.filter((part) => part !== '').join()}}`;
      const usual = '"id":"b1","impid":"1","price":3,"adm":"<p></p>","crid":"c1"';
      dsp.answer(path, ({ body }) => {
        const { id } = JSON.parse(body) as Values;
        // The last of two members of a name counts.
        const seatbid = members(`"bid":[${members(usual, bid)}]`, seat);
        return { body: members(`"id":"${id}"`, `"seatbid":[${seatbid}]`, response) };
      });
      const demand = await room.dsp({ ZoneUrlUsEast: `${dsp.url}${path}` });
      const rtbEp = await room.endpoint({ DspRtbEps: [demand.Id], ...endpoint });
      await room.served();
      const answer = await post(zoneUrl(rtbEp), requestOf([imp]));
      assert.equal(answer.status, answered ? 200 : 204);
      if (answered) {
        const [first] = (answer.body?.seatbid ?? []) as readonly Values[];
        const sent: Values = { ...answer.bids[0], seat: first?.seat };
        for (const [member, value] of Object.entries(answered)) assert.deepEqual(sent[member], value);
        assert.match(answer.bids[0]?.adm ?? '', markup);
      }
      const objects = await room.call(`health/get?Entity=DspRtbEp&Ids=${demand.Id}`);
      const [{ LastFault } = {}] = objects as unknown as readonly { LastFault?: Values | null }[];
      const told = LastFault && [LastFault.Field, LastFault.Met, LastFault.IsTolerated];
      assert.deepEqual(told, fault ? [fault[0], fault[1], fault[2] === undefined ? 0 : 1] : null);
    });
  }
});
