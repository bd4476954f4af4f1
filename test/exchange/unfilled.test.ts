import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ask } from './ask.ts';
import { type Stored, type Values, zoneUrl } from './exchange-room.ts';
import { type MockDsp, requestIn, startMockDsp } from './mock-dsp.ts';
import { directUrl, feedUrl } from './pop-room.ts';
import { bannerImp, openRtbRoom, post, type RtbRoom, requestOf } from './rtb-room.ts';

let room: RtbRoom;
let dsp: MockDsp;
let urls: Readonly<Record<'vast' | 'banner' | 'pop' | 'direct' | 'rtb', string>>;
let rtbEp: Stored;
let vastTag: Stored;

before(async () => {
  room = await openRtbRoom();
  dsp = await startMockDsp();
  dsp.answer('/bid', () => ({ status: 204, body: '' }));
  dsp.answer('/pop', () => ({ status: 204, body: '' }));
  const { Id } = await room.dsp({ ZoneUrlUsEast: `${dsp.url}/bid` });
  const query = 'ua={ua}&url={url}&query={query}&subid={subid}&uid={uid}&lang={lang}';
  const pops = await room.add('xml/dsppopfeed', { FeedUrlUsEast: `${dsp.url}/pop?${query}` });
  vastTag = await room.add('ortb/vasttag', { Tmax: 2000, SiteDomain: 'own.example', DspRtbEps: [Id] });
  const banner = await room.add('bannerep', { Tmax: 2000, SiteDomain: 'own.example', DspRtbEps: [Id] });
  rtbEp = await room.endpoint({ DspRtbEps: [Id] });
  const feed = await room.add('xml/popfeed', { Tmax: 2000, DspPopFeeds: [pops.Id] });
  await room.served();
  const bare = (url: string) => url.replace(/&[^=&]+=\{[^}]*\}/g, '');
  urls = {
    vast: bare(zoneUrl(vastTag)),
    banner: bare(zoneUrl(banner)),
    rtb: zoneUrl(rtbEp),
    pop: bare(feedUrl(feed)),
    direct: bare(directUrl(feed)),
  };
});
after(async () => {
  await dsp.close();
  await room.close();
});

const agent = 'Mozilla/5.0 (X11; Linux x86_64) Firefox/128.0';
const headers = { 'user-agent': agent, referer: 'https://own.example/from' };
/** As they stand in a URL, some of them encoded. */
const macros = [
  '[MACRO]', '%5BMACRO%5D', '%255BMACRO%255D', '%%PATTERN:url%%', '%%DEVICE%%', '%25%25DEVICE%25%25',
  '{window.location.href}', '%7Bmacro%7D', '{{macro}}', "\x24{MACRO}", '__MACRO__', '<MACRO>',
  '-1', '-2', '0', 'undefined', 'unknown', '(null)', 'https://[MACRO]/', '00000000-0000-0000-0000-000000000000',
]; // biome-ignore format: a table

async function called(path: '/bid' | '/pop', url: string) {
  const from = dsp.calls(path).length;
  await ask(url, headers);
  return dsp.calls(path).slice(from);
}

