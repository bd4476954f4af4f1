import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Stored, type Values, zoneUrl } from './exchange-room.ts';
import { bidResponse, type DspCall, type MockDsp, startMockDsp, vastAd } from './mock-dsp.ts';
import { directUrl, feedUrl } from './pop-room.ts';
import {
  audioImp,
  bannerImp,
  nativeImp,
  openRtbRoom,
  popImp,
  post,
  type RtbRoom,
  requestOf,
  videoImp,
} from './rtb-room.ts';

let room: RtbRoom;
let dsp: MockDsp;
let rtbEp: Stored;
let tag: Stored;
let feed: Stored;
let banner: Stored;
/** Asks only the bidder; both, as a waterfall. */
let bidderTag: Stored;
let waterfall: Stored;
/** Of the bidder. */
let markup = '';

const names = ['gdpr', 'gdpr_consent', 'us_privacy', 'gpp', 'gpp_sid', 'coppa', 'lmt', 'gpc'] as const;
const consent = 'CPXxRfAPXxRfAAfKABENB-CgAAAAAAAAAAYgAAAAAAAA.YAAAAAAAAAAA';
const gpp = 'DBABLA~CAARAAAAAABA.YA';
/** As URLs say them and are filled with them. */
const signals = {
  gdpr: '1',
  gdpr_consent: consent,
  us_privacy: '1YNN',
  gpp,
  gpp_sid: '7,8',
  coppa: '0',
  lmt: '0',
  gpc: '1',
} as const;
const said = names.map((name) => `&${name}=${encodeURIComponent(signals[name])}`).join('');
const inBraces = names.map((name) => `${name}={${name}}`).join('&');

/** As OpenRTB 2.6 and 2.5 say them. */
const both = { gdpr: 1, us_privacy: '1YNN', gpp, gpp_sid: [7, 8] };
const sent = {
  regs: { coppa: 0, ...both, ext: { ...both, gpc: '1' } },
  user: { consent, ext: { consent } },
  device: { lmt: 0 },
};

/** Macros are written `$[…]` here, which no linter takes for a template. */
const dollars = (text: string) => text.replaceAll(/\$\[([^\]]*)\]/g, (_, name: string) => `\${${name}}`);
const iab = dollars(
  'a=$[GDPR]&b=$[GDPR_CONSENT_755]&c=$[GDPR_CONSENT]&d=$[US_PRIVACY]&e=$[GPP_STRING_12]&f=$[GPP_STRING]&g=$[GPP_SID]&u=x%3D%24%7BGDPR_CONSENT_1%7D&z',
);
const iabFilled = (c: string) => `a=1&b=${c}&c=${c}&d=1YNN&e=${gpp}&f=${gpp}&g=7%2C8&u=x%3D${c}&z`;
const iabEmpty = 'a=&b=&c=&d=&e=&f=&g=&u=x%3D&z';
const url = `https://t.example/?${iab}`;
const ofPlayers =
  'r=[REGULATIONS]&c=[GDPRCONSENT]&p=[GPPSTRING]&s=[GPPSECTIONID]&l=[LIMITADTRACKING]&e=%5BGDPRCONSENT%5D&cb=[CACHEBUSTING]';
const ofPlayersFilled = `r=gdpr&c=${consent}&p=${gpp}&s=7%2C8&l=0&e=${consent}&cb=[CACHEBUSTING]`;

const withTracker = (tracker: string, version = '3.0') =>
  vastAd({ version }).replace('https://dsp.example/imp', tracker);
const vast = withTracker(`${url}&${ofPlayers}`).replace(
  '<AdTitle>t</AdTitle>',
  '<AdTitle><![CDATA[GPPSTRING]]></AdTitle>',
);
const page = `<img src="${url}"><a href="https://brand.example/">x</a>`;
const native = JSON.stringify({ assets: [], link: { url: 'https://brand.example/' }, imptrackers: [url] });

