import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Values, zoneUrl } from './exchange-room.ts';
import { type MockDsp, startMockDsp } from './mock-dsp.ts';
import { openRtbRoom, post, type RtbRoom, requestOf } from './rtb-room.ts';

let room: RtbRoom;
let dsp: MockDsp;

before(async () => {
  room = await openRtbRoom();
  dsp = await startMockDsp();
});
after(() => Promise.all([room.close(), dsp.close()]));

const plain = { ver: '1.2', assets: [], link: { url: 'https://brand.example/' } };
const events = [
  { event: 1, method: 1, url: 'https://dsp.example/pixel' },
  { event: 1, method: 2, url: 'https://dsp.example/js' },
  { event: 2, method: 1, url: 'https://dsp.example/viewed' },
];
const tracked = { ...plain, eventtrackers: events };
const asked = (members: object = {}) => ({ ver: '1.2', assets: [], ...members });

interface Case {
  readonly name: string;
  /** `imp.native`; objects in it are written as JSON. */
  readonly native: { readonly request: object | string; readonly ver?: string };
  readonly adm: object;
  /** Whether the answer has the root `native`. */
  readonly isWrapped: boolean;
  /** Where our tracker stands, and how many trackers are there. */
  readonly trackers: readonly ['imptrackers' | 'eventtrackers', number];
  readonly members?: Values;
}

const cases: readonly Case[] = [
  { name: 'neither has the root', native: { request: asked() }, adm: plain, isWrapped: false, trackers: ['imptrackers', 1] },
  { name: 'both have the root', native: { request: { native: asked() } }, adm: { native: plain }, isWrapped: true, trackers: ['imptrackers', 1] },
  { name: 'the answer alone has the root', native: { request: asked() }, adm: { native: plain }, isWrapped: false, trackers: ['imptrackers', 1] },
  { name: 'the request alone has the root', native: { request: { native: asked() } }, adm: plain, isWrapped: true, trackers: ['imptrackers', 1] },
  { name: 'the root beside other members', native: { request: { native: asked(), ver: '1.1' } }, adm: plain, isWrapped: true, trackers: ['imptrackers', 1] },
  { name: 'a request that cannot be read', native: { request: 'native', ver: '1.2' }, adm: { native: plain }, isWrapped: false, trackers: ['imptrackers', 1] },
  { name: 'a request of 1.0 that cannot be read', native: { request: 'native', ver: '1.0' }, adm: plain, isWrapped: true, trackers: ['imptrackers', 1] },
  { name: 'trackers of events', native: { request: asked() }, adm: tracked, isWrapped: false, trackers: ['eventtrackers', 4], members: { ver: '1.2' } },
  { name: 'trackers of events for a reader of 1.1', native: { request: asked({ ver: '1.1' }) }, adm: tracked, isWrapped: false, trackers: ['imptrackers', 2], members: { ver: '1.1', eventtrackers: undefined, jstracker: '<script src="https://dsp.example/js"></script>' } },
  { name: 'trackers of events for a reader of 1.0', native: { request: { native: { ver: '1', assets: [] } } }, adm: { native: { ...tracked, imptrackers: ['https://dsp.example/old'] } }, isWrapped: true, trackers: ['imptrackers', 3], members: { ver: '1' } },
  { name: 'a version that only the impression tells', native: { request: { assets: [] }, ver: '1.1' }, adm: tracked, isWrapped: false, trackers: ['imptrackers', 2], members: { eventtrackers: undefined } },
  { name: 'a reader of 1.1 that asks for events', native: { request: asked({ ver: '1.1', eventtrackers: [{ event: 1, methods: [1] }] }) }, adm: tracked, isWrapped: false, trackers: ['eventtrackers', 4] },
]; // biome-ignore format: a table

describe('a native ad is made to fit the form of its request', () => {
  for (const { name, native, adm, isWrapped, trackers, members = {} } of cases) {
    for (const isTest of [false, true]) {
      test(`${name}${isTest ? ', in a test' : ''}`, async () => {
        const path = `/${name.replaceAll(/\W/g, '-')}`;
        dsp.answer(path, ({ body }) => {
          const { id } = JSON.parse(body) as Values;
          const bid = { id: 'b1', impid: '1', price: 3, adm: JSON.stringify(adm) };
          return { body: JSON.stringify({ id, seatbid: [{ bid: [bid] }] }) };
        });
        const demand = await room.dsp({ ZoneUrlUsEast: `${dsp.url}${path}` });
        const rtbEp = await room.endpoint({ DspRtbEps: [demand.Id] });
        await room.served();
        const request = typeof native.request === 'string' ? native.request : JSON.stringify(native.request);
        const test_ = isTest ? { test: 1 } : {};
        const answer = await post(zoneUrl(rtbEp), requestOf([{ native: { ...native, request } }], test_));
        const markup = JSON.parse(answer.bids[0]?.adm ?? 'null') as Values | null;
        assert.ok(markup, 'a bid');
        assert.equal('native' in markup, isWrapped);
        const ad = (markup.native ?? markup) as Values;
        const [place, count] = trackers;
        assert.deepEqual(ad.link, plain.link);
        const listed = (ad[place] ?? []) as readonly unknown[];
        assert.equal(listed.length, isTest ? count - 1 : count);
        assert.equal(JSON.stringify(listed).includes(`${room.server.url}/track/impression`), !isTest);
        for (const [member, value] of Object.entries(members)) assert.deepEqual(ad[member], value, member);
      });
    }
  }
});
