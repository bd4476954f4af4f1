import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { pino } from 'pino';
import { ask } from './ask.ts';
import { type Values, zoneUrl } from './exchange-room.ts';
import { type MockDsp, startMockDsp } from './mock-dsp.ts';
import { directUrl, feedUrl } from './pop-room.ts';
import { bannerImp, openRtbRoom, post, type RtbRoom, requestOf } from './rtb-room.ts';

const bannerBid = { id: 'b1', impid: '1', price: 3, adm: '<p></p>' };

/** Names that every object has from its prototype. A look-up by a stranger's name must not find them. */
const names = ['__proto__', 'constructor', 'hasOwnProperty', 'valueOf', 'toString', 'isPrototypeOf'];

const faults: string[] = [];
const log = new Writable({
  write(chunk, _encoding, done) {
    faults.push(String(chunk));
    done();
  },
});

let room: RtbRoom;
let dsp: MockDsp;
let urls: Readonly<Record<'vast' | 'banner' | 'rtb' | 'xml' | 'json' | 'direct', string>>;
let demand: Values;

before(async () => {
  room = await openRtbRoom(pino({ level: 'error', base: null }, log));
  dsp = await startMockDsp();
  demand = await room.dsp({ ZoneUrlUsEast: `${dsp.url}/bid` });
  const tag = await room.add('ortb/dspvasttag', { ZoneUrlUsEast: `${dsp.url}/vast`, FixedCpm: 2 });
  const pops = await room.add('xml/dsppopfeed', { FeedUrlUsEast: `${dsp.url}/pop` });
  const film = await room.campaign({ Cpm: 1 });
  const vast = await room.add('ortb/vasttag', {
    Tmax: 2000,
    Waterfall: 1,
    DspVastTags: [tag.Id],
    DspRtbEps: [demand.Id],
    Campaigns: [film.Id],
  });
  const banner = await room.add('bannerep', { Tmax: 2000, DspRtbEps: [demand.Id] });
  const rtb = await room.endpoint({ DspRtbEps: [demand.Id] });
  const feed = await room.add('xml/popfeed', { Tmax: 2000, DspPopFeeds: [pops.Id] });
  await room.served();
  urls = {
    vast: zoneUrl(vast),
    banner: zoneUrl(banner),
    rtb: zoneUrl(rtb),
    xml: feedUrl(feed, {}, 'Xml'),
    json: feedUrl(feed),
    direct: directUrl(feed),
  };
});
after(async () => {
  await dsp.close();
  await room.close();
});

const withOwn = (name: string, value: unknown): object => JSON.parse(`{"${name}":${JSON.stringify(value)}}`);

/** Fails where anything was logged as a fault of ours, or where prototypes were changed. */
function assertSound(about: string): void {
  assert.deepEqual(faults, [], about);
  assert.deepEqual(Object.keys(Object.prototype), [], about);
  assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false, about);
}

const gets: Readonly<Record<string, (name: string) => string>> = {
  'a door': (name) => `/${name}`,
  'below a door': (name) => `/vast/${name}?zone=1`,
  'a zone': (name) => `/vast?zone=${name}&auth=${name}`,
  'a banner zone': (name) => `/banner?zone=${name}&auth=${name}`,
  'a feed': (name) => `/pop?feed=${name}&auth=${name}&format=${name}`,
  'a direct link': (name) => `/direct?feed=${name}&auth=${name}`,
  'a click': (name) => `/click/${name}?js=${name}`,
  'an offered pop': (name) => `/track/open?t=${name}`,
  'the API': (name) => `/api/${name}`,
  'a reference': (name) => `/api/info/${name}`,
  'an operation': (name) => `/api/publisher/${name}`,
  'an entity': (name) => `/api/${name}/get`,
  'a parameter': (name) => `/api/publisher/get?${name}=1`,
  'a kind of auctions': (name) => `/api/exchange/auctions?${name}=1`,
  'an entity of the history': (name) => `/api/history/get?Entity=${name}&${name}=${name}`,
  'a report': (name) => `/api/ortb/stats/${name}/${name}`,
  'a format of reports': (name) => `/api/stats/publisher/${name}?username=${name}&auth=${name}`,
  'an export': (name) => `/api/config/export?${name}=1`,
};