before(async () => {
  room = await openRtbRoom();
  dsp = await startMockDsp();
  dsp.answer('/rtb', (call) => {
    const noticeUrls = ['nurl', 'burl', 'lurl'].map((name) => [name, `${dsp.url}/notice?n=${name}&${iab}`]);
    return bidResponse(call, { price: 5, adm: markup, ...Object.fromEntries(noticeUrls) });
  });
  dsp.answer('/vast', () => ({ body: vast }));
  dsp.answer('/pop', () => ({ body: '{"result":[{"bid":"0.004","url":"https://brand.example/"}]}' }));
  dsp.answer('/notice', () => ({ body: '' }));
  const rtb = await room.dsp({ ZoneUrlUsEast: `${dsp.url}/rtb` });
  const vastTag = await room.add('ortb/dspvasttag', {
    ZoneUrlUsEast: `${dsp.url}/vast?${inBraces}`,
    FixedCpm: 9,
  });
  const pop = await room.add('xml/dsppopfeed', {
    FeedUrlUsEast: `${dsp.url}/pop?${inBraces}`,
    DirectUrl: '',
  });
  // What is carried is said, not read.
  const asked = { DspRtbEps: [rtb.Id], ConsentMode: 1 };
  const bidder = { ...asked, Tmax: 2000 };
  rtbEp = await room.endpoint({ ...asked, DspVastTags: [vastTag.Id], DspPopFeeds: [pop.Id] });
  tag = await room.add('ortb/vasttag', { ...bidder, DspVastTags: [vastTag.Id] });
  bidderTag = await room.add('ortb/vasttag', bidder);
  waterfall = await room.add('ortb/vasttag', { ...bidder, DspVastTags: [vastTag.Id], Waterfall: 1 });
  banner = await room.add('bannerep', bidder);
  feed = await room.add('xml/popfeed', { ...bidder, DspPopFeeds: [pop.Id] });
  await room.served();
});
after(async () => {
  await dsp.close();
  await room.close();
});

/** What partners are asked meanwhile, by path. */
async function askedBy(ask: () => Promise<unknown>): Promise<ReadonlyMap<string, readonly DspCall[]>> {
  const paths = ['/rtb', '/vast', '/pop'];
  const counts = new Map(paths.map((path) => [path, dsp.calls(path).length]));
  await ask();
  return new Map(paths.map((path) => [path, dsp.calls(path).slice(counts.get(path))]));
}

/** The URL of the notice that the bidder gets for it. */
async function noticeBy(name: string, ask: () => Promise<unknown>): Promise<string> {
  const before = new Set(dsp.calls('/notice'));
  await ask();
  const { url: called } = await dsp.call(
    '/notice',
    (call) => !before.has(call) && call.url.includes(`n=${name}`),
  );
  return called;
}

const get = (address: string) =>
  fetch(address, { redirect: 'manual', headers: { 'user-agent': 'Mozilla/5.0' } });
const rtb = (imp: object, members: object = sent) => post(zoneUrl(rtbEp), requestOf([imp], members));
const older = {
  regs: { coppa: 0, ext: { ...both, gpc: 1 } },
  user: { ext: { consent } },
  device: { lmt: 0 },
};

describe('all signals go to all kinds of demand', () => {
  const doors = [
    { name: '/vast', ask: () => get(zoneUrl(tag) + said), by: ['/rtb', '/vast'] },
    { name: '/banner', ask: () => get(zoneUrl(banner) + said), by: ['/rtb'] },
    { name: '/pop', ask: () => get(feedUrl(feed) + said), by: ['/rtb', '/pop'] },
    { name: '/direct', ask: () => get(directUrl(feed) + said), by: ['/rtb', '/pop'] },
    { name: '/rtb, video', ask: () => rtb(videoImp), by: ['/rtb', '/vast'] },
    { name: '/rtb, pop', ask: () => rtb(popImp), by: ['/rtb', '/pop'] },
    { name: '/rtb of 2.5, video', ask: () => rtb(videoImp, older), by: ['/rtb', '/vast'] },
    { name: '/rtb of 2.5, pop', ask: () => rtb(popImp, older), by: ['/rtb', '/pop'] },
  ];
  for (const { name, ask, by } of doors) {
    test(name, async () => {
      markup = vast;
      const asked = await askedBy(ask);
      for (const path of by) {
        const [call] = asked.get(path) ?? [];
        assert.ok(call, path);
        if (path === '/rtb') assert.partialDeepStrictEqual(JSON.parse(call.body), sent);
        else assert.deepEqual(Object.fromEntries(new URL(call.url, dsp.url).searchParams), signals);
      }
    });
  }

  test('what nobody said is empty in URLs and absent in bid requests', async () => {
    markup = vast;
    const asked = await askedBy(() => get(zoneUrl(tag)));
    assert.match(
      asked.get('/vast')?.[0]?.url ?? '',
      /\?gdpr=&gdpr_consent=&us_privacy=&gpp=&gpp_sid=&coppa=&lmt=&gpc=$/,
    );
    const request: Values = JSON.parse(asked.get('/rtb')?.[0]?.body ?? '');
    assert.deepEqual([request.regs, request.user], [undefined, undefined]);
  });
});

