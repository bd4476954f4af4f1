import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { faultsOfRequest } from '../protocols/openrtb/bid-request-schema.ts';
import { played } from '../protocols/vast/vast-player.ts';
import { listenOnLoopback } from '../support/loopback.ts';
import { type Bidder, startBidder } from './bidder.ts';
import { type Values, zoneUrl } from './exchange-room.ts';
import { bannerImp, openRtbRoom, post, type RtbRoom, requestOf, videoImp } from './rtb-room.ts';

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
  const endpoint = {
    ConsentMode: 1,
    TmaxAdjust: 100,
    DspBidfloorMargin: 20,
    BlockedAdIabCategories: ['IAB26'],
  };
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