const bodies: Readonly<Record<string, (name: string) => readonly [path: string, body: unknown]>> = {
  'a wrapper': (name) => ['publisher/add', withOwn(name, { Name: 'A' })],
  'a field': (name) => ['tag/add', { Tag: { Name: 'A', ...withOwn(name, 1) } }],
  'only a field': (name) => ['tag/add', { Tag: withOwn(name, { polluted: 1 }) }],
  'a country': (name) => ['campaign/add', { Campaign: { Name: 'A', Countries: [{ CC: name }] } }],
  'a family': (name) => ['campaign/add', { Campaign: { Name: 'A', Os: [{ Family: name }] } }],
  'a category': (name) => ['campaign/add', { Campaign: { Name: 'A', IabCategory: name } }],
  'a macro': (name) => ['ortb/dspvasttag/add', { DspVastTag: { ZoneUrlUsEast: `http://a.example/?x={${name}}` } }],
  'a kind to explain': (name) => ['exchange/explain', withOwn(name, { Id: 1 })],
  'a request to explain': (name) => ['exchange/explain', { VastTag: { Id: 1 }, Request: withOwn(name, 'x') }],
  'a document': (name) => ['config/plan', { Config: { Version: 1, ...withOwn(name, []) } }],
  'an object of a document': (name) => ['config/plan', { Config: { Version: 1, Tag: [withOwn(name, 1)] } }],
  'a key that is referred to': (name) => ['config/plan', { Config: { Version: 1, VastTag: [{ Name: 'A', Publisher: name, Campaigns: [name] }] } }],
  'a login': (name) => ['auth/login', { Username: name, Password: name, ...withOwn(name, 1) }],
  'an API key': (name) => ['auth/apikey/revoke', withOwn(name, 1)],
}; // biome-ignore format: a table

describe('names of prototypes are nobody, wherever they come from', () => {
  const authorized = () => ({ authorization: `Bearer ${room.server.token}` });

  for (const [about, pathOf] of Object.entries(gets)) {
    test(`the URL of ${about}`, async () => {
      for (const name of names) {
        const { status } = await ask(`${room.server.url}${pathOf(name)}`, authorized());
        assert.ok(status < 500, `${pathOf(name)}: ${status}`);
        assertSound(pathOf(name));
      }
    });
  }

  for (const [about, of] of Object.entries(bodies)) {
    test(`the body of ${about}`, async () => {
      for (const name of names) {
        const [path, body] = of(name);
        const url = `${room.server.url}/api/${path}`;
        const answer = await fetch(url, {
          method: 'POST',
          body: JSON.stringify(body),
          headers: authorized(),
        });
        const text = await answer.text();
        const wanted = path === 'auth/login' ? [401, 406] : [406];
        assert.ok(wanted.includes(answer.status), `${about} ${name}: ${answer.status} ${text}`);
        assertSound(`${about} ${name}: ${text}`);
      }
    });
  }

  test('parameters and headers of doors', async () => {
    for (const name of names) {
      const query = [
        'os',
        'lang',
        'category',
        'device_type',
        'site_url',
        'app_bundle',
        'ip',
        'ua',
        'format',
        name,
      ];
      const asked = query.map((parameter) => `${parameter}=${name}`).join('&');
      const headers = {
        [name]: name,
        'user-agent': name,
        'accept-language': name,
        referer: name,
        origin: name,
      };
      for (const url of [...Object.values(urls), urls.rtb]) {
        const { status } = await ask(`${url}&${asked}`, { ...headers, 'accept-encoding': name });
        assert.ok([200, 204, 302, 405].includes(status), `${url}: ${status}`);
      }
      const sent = await post(urls.rtb, requestOf([bannerImp]), { 'content-encoding': name });
      assert.equal(sent.status, 400);
      assertSound(name);
    }
  });

  test('bid requests', async () => {
    for (const name of names) {
      const own = withOwn(name, { [name]: name });
      const text = { os: name, language: name, make: name, ua: name, geo: { country: name, ...own }, ...own };
      const requests = [
        { device: text, user: own, regs: { ext: own }, source: { ext: { schain: own } }, ext: own, ...own },
        { cur: [name] },
        { bcat: [name], badv: [name], bapp: [name], wseat: [name], cattax: name },
        { site: { cat: [name], domain: name, content: own, ...own } },
        { app: { bundle: name, storeurl: name, ...own }, site: undefined },
      ];
      for (const members of requests) {
        const { status } = await post(urls.rtb, requestOf([{ ...bannerImp, ...own, ext: own }], members));
        assert.ok([200, 204, 400].includes(status), `${JSON.stringify(members)}: ${status}`);
      }
      const { status } = await post(urls.rtb, requestOf([{ ...bannerImp, bidfloor: 1, bidfloorcur: name }]));
      assert.equal(status, 204);
      assertSound(name);
    }
  });

  test('members of bid requests that are passed on without what is personal', async () => {
    for (const name of names) {
      let told = '';
      dsp.answer('/bid', ({ body }) => {
        told = body;
        return { body: JSON.stringify({ id: JSON.parse(body).id, seatbid: [{ bid: [{ ...bannerBid, adomain: ['a.example'] }] }] }) };
      });
      const own = withOwn(name, { polluted: 1 });
      const geo = { country: 'DEU', ...own };
      const members = {
        ...own,
        user: { ...own, geo, data: [{ ...own, segment: [own] }], eids: [{ source: 'a.example', ...own, uids: [{ id: 'u', ...own }] }] },
        site: { domain: 'news.example', ...own, content: { ...own, producer: own }, publisher: own },
        source: { ...own, schain: { ver: '1.0', complete: 1, ...own, nodes: [{ asi: 'a.example', sid: '1', hp: 1, ...own }] } },
      };
      const device = { ...own, geo, sua: { ...own, browsers: [{ brand: 'Chrome', ...own }], platform: { brand: 'Windows', ...own } } };
      const imp = { ...bannerImp, ...own, banner: { ...bannerImp.banner, ...own }, metric: [{ type: 't', value: 1, ...own }] };
      for (const signal of [{ regs: { coppa: 1, ...own } }, { device: { lmt: 1 } }, { device: { dnt: 1 } }]) {
        const request = requestOf([imp], { ...members, ...signal, device: { ...device, ...signal.device } });
        const { status } = await post(urls.rtb, request);
        assert.equal(status, 200, `${name} ${JSON.stringify(signal)}`);
        assert.ok(!told.includes('polluted'), told);
        assertSound(`${name} ${JSON.stringify(signal)}`);
      }
    }
  }); // biome-ignore format: a table
});

