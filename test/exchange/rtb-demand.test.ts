import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { macroOf } from '../../src/protocols/openrtb/macros.ts';
import { faultsOfRequest } from '../protocols/openrtb/bid-request-schema.ts';
import { played } from '../protocols/vast/vast-player.ts';
import { listenOnLoopback } from '../support/loopback.ts';
import { type Bidder, startBidder } from './bidder.ts';
import { type Values, zoneUrl } from './exchange-room.ts';
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
let dsp: Bidder;
let markup: Values = {};

before(async () => {
  room = await openRtbRoom();
  dsp = await startBidder(() => markup);
});
after(async () => {
  await dsp.close();
  await room.close();
});

/** What the bidder is sent for a request, and what the endpoint answers. */
async function ask(request: object, endpoint: object = {}, demand: object = {}) {
  const { Id } = await room.dsp({ ZoneUrlUsEast: `${dsp.url}/bid`, ...demand });
  const rtbEp = await room.endpoint({ ...endpoint, DspRtbEps: [Id] });
  await room.served();
  const from = dsp.requests.length;
  const answer = await post(zoneUrl(rtbEp), request);
  const sent = dsp.requests.slice(from);
  for (const each of sent) assert.deepEqual(faultsOfRequest(each), []);
  return { answer, sent: sent[0] as (Values & Readonly<Record<'imp' | 'source', never>>) | undefined };
}

const vast = `<VAST version="3.0"><Ad id="1"><InLine><AdSystem>d</AdSystem><AdTitle>t</AdTitle>
<Impression><![CDATA[https://dsp.example/imp]]></Impression><Creatives><Creative><Linear><Duration>00:00:10</Duration>
<MediaFiles><MediaFile delivery="progressive" type="video/mp4" width="640" height="360">https://dsp.example/a.mp4</MediaFile>
</MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>`;
const wrapper = `<VAST version="3.0"><Ad id="1"><Wrapper><AdSystem>d</AdSystem><VASTAdTagURI>https://dsp.example/v</VASTAdTagURI>
<Impression>https://dsp.example/imp</Impression><Creatives></Creatives></Wrapper></Ad></VAST>`;
const script = '<script xmlns="http://www.w3.org/1999/xhtml">alert(1)</script>';
const audio = vast.replace('video/mp4', 'audio/mpeg');
const secureNative = { ...nativeImp, secure: 1 };
const nativeAd = {
  ver: '1.2',
  assets: [{ id: 1, title: { text: 'T' } }],
  link: { url: 'https://a.example/' },
};

