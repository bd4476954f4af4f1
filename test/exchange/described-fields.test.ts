import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { dspPopFeed } from '../../src/exchange/demand/dsp-pop-feed/dsp-pop-feed.ts';
import { type Bidder, startBidder } from './bidder.ts';
import { demandOf, solicitationOf } from './demand/examples.ts';
import { zoneUrl } from './exchange-room.ts';
import {
  audioImp,
  bannerImp,
  nativeImp,
  openRtbRoom,
  post,
  type RtbRoom,
  requestOf,
  videoImp,
} from './rtb-room.ts';

let room: RtbRoom;
let dsp: Bidder;
before(async () => {
  room = await openRtbRoom();
  dsp = await startBidder(() => undefined);
});
after(async () => {
  await dsp.close();
  await room.close();
});

const described = {
  Keywords: 'news,sport',
  AppName: 'Reader',
  AppBundle: 'com.reader',
  AppStoreUrl: 'https://store.example/r',
  Width: 640,
  Height: 360,
  AdPosition: 1,
  DisplayManager: 'Own Player',
};

test('bidders are told what the fields of a placement say of it', async () => {
  const { Id } = await room.dsp({ ZoneUrlUsEast: dsp.url });
  const common = { ...described, Tmax: 5000, DspRtbEps: [Id] };
  const video = { ...common, Mimes: ['video/webm'], Linearity: 1, Placement: 3 };
  const tag = await room.add('ortb/vasttag', video);
  const banner = await room.add('bannerep', { ...common, Mimes: ['image/png'] });
  await room.served();
  for (const object of [tag, banner]) await fetch(zoneUrl(object));
  const [ofVideo, ofBanner] = dsp.requests;
  const app = {
    name: 'Reader',
    bundle: 'com.reader',
    storeurl: 'https://store.example/r',
    keywords: 'news,sport',
  };
  const size = { w: 640, h: 360, pos: 1 };
  assert.partialDeepStrictEqual(ofVideo, {
    app,
    imp: [
      {
        displaymanager: 'Own Player',
        video: { ...size, mimes: ['video/webm'], linearity: 1, placement: 3 },
      },
    ],
  });
  assert.partialDeepStrictEqual(ofBanner, {
    app,
    imp: [{ displaymanager: 'Own Player', banner: { ...size, mimes: ['image/png'] } }],
  });
});

test('an endpoint, and a bidder, take part for the media that are enabled', async () => {
  const media = [
    ['BannerEnabled', bannerImp],
    ['VideoEnabled', videoImp],
    ['AudioEnabled', audioImp],
    ['NativeEnabled', nativeImp],
  ] as const;
  for (const [field, imp] of media) {
    const outcomes: boolean[] = [];
    for (const [endpoint, demand] of [
      [{}, {}],
      [{ [field]: 0 }, {}],
      [{}, { [field]: 0 }],
    ]) {
      const { Id } = await room.dsp({ ZoneUrlUsEast: dsp.url, ...demand });
      const rtbEp = await room.endpoint({ DspRtbEps: [Id], ...endpoint });
      await room.served();
      const from = dsp.requests.length;
      await post(zoneUrl(rtbEp), requestOf([imp]));
      outcomes.push(dsp.requests.length > from);
    }
    assert.deepEqual(outcomes, [true, false, false], field);
  }
});

test('a pop feed is asked by the URL of the region', () => {
  const urls = {
    FeedUrlUsEast: 'https://us.example/',
    FeedUrlEu: 'https://eu.example/',
    FeedUrlApac: 'https://ap.example/',
  };
  for (const [region, url] of [
    ['us-east', urls.FeedUrlUsEast],
    ['eu', urls.FeedUrlEu],
    ['apac', urls.FeedUrlApac],
  ] as const) {
    const request = dspPopFeed.build(demandOf('DspPopFeed', urls), solicitationOf({ region }));
    assert.equal(request && 'url' in request && request.url, url, region);
  }
});
