import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { popUrl } from '../../src/protocols/openrtb/pop-markup.ts';
import { faultsOfResponse } from '../protocols/openrtb/bid-request-schema.ts';
import { played } from '../protocols/vast/vast-player.ts';
import { zoneUrl } from './exchange-room.ts';
import {
  audioImp,
  bannerImp,
  nativeImp,
  openRtbRoom,
  popImp,
  post,
  type RtbResponse,
  type RtbRoom,
  requestOf,
  videoImp,
} from './rtb-room.ts';

let room: RtbRoom;
before(async () => {
  room = await openRtbRoom();
});
after(() => room.close());

const bigText = 'x'.repeat(600_000);
const deep = `{"id":"1","imp":[{"id":"1","banner":{}}],"ext":${'['.repeat(5000)}${']'.repeat(5000)}}`;
const bomb = gzipSync(Buffer.alloc(64 * 1_048_576));
const valid = requestOf([bannerImp]);
const text = JSON.stringify(valid);

describe('status codes', () => {
  interface Case {
    readonly name: string;
    readonly url?: (url: string) => string;
    readonly body: object | string | Uint8Array<ArrayBuffer>;
    readonly headers?: Readonly<Record<string, string>>;
    readonly status: number;
    readonly nbr?: number;
  }
  const without = (name: string) => Object.fromEntries(Object.entries(valid).filter(([key]) => key !== name));
  const cases: readonly Case[] = [
    { name: 'a bid', body: valid, status: 200 },
    { name: 'gzip', body: gzipSync(text), headers: { 'content-encoding': 'gzip' }, status: 200 },
    {
      name: 'gzip that no header names',
      body: gzipSync(text),
      headers: { 'content-type': 'text/plain' },
      url: (url) => `${url}&gzip=1`,
      status: 200,
    },
    {
      name: 'gzip that is named identity',
      body: gzipSync(text),
      headers: { 'content-encoding': 'identity' },
      status: 200,
    },
    { name: 'a gzip bomb that no header names', body: bomb, status: 400, nbr: 2 },
    {
      name: 'gzip that no header names and that breaks off',
      body: gzipSync(text).subarray(0, 60),
      status: 400,
      nbr: 2,
    },
    { name: 'brotli', body: brotliCompressSync(text), headers: { 'content-encoding': 'br' }, status: 200 },
    { name: 'any content type', body: text, headers: { 'content-type': 'text/plain' }, status: 200 },
    { name: 'a byte order mark', body: `\ufeff${text}`, status: 200 },
    { name: 'nothing for this floor', body: requestOf([{ ...bannerImp, bidfloor: 50 }]), status: 204 },
    { name: 'no body', body: '', status: 400, nbr: 2 },
    { name: 'no JSON', body: 'id=1', status: 400, nbr: 2 },
    { name: 'truncated', body: text.slice(0, -20), status: 400, nbr: 2 },
    { name: 'JSON that is no object', body: '[1]', status: 400, nbr: 2 },
    { name: 'null', body: 'null', status: 400, nbr: 2 },
    { name: 'too deep', body: deep, status: 400, nbr: 2 },
    { name: 'too large', body: { ...valid, ext: bigText }, status: 400, nbr: 2 },
    { name: 'a gzip bomb', body: bomb, headers: { 'content-encoding': 'gzip' }, status: 400, nbr: 2 },
    { name: 'not gzip at all', body: text, headers: { 'content-encoding': 'gzip' }, status: 400, nbr: 2 },
    {
      name: 'gzip that breaks off',
      body: gzipSync(text).subarray(0, 60),
      headers: { 'content-encoding': 'gzip' },
      status: 400,
      nbr: 2,
    },
    { name: 'an unknown encoding', body: text, headers: { 'content-encoding': 'zap' }, status: 400, nbr: 2 },
    { name: 'no id', body: without('id'), status: 400, nbr: 2 },
    { name: 'no imp', body: without('imp'), status: 400, nbr: 2 },
    { name: 'an empty imp', body: requestOf([]), status: 400, nbr: 2 },
    { name: 'an imp in no medium', body: requestOf([{}]), status: 400, nbr: 2 },
    { name: 'a site and an app', body: { ...valid, app: {} }, status: 400, nbr: 2 },
    { name: 'a site and a screen', body: { ...valid, dooh: {} }, status: 400, nbr: 2 },
    { name: 'nothing but faulty imps', body: requestOf([{ banner: 1 }, {}]), status: 400, nbr: 2 },
    { name: 'a width that is text', body: requestOf([{ banner: { w: '300' } }]), status: 400, nbr: 2 },
    { name: 'a floor below 0', body: requestOf([{ ...bannerImp, bidfloor: -1 }]), status: 400, nbr: 2 },
    {
      name: 'an endless floor',
      body: text.replace('"banner"', '"bidfloor":1e400,"banner"'),
      status: 400,
      nbr: 2,
    },
    {
      name: 'another zone',
      url: (url) => url.replace(/zone=\d+/, 'zone=999999'),
      body: valid,
      status: 401,
      nbr: 501,
    },
    { name: 'a wrong auth', url: (url) => `${url}x`, body: valid, status: 401, nbr: 501 },
    { name: 'no query', url: (url) => url.replace(/\?.*/, ''), body: valid, status: 401, nbr: 501 },
  ];
  let campaignId = 0;
  before(async () => {
    campaignId = (await room.campaign({ Type: 2 })).Id;
  });
  for (const { name, url = (of: string) => of, body, headers, status, nbr } of cases) {
    test(`${name}: ${status}`, async () => {
      const rtbEp = await room.endpoint({ Campaigns: [campaignId] });
      await room.served();
      const answer = await post(url(zoneUrl(rtbEp)), body, headers);
      assert.equal(answer.status, status);
      assert.equal(answer.body?.nbr, nbr);
      assert.equal(answer.bids.length, status === 200 ? 1 : 0);
    });
  }

  test('a 400 tells whoever integrates what is wrong', async () => {
    const rtbEp = await room.endpoint();
    await room.served();
    const faultIn = async (body: object | string) => (await post(zoneUrl(rtbEp), body)).body;
    const width = {
      id: 'request-1',
      nbr: 2,
      ext: { fault: 'imp[0].banner.w: wanted an integer from 0 to 99999 (OpenRTB 2.6 section 3.2.6)' },
    };
    assert.deepEqual(await faultIn(requestOf([{ banner: { w: '300' } }])), width);
    assert.deepEqual(await faultIn('{'), { id: '', nbr: 2, ext: { fault: 'wanted JSON' } });
  });

  test('an imp that is wrong is named, and the others are auctioned', async () => {
    const rtbEp = await room.endpoint({ Campaigns: [campaignId] });
    await room.served();
    const imps = [{ banner: { w: '300' } }, bannerImp, { ...bannerImp, id: '2' }, { ...bannerImp, id: 4 }];
    const { status, body, bids } = await post(zoneUrl(rtbEp), requestOf(imps));
    assert.equal(status, 200);
    assert.deepEqual(faultsOfResponse(body), []);
    assert.deepEqual(
      bids.map(({ impid }) => impid),
      ['2'],
    );
    const wrong = (imp: number, id: string | undefined, path: string, wanted: string, section = '3.2.4') => ({
      imp,
      ...(id && { id }),
      path: `imp[${imp}]${path}`,
      fault: `wanted ${wanted} (OpenRTB 2.6 section ${section})`,
    });
    assert.deepEqual(body?.ext, {
      dropped: [
        wrong(0, '1', '.banner.w', 'an integer from 0 to 99999', '3.2.6'),
        wrong(2, '2', '.id', 'a unique ID'),
        wrong(3, undefined, '.id', 'a string that is not empty'),
      ],
    });
    const whole = await post(zoneUrl(rtbEp), valid);
    assert.deepEqual([whole.status, whole.body?.ext], [200, undefined]);
  });

  test('over MaxQps: 429, and not counted', async () => {
    const rtbEp = await room.endpoint({ MaxQps: 2, Campaigns: [campaignId] });
    await room.served();
    const answers: RtbResponse[] = [];
    for (let sent = 0; sent < 5; sent += 1)
      answers.push(await post(zoneUrl(rtbEp), requestOf([bannerImp, videoImp])));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 429, 429, 429],
    );
    assert.equal(answers[2]?.body?.nbr, 530);
    assert.equal(answers[2]?.headers.get('retry-after'), '1');
    const limited = await room.endpoint({ RequestsDailyLimit: 1, Campaigns: [campaignId] });
    await room.served();
    const statuses: number[] = [];
    for (let sent = 0; sent < 3; sent += 1) statuses.push((await post(zoneUrl(limited), valid)).status);
    assert.deepEqual(statuses, [200, 204, 204], 'a limit of the day is no overload');
    assert.equal((await room.statistics(limited, ({ Requests }) => Number(Requests) > 0)).Requests, 1);
    const row = await room.statistics(rtbEp, ({ Requests }) => Number(Requests) > 0);
    assert.equal(row.Requests, 2);
  });

  test('inactive: 204', async () => {
    const rtbEp = await room.endpoint({ Campaigns: [campaignId] });
    await room.call('ortb/rtbep/deactivate', { RtbEp: { Id: rtbEp.Id } });
    await room.served();
    assert.equal((await post(zoneUrl(rtbEp), valid)).status, 204);
  });

  test('other methods: 405', async () => {
    const response = await fetch(`${room.server.url}/rtb`);
    assert.deepEqual([response.status, response.headers.get('allow')], [405, 'POST, OPTIONS']);
  });

  test('answers are compressed for those who take it', async () => {
    const rtbEp = await room.endpoint({ Campaigns: [campaignId] });
    await room.served();
    const encodingFor = async (accepted: string) =>
      (await post(zoneUrl(rtbEp), valid, { 'accept-encoding': accepted })).headers.get('content-encoding');
    assert.equal(await encodingFor('gzip, br'), 'gzip');
    assert.equal(await encodingFor('identity'), null);
    assert.equal(await encodingFor('gzip;q=0'), null);
  });
});