describe('a signal in a URL that is badly written is not lost', () => {
  const cases: readonly (readonly [written: string, regs: Values | undefined, lmt?: number])[] = [
    ['gdpr=2', { gdpr: 1 }],
    ['gdpr=yes', { gdpr: 1 }],
    ['gdpr=TRUE', { gdpr: 1 }],
    ['gdpr=1.0', { gdpr: 1 }],
    ['gdpr=0', { gdpr: 0 }],
    ['gdpr=0.0', { gdpr: 0 }],
    ['gdpr=false', { gdpr: 0 }],
    ['coppa=x', { coppa: 1 }],
    ['gpc=2', { ext: { gpc: '1' } }],
    ['gpc=0', undefined],
    ['lmt=on', undefined, 1],
    ['gdpr=&lmt=', undefined],
    ['gdpr=-1&coppa=null', undefined],
    ['gdpr=[GDPR]&gdpr_consent=[GDPRCONSENT]&gpp=[GPPSTRING]&gpp_sid=[GPPSECTIONID]&lmt=[LIMITADTRACKING]', undefined],
    [dollars('gdpr=$[GDPR]&gdpr_consent=$[GDPR_CONSENT_755]&gpp_sid=$[GPP_SID]&coppa=%25%25TFCD%25%25'), undefined],
    ['gdpr={{gdpr}}&gdpr_consent={{gdpr_consent}}&us_privacy={{us_privacy}}', undefined],
    ['gdpr=gdpr&coppa=gdpr', { gdpr: 1 }],
    ['gdpr=coppa,gdpr&coppa=coppa,gdpr', { gdpr: 1, coppa: 1 }],
    ['gpp_sid=7_8', { gpp_sid: [7, 8] }],
    ['gpp_sid=7,7', { gpp_sid: [7] }],
    ['gpp_sid=7,x', { gpp_sid: [7, 0] }],
    ['gpp_sid=1e99', { gpp_sid: [0] }],
    ['us_privacy=nonsense&gpp=%22%3E', { us_privacy: 'nonsense', gpp: '">' }],
  ]; // biome-ignore format: a table
  for (const [written, regs, lmt] of cases) {
    test(written, async () => {
      markup = page;
      const asked = await askedBy(() => get(`${zoneUrl(banner)}&${written}`));
      const request: { regs?: Values; user?: Values; device: Values } = JSON.parse(
        asked.get('/rtb')?.[0]?.body ?? '',
      );
      if (regs === undefined) assert.equal(request.regs, undefined);
      else assert.partialDeepStrictEqual(request.regs, regs);
      assert.deepEqual([request.user, request.device.lmt], [undefined, lmt]);
    });
  }
});

describe('Global Privacy Control in a bid request', () => {
  const cases: readonly (readonly [gpc: unknown, sent: string | undefined])[] = [
    ['1', '1'],
    [1, '1'],
    [true, '1'],
    ['yes', '1'],
    ['0', '0'],
    [0, '0'],
    [false, '0'],
    [null, undefined],
    [dollars('$[GPC]'), undefined],
  ];
  for (const [gpc, wanted] of cases) {
    test(JSON.stringify(gpc), async () => {
      const regs = { ext: { gpc, dsa: { dsarequired: 1 } } };
      const asked = await askedBy(() => rtb(videoImp, { regs }));
      const body: { regs: { ext: Values } } = JSON.parse(asked.get('/rtb')?.[0]?.body ?? '');
      assert.deepEqual([body.regs.ext.gpc, body.regs.ext.dsa], [wanted, { dsarequired: 1 }]);
    });
  }
});