describe('a DSP RTB EP in each medium', () => {
  interface Case {
    readonly name: string;
    readonly imp: object;
    readonly adm: string;
    readonly endpoint?: object;
    /** What the markup of the answer must match; undefined: no bid. */
    readonly answered?: RegExp;
  }
  const cases: readonly Case[] = [
    { name: 'video', imp: videoImp, adm: vast, answered: /\/track\/impression\?t=.*dsp\.example\/imp|dsp\.example\/imp.*\/track\/impression\?t=/s },
    { name: 'a wrapper', imp: videoImp, adm: wrapper, answered: /VASTAdTagURI/ },
    { name: 'VastInlineOnly', imp: videoImp, adm: wrapper, endpoint: { VastInlineOnly: 1 } },
    { name: 'audio', imp: audioImp, adm: audio, answered: /\/track\/impression\?t=/ },
    { name: 'audio that is none', imp: audioImp, adm: '<p>x</p>' },
    { name: 'audio of before VAST', imp: audioImp, adm: '<DAAST version="1.0"/>', answered: /^<DAAST version="1\.0"\/>$/ },
    { name: 'a script in audio of before VAST', imp: audioImp, adm: `<DAAST version="1.0"><Ad/>${script}</DAAST>`, answered: /^<DAAST version="1\.0"><Ad\/><\/DAAST>$/ },
    { name: 'a script that a macro makes', imp: audioImp, adm: `<DAAST version="1.0"><Ad/><![CDATA[]]${macroOf('IMP_TS')}>${script}<![CDATA[]]></DAAST>`, answered: /^<DAAST version="1\.0"><Ad\/><!\[CDATA\[]]><!\[CDATA\[]]><\/DAAST>$/ },
    { name: 'audio of before VAST in a comment', imp: audioImp, adm: `<VAST version="4.0"><!-- <DAAST > --><Ad>${script}</VAST>` },
    { name: 'a page that names audio of before VAST', imp: audioImp, adm: '<html xmlns="http://www.w3.org/1999/xhtml"><DAAST /></html>' },
    { name: 'audio of before VAST that is not well-formed', imp: audioImp, adm: '<DAAST version="1.0"><Ad></DAAST>' },
    { name: 'a wrapper of audio', imp: audioImp, adm: wrapper, answered: /\/track\/impression\?t=/ },
    { name: 'VastInlineOnly of audio', imp: audioImp, adm: wrapper, endpoint: { VastInlineOnly: 1 } },
    { name: 'audio of a type that is not known', imp: audioImp, adm: vast },
    { name: 'audio that is too long', imp: { audio: { ...audioImp.audio, maxduration: 9 } }, adm: audio },
    { name: 'audio by plain http', imp: { ...audioImp, secure: 1 }, adm: audio.replace('https://dsp.example/a', 'http://dsp.example/a') },
    { name: 'secure native whose click leads to http', imp: secureNative, adm: JSON.stringify({ ...nativeAd, link: { url: 'http://a.example/' } }), answered: /imptrackers/ },
    { name: 'native with a picture by plain http', imp: secureNative, adm: JSON.stringify({ ...nativeAd, assets: [{ id: 2, img: { url: 'http://a.example/i.png' } }] }) },
    { name: 'native whose click is tracked by plain http', imp: secureNative, adm: JSON.stringify({ ...nativeAd, link: { url: 'https://a.example/', clicktrackers: ['http://a.example/c'] } }) },
    { name: 'native', imp: nativeImp, adm: JSON.stringify(nativeAd), answered: /"imptrackers":\["http[^"]*\/track\/impression/ },
    { name: 'native, wrapped', imp: nativeImp, adm: JSON.stringify({ native: nativeAd }), answered: /^\{(?!"native").*imptrackers/ },
    { name: 'native with event trackers', imp: nativeImp, adm: JSON.stringify({ ...nativeAd, eventtrackers: [] }), answered: /"eventtrackers":\[\{"event":1,"method":1,"url":"http/ },
    { name: 'native that is none', imp: nativeImp, adm: '<p>native</p>' },
    { name: 'banner', imp: bannerImp, adm: '<p>x</p>', answered: /^<p>x<\/p><img src=/ },
    { name: 'pop by URL', imp: popImp, adm: 'https://brand.example/pop', answered: /^http[^ ]*\/track\/open\?t=/ },
    { name: 'pop by XML', imp: popImp, adm: '<ad><popunderAd><url>https://brand.example/</url></popunderAd></ad>', answered: /\/track\/open/ },
    { name: 'a pop by its extension', imp: { ext: { pop: 1 } }, adm: 'https://brand.example/pop', answered: /\/track\/open/ },
    { name: 'a pop to nowhere', imp: popImp, adm: 'javascript:alert(1)' },
  ]; // biome-ignore format: a table
  for (const { name, imp, adm, endpoint, answered } of cases) {
    test(name, async () => {
      markup = { adm };
      const { answer, sent } = await ask(requestOf([imp]), endpoint);
      assert.ok(sent);
      assert.equal(answer.status, answered ? 200 : 204);
      if (answered) assert.match(answer.bids[0]?.adm ?? '', answered);
    });
  }
});

test('what the request tells goes on to the bidder, with what the endpoint adds', async () => {
  markup = {};
  const request = requestOf(
    [
      {
        video: {
          mimes: ['video/webm'],
          w: 640,
          h: 360,
          minduration: 5,
          maxduration: 30,
          startdelay: -1,
          skip: 1,
          protocols: [7],
          api: [2],
          playbackmethod: [1],
          delivery: [2],
          plcmt: 2,
          linearity: 1,
          battr: [13],
        },
        bidfloor: 1.5,
        secure: 1,
        instl: 1,
      },
    ],
    {
      at: 2,
      tmax: 5000,
      bcat: ['IAB25'],
      badv: ['bad.example'],
      bapp: ['com.bad'],
      test: 0,
      site: undefined,
      app: {
        bundle: 'com.game',
        name: 'Game',
        storeurl: 'https://store.example/',
        cat: ['IAB9'],
        content: { series: 'S' },
      },
      device: {
        ua: 'Mozilla/5.0',
        ipv6: '2001:db8::1',
        os: 'Android',
        osv: '14.1',
        devicetype: 4,
        language: 'de',
        ifa: 'ifa-1',
        lmt: 0,
        geo: { country: 'DEU', lat: 52.5, lon: 13.4 },
      },
      user: { id: 'u1', ext: { consent: 'CO' } },
      regs: { coppa: 0, ext: { gdpr: 1, us_privacy: '1---' } },
    },
  );
  const endpoint = { TmaxAdjust: 100, DspBidfloorMargin: 20, BlockedAdIabCategories: ['IAB26'] };
  const { sent } = await ask(request, endpoint, { AuctionType: 0 });
  assert.ok(sent);
  const { imp, app, device, user, regs, ...rest } = sent as Values;
  // Reading the request takes a little of it.
  assert.ok(Number(rest.tmax) <= 4900 && Number(rest.tmax) > 2000, `tmax ${rest.tmax}`);
  assert.deepEqual(
    [rest.at, rest.bcat, rest.badv, rest.bapp],
    [2, ['IAB26', 'IAB25'], ['bad.example'], ['com.bad']],
  );
  assert.partialDeepStrictEqual(imp, [
    {
      bidfloor: 1.8,
      bidfloorcur: 'USD',
      secure: 1,
      instl: 1,
      video: {
        mimes: ['video/webm'],
        protocols: [7],
        api: [2],
        playbackmethod: [1],
        delivery: [2],
        plcmt: 2,
        minduration: 5,
        maxduration: 30,
        startdelay: -1,
        skip: 1,
        w: 640,
        h: 360,
        linearity: 1,
        battr: [13],
      },
    },
  ]);
  assert.partialDeepStrictEqual(app, {
    bundle: 'com.game',
    name: 'Game',
    cat: ['IAB9'],
    content: { series: 'S' },
  });
  assert.partialDeepStrictEqual(device, {
    ipv6: '2001:db8::1',
    os: 'Android',
    osv: '14.1',
    devicetype: 4,
    language: 'de',
    ifa: 'ifa-1',
    lmt: 0,
    geo: { country: 'DEU', lat: 52.5, lon: 13.4 },
  });
  assert.partialDeepStrictEqual(user, { id: 'u1', consent: 'CO' });
  assert.partialDeepStrictEqual(regs, { coppa: 0, gdpr: 1, us_privacy: '1---' });
});

describe('the supply chain', () => {
  const node = { asi: 'ssp.example', sid: '7', hp: 1 };
  const ours = { asi: '127.0.0.1', sid: 'pub-7', hp: 1 };
  const chain = { ver: '1.0', complete: 1, nodes: [{ ...node, ext: { a: 1 } }] };
  interface Case {
    readonly name: string;
    readonly endpoint?: object;
    readonly demand?: object;
    readonly source?: object;
    /** Nodes and completeness of what the bidder is sent; undefined: no chain. */
    readonly sent?: { readonly nodes: readonly object[]; readonly complete: 0 | 1 };
    readonly isRefused?: true;
  }
  const cases: readonly Case[] = [
    { name: 'none' },
    { name: 'passed on', source: { schain: chain }, sent: { nodes: [node], complete: 1 } },
    { name: 'passed on, as 2.5 has it', source: { ext: { schain: chain } }, sent: { nodes: [node], complete: 1 } },
    { name: 'appended', endpoint: { AddSchainNode: 1 }, source: { schain: chain }, sent: { nodes: [node, ours], complete: 1 } },
    { name: 'appended for this bidder', demand: { AddSchainNode: 1 }, source: { schain: { ...chain, complete: 0 } }, sent: { nodes: [node, ours], complete: 0 } },
    { name: 'begun', endpoint: { AddSchainNode: 1 }, sent: { nodes: [ours], complete: 0 } },
    { name: 'begun and complete', endpoint: { AddSchainNode: 1, SetSchainComplete: 1 }, sent: { nodes: [ours], complete: 1 } },
    { name: 'discarded', endpoint: { DiscardSchain: 1, AddSchainNode: 1 }, source: { schain: chain } },
    { name: 'discarded for this bidder', demand: { DiscardSchain: 1 }, source: { schain: chain } },
    { name: 'too long for this bidder', demand: { MaxSchainNodes: 1 }, source: { schain: { ...chain, nodes: [node, node] } }, isRefused: true },
    { name: 'incomplete for this bidder', demand: { CompleteSchain: 1 }, source: { schain: { ...chain, complete: 0 } }, isRefused: true },
    { name: 'a circle that nobody minds', source: { schain: { ...chain, nodes: [ours] } }, sent: { nodes: [ours], complete: 1 } },
  ]; // biome-ignore format: a table
  for (const { name, endpoint, demand, source, sent: wanted, isRefused } of cases) {
    test(name, async () => {
      const { sent } = await ask(requestOf([bannerImp], source ? { source } : {}), endpoint, demand);
      if (isRefused) return assert.equal(sent, undefined);
      const found = (sent?.source as Values | undefined)?.schain as Values | undefined;
      if (!wanted) return assert.equal(found, undefined);
      assert.equal(found?.complete, wanted.complete);
      assert.partialDeepStrictEqual(found?.nodes, wanted.nodes);
      assert.equal(((found?.nodes ?? []) as readonly object[]).length, wanted.nodes.length);
    });
  }
});

describe('limits of bidders', () => {
  const cases: readonly (readonly [string, object, object])[] = [
    ['MinTmax', { MinTmax: 500 }, requestOf([bannerImp], { tmax: 400 })],
    ['MaxBidfloor', { MaxBidfloor: 1 }, requestOf([{ ...bannerImp, bidfloor: 2 }])],
    ['a medium that it does not take', { BannerEnabled: 0 }, requestOf([bannerImp])],
    ['PubIdList', { PubIdList: 'pub-7' }, requestOf([bannerImp])],
  ];
  for (const [name, demand, request] of cases) {
    test(`${name}: not asked`, async () => assert.equal((await ask(request, {}, demand)).sent, undefined));
  }
});

test('second price plus, where the request asks for it or says nothing', async () => {
  const campaigns = await Promise.all([5, 2].map((Cpm) => room.campaign({ Type: 2, Cpm })));
  const pricesAt = async (HeaderBidJs: 0 | 1) => {
    const rtbEp = await room.endpoint({ HeaderBidJs, Campaigns: campaigns.map(({ Id }) => Id) });
    await room.served();
    const asked = [1, 2, undefined, 3].map((at) => post(zoneUrl(rtbEp), requestOf([bannerImp], { at })));
    return (await Promise.all(asked)).map(({ bids }) => bids[0]?.price);
  };
  assert.deepEqual(await pricesAt(0), [5, 2.01, 2.01, 5]);
  assert.deepEqual(
    await pricesAt(1),
    [5, 2.01, 5, 5],
    'header bidding is first price, and says nothing of it',
  );
});

test('a DSP VAST Tag bids for videos', async () => {
  await using tagServer = await listenOnLoopback(createServer((_, response) => response.end(vast)));
  const tag = await room.add('ortb/dspvasttag', { ZoneUrlUsEast: tagServer.url, FixedCpm: 2 });
  const rtbEp = await room.endpoint({ DspVastTags: [tag.Id] });
  await room.served();
  const { bids } = await post(zoneUrl(rtbEp), requestOf([bannerImp, videoImp]));
  assert.deepEqual(
    bids.map(({ impid, price }) => [impid, price]),
    [['2', 2]],
  );
  assert.equal((await played(bids[0]?.adm ?? '')).length, 1);
});

describe('header bidding in browsers', () => {
  const origin = 'https://news.example';
  const accessOf = (headers: Headers) =>
    [...headers].filter(([name]) => name.startsWith('access-control-')).map(([, value]) => value);
  for (const HeaderBidJs of [0, 1]) {
    test(HeaderBidJs ? 'may ask' : 'may not ask', async () => {
      const image = await room.campaign({ Type: 2, Browsers: [{ Family: 'Firefox' }] });
      const rtbEp = await room.endpoint({ HeaderBidJs, Campaigns: [image.Id] });
      await room.served();
      const preflight = await fetch(zoneUrl(rtbEp), { method: 'OPTIONS', headers: { origin } });
      assert.equal(preflight.status, 204);
      const allowed = [
        origin,
        'true',
        'POST, OPTIONS',
        'content-type, content-encoding, x-openrtb-version',
        '86400',
      ];
      assert.deepEqual(accessOf(preflight.headers).toSorted(), HeaderBidJs ? allowed.toSorted() : []);
      const headers = {
        origin,
        'content-type': 'text/plain',
        referer: `${origin}/page`,
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
      };
      const request = { ...requestOf([bannerImp]), site: undefined, device: undefined };
      const answer = await post(zoneUrl(rtbEp), request, headers);
      assert.equal(answer.status, HeaderBidJs ? 200 : 204, 'only a browser is the device itself');
      assert.deepEqual(accessOf(answer.headers).toSorted(), HeaderBidJs ? [origin, 'true'].toSorted() : []);
      if (HeaderBidJs) assert.match(answer.headers.get('vary') ?? '', /origin, accept-encoding/);
      const [held] = (await room.call(`exchange/auctions?RtbEp=${rtbEp.Id}`)) as unknown as readonly Values[];
      assert.equal(held?.Domain, HeaderBidJs ? 'news.example' : '');
    });
  }
});