test('several impressions, each answered with what was won for it', async () => {
  const campaigns = await Promise.all([
    room.campaign({ Type: 1, Cpm: 4 }),
    room.campaign({ Type: 2, Cpm: 2, Width: 300, Height: 250 }),
    room.campaign({ Type: 3, Cpm: 1 }),
  ]);
  const rtbEp = await room.endpoint({ Campaigns: campaigns.map(({ Id }) => Id), PublisherProfitShare: 50 });
  await room.served();
  const imps = [
    videoImp,
    { ...bannerImp, bidfloor: 1 },
    popImp,
    nativeImp,
    audioImp,
    { ...bannerImp, bidfloor: 3 },
  ];
  const { status, body, bids } = await post(zoneUrl(rtbEp), requestOf(imps));
  assert.equal(status, 200);
  assert.deepEqual([body?.id, body?.cur], ['request-1', 'USD']);
  // The publisher's part: its floor, and half of what is above.
  const told = bids.map(({ impid, price, mtype, w, h, crid }) => [impid, price, mtype, w, h, crid]);
  const [film, image, pop] = campaigns.map(({ Id }) => String(Id));
  assert.deepEqual(told, [
    ['1', 2, 2, 640, 360, film],
    ['2', 1.5, 1, 300, 250, image],
    ['3', 0.5, undefined, undefined, undefined, pop],
  ]);
  const [video, banner, popunder] = bids;
  assert.equal((await played(video?.adm ?? '')).length, 1);
  assert.match(
    banner?.adm ?? '',
    /^<a href="http.*\/track\/click\?t=.*"><p>brand<\/p><\/a><img src="http.*\/track\/impression\?t=/,
  );
  const opened = await fetch(popunder?.adm ?? '', { redirect: 'manual' });
  assert.deepEqual([opened.status, opened.headers.get('location')], [302, 'https://brand.example/offer']);
  const row = await room.statistics(rtbEp, ({ Requests }) => Number(Requests) > 0);
  assert.deepEqual(
    [row.Requests, row.Bids, row.Wins, row.Bills],
    [1, 4, 0, 0],
    'a bid below the floor is one, too',
  );
});