describe('unfilled macros in URLs are absent', () => {
  const ofPlacement =
    'site_url app_bundle app_name app_store_url category ip ua os osv device_type device_make device_model lang ifa width height pos bidfloor'.split(
      ' ',
    );
  const parameters = {
    vast: [...ofPlacement, ...'series season context placement plcmt linearity minduration'.split(' ')],
    banner: ofPlacement,
  };
  for (const door of ['vast', 'banner'] as const) {
    for (const macro of macros) {
      test(`${door}: ${macro}`, async () => {
        const without = requestIn(await called('/bid', urls[door]));
        // `0` is the season of specials.
        const asked = parameters[door].filter((name) => !(macro === '0' && /^se(ries|ason)$/.test(name)));
        const query = asked.map((name) => `${name}=${macro}`).join('&');
        const sent = requestIn(await called('/bid', `${urls[door]}&${query}`));
        const shown = ({ site, app, device, imp }: Values) => ({ site, app, device, imp });
        const said = shown(sent as unknown as Values);
        const expected = shown(without as unknown as Values);
        const [one, other] = [said, expected].map((value) =>
          JSON.parse(JSON.stringify(value, (name, member) => (name === 'id' ? undefined : member))),
        );
        assert.deepEqual(one, other);
      });
    }
  }

  for (const macro of macros.filter((value) => value !== '0')) {
    for (const door of ['pop', 'direct'] as const) {
      test(`${door}: ${macro}`, async () => {
        const shownBy = async (url: string) => {
          const [call] = await called('/pop', url);
          return Object.fromEntries(new URL(call?.url ?? '', 'http://a.example').searchParams);
        };
        const names = ['user_ip', 'ua', 'url', 'query', 'subid', 'uid', 'lang'];
        const query = names.map((name) => `${name}=${macro}`).join('&');
        assert.deepEqual(await shownBy(`${urls[door]}&${query}`), await shownBy(urls[door]));
      });
    }
  }

  test('a value with a macro in it stays', async () => {
    const page = 'https://own.example/?x=[CACHEBUSTER]';
    const sent = requestIn(await called('/bid', `${urls.vast}&site_url=${encodeURIComponent(page)}`));
    assert.equal((sent.site as Values | undefined)?.page, page);
  });
});

describe('a URL out of HTML, with &amp;', () => {
  for (const door of ['vast', 'banner', 'pop', 'direct'] as const) {
    test(door, async () => {
      const path = door === 'vast' || door === 'banner' ? '/bid' : '/pop';
      for (const ampersand of ['&amp;', '&AMP;', '&amp;amp;', '&amp%3B']) {
        const calls = await called(path, urls[door].replaceAll('&', ampersand));
        assert.equal(calls.length, 1, ampersand);
      }
    });
  }
  test('rtb', async () => {
    const { status } = await post(urls.rtb.replaceAll('&', '&amp;'), requestOf([bannerImp]));
    assert.equal(status, 204);
  });
});

test('plcmt of a tag is sent beside placement; the URL wins', async () => {
  await room.call('ortb/vasttag/update', { VastTag: { Id: vastTag.Id, Placement: 1, Plcmt: 2 } });
  await room.served();
  const video = async (query: string) =>
    (requestIn(await called('/bid', urls.vast + query)).imp[0] as unknown as { video?: Values }).video;
  const { placement, plcmt } = (await video('')) ?? {};
  assert.deepEqual({ placement, plcmt }, { placement: 1, plcmt: 2 });
  assert.equal((await video('&plcmt=4'))?.plcmt, 4);
  await room.call('ortb/vasttag/update', { VastTag: { Id: vastTag.Id, Plcmt: 0 } });
  await room.served();
  assert.equal((await video(''))?.plcmt, undefined);
});

