import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { macroOf } from '../../src/protocols/openrtb/macros.ts';
import { faultsOfRequest } from '../protocols/openrtb/bid-request-schema.ts';
import { type Stored, type Values, zoneUrl } from './exchange-room.ts';
import { type DspCall, type MockDsp, startMockDsp, vastAd } from './mock-dsp.ts';
import { directUrl, feedUrl } from './pop-room.ts';
import { bannerImp, openRtbRoom, popImp, post, type RtbRoom, requestOf, videoImp } from './rtb-room.ts';

let room: RtbRoom;
let dsp: MockDsp;
let rtbEp: Stored;
let tag: Stored;
let feed: Stored;
let banner: Stored;

const macrosOf = (names: string) =>
  names
    .split(' ')
    .map((name) => `${name}={${name}}`)
    .join('&');
const paths = ['/rtb', '/vast', '/pop', '/notice'];
const notice = `DSP/notice?price=${macroOf('PRICE')}`;

before(async () => {
  room = await openRtbRoom();
  dsp = await startMockDsp();
  dsp.answer('/rtb', ({ body }) => {
    const { id, imp } = JSON.parse(body) as { id: string; imp: readonly Values[] };
    const [asked = {}] = imp;
    const page = asked.banner ? '<p>x</p>' : vastAd();
    const adm = asked.instl ? 'https://brand.example/' : page;
    const urls = Object.fromEntries(
      ['nurl', 'burl', 'lurl'].map((name) => [name, notice.replace('DSP', dsp.url)]),
    );
    const bid = { id: 'b', impid: '1', price: 5, adm, adomain: ['brand.example'], ...urls };
    return { body: JSON.stringify({ id, seatbid: [{ bid: [bid] }] }) };
  });
  dsp.answer('/vast', () => ({ body: vastAd() }));
  dsp.answer('/pop', () => ({ body: '{"result":[{"bid":"0.004","url":"https://brand.example/"}]}' }));
  dsp.answer('/notice', () => ({ body: '' }));
  const vastUrl = `${dsp.url}/vast?${macrosOf('width height cb ua ip app_name country lat lon')}`;
  const popUrl = `${dsp.url}/pop?${macrosOf('ip ua url query subid uid country lang cb')}`;
  const rtb = await room.dsp({ ZoneUrlUsEast: `${dsp.url}/rtb` });
  const vast = await room.add('ortb/dspvasttag', { ZoneUrlUsEast: vastUrl, FixedCpm: 1 });
  const pop = await room.add('xml/dsppopfeed', { FeedUrlUsEast: popUrl, DirectUrl: '' });
  const all = { DspRtbEps: [rtb.Id], DspVastTags: [vast.Id], DspPopFeeds: [pop.Id] };
  rtbEp = await room.endpoint(all);
  tag = await room.add('ortb/vasttag', { Tmax: 2000, DspRtbEps: [rtb.Id], DspVastTags: [vast.Id] });
  banner = await room.add('bannerep', { Tmax: 2000, DspRtbEps: [rtb.Id] });
  feed = await room.add('xml/popfeed', { Tmax: 2000, DspRtbEps: [rtb.Id], DspPopFeeds: [pop.Id] });
  await room.served();
});
after(async () => {
  await dsp.close();
  await room.close();
});

const allCalls = (): readonly DspCall[] => paths.flatMap((path) => dsp.calls(path));
const shownIn = (calls: readonly DspCall[]) =>
  calls
    .map(({ url, headers, body }) => `${decodeURIComponent(url)} ${JSON.stringify(headers)} ${body}`)
    .join('\n');

/** What partners are told while something is asked. */
async function toldBy(ask: () => Promise<unknown>): Promise<string> {
  const before = new Set(allCalls());
  await ask();
  const calls = allCalls().filter((call) => !before.has(call));
  assert.ok(calls.length > 0, 'no partner was asked');
  for (const { url, body } of calls) {
    if (url === '/rtb') assert.deepEqual(faultsOfRequest(JSON.parse(body)), []);
  }
  return shownIn(calls);
}

const secrets = {
  ifa: 'secret-ifa',
  didsha1: 'secret-1',
  didmd5: 'secret-2',
  dpidsha1: 'secret-3',
  dpidmd5: 'secret-4',
  macsha1: 'secret-5',
  macmd5: 'secret-6',
};
const eids = [{ source: 'id.example', uids: [{ id: 'secret-eid' }] }];
const place = { lat: 52.52437, lon: -13.41053, accuracy: 4321, zip: 'secret-zip', city: 'Berlin' };
const user = {
  id: 'secret-user',
  buyeruid: 'secret-buyer',
  yob: 1987,
  customdata: 'secret-custom',
  consent: 'CPxx',
  keywords: 'secret-word',
  geo: place,
  eids,
  ext: { eids },
  data: [{ id: 'secret-data' }],
};