test('no price that is answered is below the floor that was asked for', async () => {
  const image = await room.campaign({ Type: 2, Cpm: 4 });
  const rtbEp = await room.endpoint({ Campaigns: [image.Id] });
  await room.served();
  const floors = [1 / 3, 0.1 + 0.2, 1.1, 2.0000004, 3.9999999, 4];
  for (const bidfloor of floors) {
    const { bids } = await post(zoneUrl(rtbEp), requestOf([{ ...bannerImp, bidfloor }], { at: 2 }));
    const price = bids[0]?.price ?? assert.fail();
    assert.ok(price >= bidfloor && price - bidfloor < 0.000_001, `${price} for ${bidfloor}`);
  }
});

test("clicks on a campaign's banner are counted, once, and led on", async () => {
  const Html = '<a href="https://brand.example/offer"><b>now</b></a>';
  const { Id } = await room.campaign({ Type: 2, Html });
  const rtbEp = await room.endpoint({ Campaigns: [Id] });
  await room.served();
  const [bid] = (await post(zoneUrl(rtbEp), requestOf([bannerImp]))).bids;
  const [, click = ''] = /^<a href="([^"]+)"><b>now<\/b><\/a><img /.exec(bid?.adm ?? '') ?? [];
  for (const _ of [1, 2]) {
    const clicked = await fetch(click, { redirect: 'manual' });
    assert.deepEqual([clicked.status, clicked.headers.get('location')], [302, 'https://brand.example/offer']);
  }
  assert.equal((await room.statistics(rtbEp)).Clicks, 1);
  const own = await post(zoneUrl(rtbEp), requestOf([bannerImp], { test: 1 }));
  assert.equal(own.bids[0]?.adm, Html, 'a test has no trackers');
});