describe('and wherever a partner says them', () => {
  const ad = (name: string, prefix = '') =>
    `<VAST version="3.0" xmlns:${name}="urn:x" ${prefix}="1"><Ad id="1"><InLine><AdSystem>a</AdSystem><AdTitle>b</AdTitle><Impression>https://d.example/i</Impression><${name}:${name} ${name}="1"/><${name}>x</${name}><Creatives><Creative><Linear><Duration>00:00:15</Duration><TrackingEvents><Tracking event="${name}">https://d.example/t</Tracking></TrackingEvents><MediaFiles><MediaFile delivery="progressive" type="video/mp4" width="1" height="1">https://d.example/f.mp4</MediaFile></MediaFiles></Linear></Creative></Creatives><Extensions><Extension type="${name}"/></Extensions></InLine></Ad></VAST>`;
  const bid = bannerBid;
  const answers: Readonly<Record<string, (name: string, id: unknown) => object>> = {
    headers: (name) => ({ headers: { 'x-a': 'b', [name]: 'c' } }),
    'an encoding': (name) => ({ headers: { 'content-encoding': name } }),
    'a content type': (name) => ({ headers: { 'content-type': `text/${name}; charset=${name}` } }),
    'a currency': (name, id) => ({ body: { id, cur: name, seatbid: [{ bid: [bid] }] } }),
    members: (name, id) => ({
      body: { id, ...withOwn(name, 1), bidid: name,
        seatbid: [{ seat: name, bid: [{ ...bid, ...withOwn(name, { polluted: 1 }), cat: [name], adomain: [name], ext: withOwn(name, 1) }] }],
      },
    }),
    'macros of markup': (name, id) => ({
      body: { id, seatbid: [{ bid: [{ ...bid, adm: `<p>\${${name}}\${AUCTION_${name}}\${AUCTION_PRICE:${name}}{${name}}</p>` }] }] },
    }),
    'video markup': (name, id) => ({ body: { id, seatbid: [{ bid: [{ ...bid, adm: ad(name) }] }] } }),
  }; // biome-ignore format: a table

  for (const [about, answerOf] of Object.entries(answers)) {
    test(about, async () => {
      for (const name of names) {
        dsp.answer('/bid', ({ body }) => {
          const { id } = JSON.parse(body) as Values;
          const { body: made = { id, seatbid: [{ bid: [bid] }] }, headers = {} } = answerOf(
            name,
            id,
          ) as Values;
          return { headers: headers as Record<string, string>, body: JSON.stringify(made) };
        });
        dsp.answer('/vast', () => ({ body: ad(name) }));
        dsp.answer('/pop', () => ({
          body: JSON.stringify(withOwn(name, { [name]: 1, bid: name, url: name })),
        }));
        for (const url of [urls.vast, urls.banner, urls.json, urls.xml, urls.direct]) {
          const { status } = await ask(url);
          assert.ok([200, 204, 302].includes(status), `${about} ${name}: ${status}`);
        }
        const { status } = await post(urls.rtb, requestOf([bannerImp]));
        const isHarmless = !['an encoding', 'a currency', 'video markup'].includes(about);
        assert.equal(status, isHarmless ? 200 : 204, `${about} ${name}`);
        assertSound(`${about} ${name}`);
      }
    });
  }

  test('a path of CustomParams', async () => {
    dsp.answer('/bid', () => ({ status: 204, body: '' }));
    for (const name of names) {
      const CustomParams = { [`device.${name}.polluted`]: '1', [`${name}.polluted`]: '1', [name]: '1' };
      await room.call('ortb/dsprtbep/update', { DspRtbEp: { Id: demand.Id, CustomParams } });
      await room.served();
      assert.equal((await post(urls.rtb, requestOf([bannerImp]))).status, 204);
      assertSound(name);
    }
  });
});

test('an object may have such a name, and be referred to by it', async () => {
  for (const name of names) {
    const Tag = [{ Name: name }];
    const config = { Config: { Version: 1, Tag } };
    await room.call('config/apply', config);
    const again = await room.call('config/plan', config);
    const plan = again.Plan as readonly Values[];
    assert.deepEqual(
      plan.filter(({ Operation }) => Operation !== 'unmanaged'),
      [],
    );
    assertSound(name);
  }
});