const addresses = [
  { name: 'IPv4', device: { ip: '203.0.113.77' }, whole: '203.0.113.77', shown: '203.0.113.0' },
  { name: 'IPv4 behind a proxy', device: { ip: '203.0.113.77:81, 10.1.2.3' }, whole: '203.0.113.77', shown: '203.0.113.0' },
  { name: 'IPv6', device: { ipv6: '2001:db8:1:2:3:4:5:6' }, whole: '2001:db8:1:2', shown: '2001:db8:1::' },
  { name: 'IPv6 in the place of IPv4', device: { ip: '2001:db8:1:2:3:4:5:6' }, whole: '2001:db8:1:2', shown: '2001:db8:1::' },
  { name: 'IPv4 in IPv6', device: { ipv6: '::ffff:203.0.113.77' }, whole: '203.0.113.77', shown: '' },
]; // biome-ignore format: a table
const signals = [
  { name: 'coppa', members: { regs: { coppa: 1 } }, lmt: {} },
  { name: 'lmt', members: {}, lmt: { lmt: 1 } },
  { name: 'us_privacy', members: { regs: { us_privacy: '1YYN' } }, lmt: {} },
  { name: 'us_privacy in its older place', members: { regs: { ext: { us_privacy: '1-y-' } } }, lmt: {} },
  { name: 'gpc', members: { regs: { ext: { gpc: '1' } } }, lmt: {} },
  { name: 'gpc as a number', members: { regs: { ext: { gpc: 1 } } }, lmt: {} },
];
const imps = [
  { name: 'video', imp: videoImp },
  { name: 'banner', imp: bannerImp },
  { name: 'pop', imp: popImp },
];

describe('of a viewer who must not be recognized, partners of /rtb hear no address, no ID and no exact place', () => {
  for (const { name, device, whole, shown } of addresses) {
    for (const { name: signal, members, lmt } of signals) {
      for (const { name: medium, imp } of imps) {
        test(`${name}, ${signal}, ${medium}`, async () => {
          const whom = {
            ua: 'Mozilla/5.0',
            ...device,
            ...lmt,
            ...secrets,
            geo: { ...place, country: 'DEU' },
          };
          const request = requestOf([imp], { ...members, device: whom, user });
          const told = await toldBy(async () => {
            const { bids } = await post(zoneUrl(rtbEp), request);
            assert.equal(bids.length, 1);
            await fetch(bids[0]?.nurl ?? '');
            await dsp.call('/notice');
          });
          // Years and distances are told by their names: four digits stand in random IDs now and then.
          const hidden = [whole, 'secret', '52.52437', '13.41053', '"yob"', '"accuracy"', '10.1.2.3'];
          for (const secret of hidden) assert.ok(!told.includes(secret), `${secret} in ${told}`);
          assert.ok(told.includes(shown), told);
          for (const known of ['DEU', 'Berlin', '52.52', '-13.41', 'CPxx'])
            assert.ok(told.includes(known), known);
        });
      }
    }
  }

  test('without such a signal they hear all but the ID of another bidder', async () => {
    const device = { ua: 'Mozilla/5.0', ip: '203.0.113.77', ...secrets, geo: place, lmt: 0 };
    const regs = { coppa: 0, us_privacy: '1YNN', ext: { gpc: '0' } };
    const request = requestOf([videoImp], { device, user, regs });
    const told = await toldBy(() => post(zoneUrl(rtbEp), request));
    for (const { length: index } of Array.from({ length: 6 }, (_, at) => ({ length: at + 1 })))
      assert.ok(told.includes(`secret-${index}`));
    const kept = ['secret-ifa', 'secret-user', 'secret-eid', '52.52437', '"yob":1987', '"accuracy":4321'];
    for (const known of ['203.0.113.77', ...kept]) assert.ok(told.includes(known), known);
    assert.ok(!told.includes('secret-buyer'));
  });
});