test("a link in single quotes of a campaign's banner keeps them", async () => {
  const Html = `<i onclick="window.open('https://brand.example/offer')">now</i>`;
  const { Id } = await room.campaign({ Type: 2, Html });
  const rtbEp = await room.endpoint({ Campaigns: [Id] });
  await room.served();
  const [bid] = (await post(zoneUrl(rtbEp), requestOf([bannerImp]))).bids;
  const link = /^<i onclick="window\.open\('[^"']*\/track\/click\?t=[^"']*'\)">now<\/i><img /;
  assert.match(bid?.adm ?? '', link);
});

test('what the publisher gets is named, also where that is nothing', async () => {
  const { Id } = await room.campaign({ Type: 2 });
  const rtbEp = await room.endpoint({ PublisherProfitShare: 0, Campaigns: [Id] });
  await room.served();
  const answered = await post(zoneUrl(rtbEp), requestOf([bannerImp], { at: 1 }));
  assert.deepEqual(
    answered.bids.map(({ price }) => price),
    [0],
  );
});

test('PopAdmXml: the address of a pop in XML', async () => {
  const pop = await room.campaign({ Type: 3 });
  const rtbEp = await room.endpoint({ PopAdmXml: 1, Campaigns: [pop.Id] });
  await room.served();
  const [bid] = (await post(zoneUrl(rtbEp), requestOf([popImp]))).bids;
  assert.match(bid?.adm ?? '', /^<\?xml /);
  assert.match(popUrl(bid?.adm ?? '') ?? '', /\/track\/open\?t=/);
});