describe('macros in ads and notices', () => {
  const kept = (answered: string) => answered.replaceAll('&amp;', '&').replaceAll('\\/', '/');
  const ads = [
    { name: 'a banner', adm: page, supply: () => banner },
    { name: 'VAST of a tag', adm: '', supply: () => tag },
    { name: 'VAST of a bidder', adm: vast, supply: () => bidderTag },
    { name: 'a waterfall', adm: vast, supply: () => waterfall, times: 2 },
  ];
  for (const { name, adm, supply, times = 1 } of ads) {
    test(name, async () => {
      markup = adm;
      const ask = async (signal: string) => kept(await (await get(zoneUrl(supply()) + signal)).text());
      assert.equal((await ask(said)).split(iabFilled(consent)).length, times + 1);
      assert.equal((await ask('')).split(iabEmpty).length, times + 1);
    });
  }

  const offered = [
    { name: 'banner', imp: bannerImp, adm: page },
    { name: 'video', imp: videoImp, adm: vast },
    { name: 'audio', imp: audioImp, adm: vast.replace('video/mp4', 'audio/mpeg') },
    { name: 'native', imp: nativeImp, adm: native },
  ];
  for (const { name, imp, adm } of offered) {
    test(`${name} at /rtb`, async () => {
      markup = adm;
      const [bid] = (await rtb(imp)).bids;
      assert.ok(kept(bid?.adm ?? '').includes(iabFilled(consent)), bid?.adm ?? 'no bid');
    });
  }

  test('the URL of a pop', async () => {
    markup = url;
    const [bid] = (await rtb(popImp)).bids;
    const { headers } = await get(bid?.adm ?? '');
    assert.ok(headers.get('location')?.includes(iabFilled(consent)), headers.get('location') ?? '');
  });

  test('a campaign', async () => {
    const campaign = await room.campaign({ Type: 2, Html: page });
    const ep = await room.add('bannerep', { Campaigns: [campaign.Id] });
    await room.served();
    const answered = await (await get(zoneUrl(ep) + said)).text();
    assert.ok(kept(answered).includes(iabFilled(consent)), answered);
  });

  test('those of players are filled as far as they are known, and names in CDATA stay', async () => {
    markup = vast;
    const answered = await (await get(zoneUrl(tag) + said)).text();
    assert.ok(answered.includes(ofPlayersFilled), answered);
    assert.ok(answered.includes('<![CDATA[GPPSTRING]]>'));
    const unknown = await (await get(zoneUrl(tag))).text();
    assert.ok(unknown.includes(ofPlayers), unknown);
    const protectedOnes = await (await get(`${zoneUrl(tag)}&coppa=1&gdpr=1`)).text();
    assert.ok(protectedOnes.includes('r=coppa%2Cgdpr&c=[GDPRCONSENT]'), protectedOnes);
  });

  test('notices', async () => {
    markup = page;
    const ask = async () => (await get(zoneUrl(banner) + said)).text();
    assert.ok((await noticeBy('nurl', ask)).includes(iabFilled(consent)));
    const pixel = /http[^"]*\/track\/impression\?[^"]*/.exec(kept(await ask()))?.[0] ?? '';
    assert.ok((await noticeBy('burl', () => fetch(pixel))).includes(iabFilled(consent)));
    assert.ok((await noticeBy('lurl', () => rtb(videoImp))).includes(iabFilled(consent)));
    const [bid] = (await rtb(bannerImp)).bids;
    assert.ok((await noticeBy('nurl', () => fetch(bid?.nurl ?? ''))).includes(iabFilled(consent)));
  });

  test('a notice that consent would make too long is called without it', async () => {
    markup = page;
    const long = 'C'.repeat(1500);
    const { bids } = await rtb(bannerImp, { ...sent, user: { consent: long } });
    assert.ok(bids[0]?.adm.includes(iabFilled(long)));
    const called = await noticeBy('nurl', () => fetch(bids[0]?.nurl ?? ''));
    assert.ok(called.includes('&a=1&b=&c=&d=1YNN&e=&f=&g=7%2C8&'), called);
  });
});

describe('a hostile string gets into no markup', () => {
  const strings = [
    '"><script>alert(1)</script>',
    "'onerror='alert(1)",
    ']]></Impression><x/>',
    '</script>',
    'javascript:alert(1)//',
    '\\"}],"x":[{"',
    `${dollars('$[AUCTION_PRICE]')}`,
    'C'.repeat(4097),
    'CPXx ',
    '%22%3E',
  ];
  for (const hostile of strings) {
    test(hostile.slice(0, 30), async () => {
      const regs = { gdpr: 1, us_privacy: hostile, gpp: hostile, gpp_sid: [7] };
      const empty = 'a=1&b=&c=&d=&e=&f=&g=7&u=x%3D&z';
      for (const [imp, adm] of [
        [bannerImp, page],
        [videoImp, vast],
        [nativeImp, native],
      ] as const) {
        markup = adm;
        const { bids } = await rtb(imp, { regs, user: { consent: hostile } });
        assert.ok(bids[0]?.adm.includes(empty), bids[0]?.adm ?? 'no bid');
        assert.ok(!bids[0]?.adm.includes(hostile));
      }
      markup = page;
      const query = ['gdpr_consent', 'gpp', 'us_privacy'].map(
        (name) => `&${name}=${encodeURIComponent(hostile)}`,
      );
      const answered = await (await get(`${zoneUrl(banner)}&gdpr=1&gpp_sid=7${query.join('')}`)).text();
      assert.ok(answered.includes(empty) && !answered.includes(hostile), answered);
    });
  }
});