describe('unfilled macros in bid requests are absent', () => {
  const sent = async (request: Values) => {
    const from = dsp.calls('/bid').length;
    await post(urls.rtb, request);
    return requestIn(dsp.calls('/bid').slice(from)) as unknown as Values;
  };
  for (const macro of macros.map(decodeURIComponentOnce)) {
    test(macro, async () => {
      const site = { name: macro, domain: macro, page: macro, ref: macro, content: { url: macro, id: macro } };
      const app = { name: macro, bundle: macro, storeurl: macro, domain: macro, ver: macro };
      const geo = { country: macro, region: macro, city: macro, zip: macro };
      const device = { ua: macro, ip: macro, ifa: macro, os: macro, osv: macro, make: macro, model: macro, language: macro, carrier: macro, didmd5: macro, geo };
      const user = { id: macro, consent: macro, geo, ext: { consent: macro } };
      const regs = { us_privacy: macro, gpp: macro, ext: { us_privacy: macro } };
      for (const place of [{ site }, { app, site: undefined }]) {
        const text = JSON.stringify(await sent(requestOf([bannerImp], { ...place, device, user, regs })));
        assert.ok(!text.includes(JSON.stringify(macro)), text);
      }
    }); // biome-ignore format: a table
  }

  test('whatever the type of the member', async () => {
    const macro = '[MACRO]';
    const geo = { lat: macro, lon: macro, type: -1 };
    const device = {
      ua: agent,
      lmt: macro,
      dnt: -1,
      devicetype: '{{type}}',
      w: macro,
      connectiontype: -2,
      geo,
    };
    const site = {
      domain: 'own.example',
      mobile: macro,
      cat: ['%%CAT%%'],
      sectioncat: macro,
      publisher: '{publisher}',
      content: { context: macro, cat: ['IAB1', macro], livestream: -1 },
    };
    const regs = { coppa: macro, gdpr: '-1', ext: { gdpr: macro } };
    const request = requestOf([bannerImp], { device, site, regs, user: { yob: macro, kwarray: [macro] } });
    const text = JSON.stringify(await sent(request));
    assert.doesNotMatch(text, /MACRO|CAT%|\{\{|\{publisher|":-\d/);
    assert.match(text, /"cat":\["IAB1"\]/);
  });

  test('a value with a macro in it stays, and so do words', async () => {
    const site = { page: 'https://own.example/?x=[CACHEBUSTER]', search: '0', content: { title: '-1' } };
    const { site: shown } = await sent(requestOf([bannerImp], { site }));
    assert.deepEqual((shown as Values).page, site.page);
    assert.equal((shown as Values).search, '0');
    assert.deepEqual((shown as Values).content, site.content);
  });
});

function decodeURIComponentOnce(text: string): string {
  return text.startsWith('%25') ? decodeURIComponent(text) : text;
}

describe('Health', () => {
  const healthOf = async (kind: string, id: number) => {
    const [health] = (await room.call(`health/get?Entity=${kind}&Ids=${id}`)) as unknown as readonly Values[];
    return health ?? assert.fail();
  };
  interface Unfilled {
    readonly Parameter: string;
    readonly Requests: number;
    readonly Percent: number;
  }

  test('tells what share of requests leaves what unfilled', async () => {
    const tag = await room.add('ortb/vasttag', {});
    await room.served();
    const url = zoneUrl(tag).replace(/&[^=&]+=\{[^}]*\}/g, '');
    for (const ifa of ['[IFA]', 'a', '-1', 'b']) await ask(`${url}&ifa=${ifa}&ua=[UA]`, headers);
    const { Unfilled } = await healthOf('VastTag', tag.Id);
    assert.deepEqual(Unfilled, [
      { Parameter: 'ua', Requests: 4, Percent: 100 },
      { Parameter: 'ifa', Requests: 2, Percent: 50 },
    ] satisfies Unfilled[]);
  });

  test('counts a request once, and names members by their paths', async () => {
    const endpoint = await room.endpoint();
    await room.served();
    await post(zoneUrl(endpoint), requestOf([bannerImp, bannerImp], { device: { ifa: '[IFA]' } }));
    await post(zoneUrl(endpoint), requestOf([bannerImp], { device: { ifa: 'a', '[x]': '[x]' } }));
    const { Unfilled } = await healthOf('RtbEp', endpoint.Id);
    assert.deepEqual(Unfilled, [{ Parameter: 'device.ifa', Requests: 1, Percent: 50 }]);
  });

  test('and reports count requests that cannot be read as invalid', async () => {
    const endpoint = await room.endpoint();
    await room.served();
    for (const body of ['', '{', '{}', '{"id":"1","imp":[]}']) {
      assert.equal((await post(zoneUrl(endpoint), body)).status, 400);
    }
    let health = await healthOf('RtbEp', endpoint.Id);
    for (let tries = 0; health.Invalid !== 4 && tries < 100; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      health = await healthOf('RtbEp', endpoint.Id);
    }
    assert.equal(health.Invalid, 4);
    const [first] = health.Refusals as readonly Values[];
    assert.deepEqual([first?.Reason, first?.Refusals], ['invalid_request', 4]);
  });
});