describe('an impression of several media', () => {
  const both = { ...videoImp, ...bannerImp };
  const cases: readonly (readonly [string, object, readonly number[], number | undefined])[] = [
    ['the first that demand is for', {}, [2], 1],
    ['the highest bid', {}, [1, 2], 2],
    ['one that is enabled', { VideoEnabled: 0 }, [1, 2], 1],
    ['none that demand is for', { BannerEnabled: 0 }, [2], undefined],
  ];
  for (const [name, endpoint, types, mtype] of cases) {
    test(name, async () => {
      const campaigns = await Promise.all(types.map((Type) => room.campaign({ Type, Cpm: 5 - Type })));
      const rtbEp = await room.endpoint({ ...endpoint, Campaigns: campaigns.map(({ Id }) => Id) });
      await room.served();
      assert.equal((await post(zoneUrl(rtbEp), requestOf([both]))).bids[0]?.mtype, mtype);
    });
  }
});

test('a banner may have any of the formats', async () => {
  const image = await room.campaign({
    Type: 2,
    Width: 728,
    Height: 90,
    SizesListMode: 1,
    SizesList: ['728x90'],
  });
  const rtbEp = await room.endpoint({ Campaigns: [image.Id] });
  await room.served();
  const formats = [300, 728].map((w) => ({ w, h: w === 300 ? 250 : 90 }));
  const [bid] = (await post(zoneUrl(rtbEp), requestOf([{ banner: { format: formats } }]))).bids;
  assert.deepEqual([bid?.w, bid?.h], [728, 90]);
});

describe('a medium that is wrong takes no other of its impression with it', () => {
  const faults: Readonly<Record<string, readonly [medium: string, value: unknown, path: string]>> = {
    'native without a request': ['native', { request: '' }, 'native.request'],
    'native with a blank request': ['native', { request: ' \n' }, 'native.request'],
    'native with nothing': ['native', {}, 'native.request'],
    'native with an object for a text': ['native', { request: {} }, 'native.request'],
    'native that is no object': ['native', 'x', 'native'],
    'video with a text for a number': ['video', { mimes: ['video/mp4'], w: 'wide' }, 'video.w'],
    'video with a text for a list': ['video', { mimes: 'video/mp4' }, 'video.mimes'],
    'audio with a number below 0': ['audio', { mimes: ['audio/mpeg'], minduration: -5 }, 'audio.minduration'],
  };
  for (const [about, [medium, value, path]] of Object.entries(faults)) {
    test(about, async () => {
      const { Id } = await room.campaign({ Type: 2 });
      const url = zoneUrl(await room.endpoint({ Campaigns: [Id] }));
      await room.served();
      const { status, body, bids } = await post(url, requestOf([{ ...bannerImp, [medium]: value }]));
      assert.equal(status, 200);
      assert.equal(bids.length, 1);
      const { dropped = [] } = (body?.ext ?? {}) as {
        dropped?: readonly { imp: number; path: string }[];
      };
      assert.deepEqual(
        dropped.map((drop) => [drop.imp, drop.path]),
        [[0, `imp[0].${path}`]],
      );
      assert.equal((await post(url, requestOf([{ [medium]: value }]))).status, 400, 'alone');
    });
  }
  test('an empty medium beside another is none', async () => {
    const Campaigns = await Promise.all([1, 2].map(async (Type) => (await room.campaign({ Type })).Id));
    const url = zoneUrl(await room.endpoint({ Campaigns }));
    await room.served();
    const markupOf = async (imp: object) => (await post(url, requestOf([imp]))).bids[0]?.adm ?? '';
    assert.match(await markupOf({ ...bannerImp, video: {}, audio: {} }), /<p>brand/);
    assert.match(await markupOf({ ...videoImp, banner: {} }), /<VAST/);
    assert.match(await markupOf({ video: {} }), /<VAST/);
  });
  test('two that are wrong beside a third, and all that are wrong', async () => {
    const { Id } = await room.campaign({ Type: 2 });
    const url = zoneUrl(await room.endpoint({ Campaigns: [Id] }));
    await room.served();
    const wrong = { native: { request: '' }, video: { w: 'x' } };
    assert.equal((await post(url, requestOf([{ ...bannerImp, ...wrong }]))).status, 200);
    assert.equal((await post(url, requestOf([{ banner: { w: 'x' }, ...wrong }]))).status, 400);
  });
});
