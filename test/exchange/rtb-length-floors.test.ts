import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { faultsOfRequest } from '../protocols/openrtb/bid-request-schema.ts';
import { type Bidder, startBidder } from './bidder.ts';
import { zoneUrl } from './exchange-room.ts';
import { openRtbRoom, post, type RtbRoom, requestOf, videoImp } from './rtb-room.ts';

let room: RtbRoom;
let dsp: Bidder;
let bid: object = {};
let demandId = 0;
before(async () => {
  room = await openRtbRoom();
  dsp = await startBidder(() => bid);
  demandId = (await room.dsp({ ZoneUrlUsEast: dsp.url })).Id;
});
after(async () => {
  await dsp.close();
  await room.close();
});

/** VAST with an ad of that length; undefined = a wrapper, whose length nobody knows. */
function vastOf(seconds: number | undefined): string {
  const clock = new Date((seconds ?? 0) * 1000).toISOString().slice(11, 19);
  const media = `<MediaFiles><MediaFile delivery="progressive" type="video/mp4" width="640" height="360">https://c.example/f.mp4</MediaFile></MediaFiles>`;
  const linear = `<Creatives><Creative><Linear><Duration>${clock}</Duration>${media}</Linear></Creative></Creatives>`;
  const common = '<AdSystem>x</AdSystem><Impression>https://d.example/i</Impression>';
  const ad =
    seconds === undefined
      ? `<Wrapper>${common}<VASTAdTagURI>https://d.example/v</VASTAdTagURI></Wrapper>`
      : `<InLine>${common}<AdTitle>x</AdTitle>${linear}</InLine>`;
  return `<VAST version="3.0"><Ad id="1">${ad}</Ad></VAST>`;
}

const ranges = [
  { maxdur: 15, bidfloor: 1 },
  { mindur: 16, maxdur: 30, bidfloor: 4 },
];

interface Case {
  readonly name: string;
  readonly video: object;
  readonly seconds?: number;
  /** `dur` of the bid. */
  readonly told?: number;
  readonly price: number;
  readonly status: 200 | 204;
}
/** The impression's own floor is 2 USD CPM. */
const cases: readonly Case[] = [
  { name: 'a short ad may be cheaper than the impression’s floor', video: { durfloors: ranges }, seconds: 15, price: 1, status: 200 },
  { name: 'but not cheaper than its own', video: { durfloors: ranges }, seconds: 15, price: 0.99, status: 204 },
  { name: 'a long ad is dearer', video: { durfloors: ranges }, seconds: 16, price: 3.99, status: 204 },
  { name: 'a long ad at its floor', video: { durfloors: ranges }, seconds: 30, price: 4, status: 200 },
  { name: 'beyond all ranges the impression’s floor holds', video: { durfloors: ranges }, seconds: 31, price: 2, status: 200 },
  { name: 'and refuses', video: { durfloors: ranges }, seconds: 31, price: 1.99, status: 204 },
  { name: 'what the markup says goes before what the bid says', video: { durfloors: ranges }, seconds: 30, told: 15, price: 2, status: 204 },
  { name: 'a wrapper is as long as its bid says', video: { durfloors: ranges }, told: 10, price: 1, status: 200 },
  { name: 'a wrapper of no length is as long as allowed', video: { durfloors: ranges, maxduration: 30 }, price: 2, status: 204 },
  { name: 'an open range', video: { durfloors: [{ mindur: 20, bidfloor: 5 }] }, seconds: 600, price: 4, status: 204 },
  { name: 'a price for each second', video: { mincpmpersec: 0.25 }, seconds: 10, price: 2.5, status: 200 },
  { name: 'too little for each second', video: { mincpmpersec: 0.25 }, seconds: 11, price: 2.5, status: 204 },
  { name: 'the floor beside a low price for each second', video: { mincpmpersec: 0.01 }, seconds: 10, price: 1, status: 204 },
]; // biome-ignore format: a table

describe('floors by the length of a video', () => {
  for (const { name, video, seconds, told, price, status } of cases) {
    test(`${name}: ${status}`, async () => {
      const url = zoneUrl(await room.endpoint({ DspRtbEps: [demandId] }));
      await room.served();
      bid = { price, adm: vastOf(seconds), ...(told && { dur: told }) };
      const imp = { bidfloor: 2, video: { ...videoImp.video, ...video } };
      assert.equal((await post(url, requestOf([imp]))).status, status);
    });
  }

  test('what the publisher gets begins with the floor for that length', async () => {
    const url = zoneUrl(await room.endpoint({ DspRtbEps: [demandId], PublisherProfitShare: 50 }));
    await room.served();
    bid = { price: 6, adm: vastOf(20) };
    const imp = { bidfloor: 2, video: { ...videoImp.video, durfloors: ranges } };
    assert.equal((await post(url, requestOf([imp]))).bids[0]?.price, 5);
  });

  test('bidders are told them, with the margin', async () => {
    const url = zoneUrl(await room.endpoint({ DspRtbEps: [demandId], DspBidfloorMargin: 50 }));
    await room.served();
    const from = dsp.requests.length;
    await post(
      url,
      requestOf([{ bidfloor: 2, video: { ...videoImp.video, durfloors: ranges, mincpmpersec: 0.1 } }]),
    );
    const sent = dsp.requests[from];
    assert.deepEqual(faultsOfRequest(sent), []);
    const durfloors = [
      { maxdur: 15, bidfloor: 1.5 },
      { mindur: 16, maxdur: 30, bidfloor: 6 },
    ];
    assert.partialDeepStrictEqual(sent, { imp: [{ bidfloor: 3, video: { durfloors, mincpmpersec: 0.15 } }] });
  });
});