test('a page that asks for its visitor passes on what its browser says', async () => {
  const page = await room.endpoint({ HeaderBidJs: 1, DspRtbEps: rtbEp.DspRtbEps });
  await room.served();
  const device = { ua: 'Mozilla/5.0', ip: '203.0.113.77', ...secrets };
  const body = JSON.stringify(requestOf([bannerImp], { device, user, regs: { ext: { dsa: { x: 1 } } } }));
  const ask = (headers: Readonly<Record<string, string>>) =>
    toldBy(() => fetch(zoneUrl(page), { method: 'POST', body, headers }));
  const hidden = await ask({ 'sec-gpc': '1' });
  for (const secret of ['203.0.113.77', 'secret']) assert.ok(!hidden.includes(secret), hidden);
  for (const known of ['"gpc":"1"', '"dsa":{"x":1}']) assert.ok(hidden.includes(known), hidden);
  const told = await ask({});
  for (const known of ['203.0.113.77', 'secret-ifa']) assert.ok(told.includes(known), told);
});

describe('a player, a page or a feed may say so in its URL', () => {
  const player = { ip: '203.0.113.77', ifa: 'secret-ifa', ua: 'Mozilla/5.0' };
  const visitor = {
    user_ip: '203.0.113.77',
    uid: 'secret-user',
    ua: 'Mozilla/5.0',
    url: 'https://news.example/',
  };
  const urls = [
    { name: '/vast', url: () => zoneUrl(tag, player), id: 'secret-ifa' },
    { name: '/banner', url: () => zoneUrl(banner, player), id: 'secret-ifa' },
    { name: '/pop', url: () => feedUrl(feed, visitor), id: 'secret-user' },
  ];
  for (const { name, url, id } of urls) {
    for (const { signal, said, unsaid, yes, no } of [
      { signal: 'coppa', said: '1', unsaid: '0', yes: '"coppa":1', no: '"coppa":0' },
      { signal: 'lmt', said: '1', unsaid: '0', yes: '"lmt":1', no: '"lmt":0' },
      {
        signal: 'us_privacy',
        said: '1YYN',
        unsaid: '1YNN',
        yes: '"us_privacy":"1YYN"',
        no: '"us_privacy":"1YNN"',
      },
      { signal: 'gpc', said: '1', unsaid: '0', yes: '"gpc":"1"', no: '' },
    ]) {
      test(`${name}, ${signal}`, async () => {
        const hidden = await toldBy(() => fetch(`${url()}&${signal}=${said}`));
        for (const secret of ['203.0.113.77', 'secret']) assert.ok(!hidden.includes(secret), hidden);
        for (const known of ['203.0.113.0', yes]) assert.ok(hidden.includes(known), hidden);
        const told = await toldBy(() => fetch(`${url()}&${signal}=${unsaid}`));
        for (const known of ['203.0.113.77', id, no]) assert.ok(told.includes(known), told);
      });
    }

    test(`${name}, Sec-GPC`, async () => {
      const hidden = await toldBy(() => fetch(url(), { headers: { 'sec-gpc': '1' } }));
      for (const secret of ['203.0.113.77', 'secret']) assert.ok(!hidden.includes(secret), hidden);
      for (const known of ['203.0.113.0', '"gpc":"1"']) assert.ok(hidden.includes(known), hidden);
    });
  }

  test('/direct', async () => {
    const url = directUrl(feed);
    const ask = (query: string) =>
      toldBy(() => fetch(`${url}${query}`, { redirect: 'manual', headers: { 'user-agent': 'Mozilla/5.0' } }));
    const [hidden, told] = [await ask('&lmt=1'), await ask('')];
    assert.match(hidden, /ip=127\.0\.0\.0&.*"x-forwarded-for":"127\.0\.0\.0"/);
    assert.match(told, /ip=127\.0\.0\.1&.*"x-forwarded-for":"127\.0\.0\.1"/);
  });
});

test('inside, limits count the whole address', async () => {
  const campaign = await room.campaign({ Type: 2, ImpressionsLimitPerIp: 1, Html: '<p>1</p>' });
  const ep = await room.add('bannerep', { Campaigns: [campaign.Id] });
  await room.served();
  const shown = async (ip: string) => {
    const page = await (await fetch(`${zoneUrl(ep, { ip })}&lmt=1`)).text();
    const pixel = /http[^"]*\/track\/impression\?[^"]*/.exec(page)?.[0]?.replaceAll('&amp;', '&');
    if (pixel) await fetch(pixel);
    return page !== '';
  };
  assert.deepEqual(
    [await shown('203.0.113.1'), await shown('203.0.113.1'), await shown('203.0.113.2')],
    [true, false, true],
  );
});
