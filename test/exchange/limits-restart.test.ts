import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, mock, test } from 'node:test';
import { startTestServer, type TestServer } from '../support/server.ts';
import { type ExchangeRoom, openExchange, type Stored, zoneUrl } from './exchange-room.ts';
import { type AnsweredBid, bannerImp, post, requestOf } from './rtb-room.ts';

const folder = mkdtempSync(join(tmpdir(), 'bourse-limits-restart-'));
const databaseUrl = `sqlite:${join(folder, 'bourse.db')}`;
const minuteMs = 60_000;
const noonMs = Date.UTC(2027, 5, 15, 12);
const banner = { Type: 2, Cpm: 3, Html: '<p>Hi</p>', ClickUrl: 'https://brand.example/', Width: 300, Height: 250 };

let room: ExchangeRoom;
let server: TestServer;

before(async () => {
  mock.timers.enable({ apis: ['Date'], now: noonMs });
  room = await openExchange({ databaseUrl });
  ({ server } = room);
});
after(async () => {
  await server.close();
  mock.timers.reset();
  rmSync(folder, { recursive: true, force: true });
});

/** The same URL at the server that stands in for the one that handed it out. */
const atNow = (url: string) => url.replace(/\/\/[^/]+/, `//${new URL(server.url).host}`);
const restart = async () => {
  await server.close();
  server = await startTestServer({ databaseUrl, allowPrivateDemand: true });
};
const call = async (url: string) => assert.equal((await fetch(atNow(url))).status, 200);
const offers = async (rtbEp: Stored) => (await post(atNow(zoneUrl(rtbEp)), requestOf([bannerImp]))).bids;
/** The bid of an offer, which must be made; none where the limit refuses. */
const offer = async (rtbEp: Stored): Promise<AnsweredBid> => (await offers(rtbEp))[0] ?? assert.fail('no bid');

/** Endpoints whose campaign, or which themselves, may have so many impressions of the day. */
async function endpoints(ImpressionsDailyLimit: number, values: object = {}): Promise<Stored[]> {
  const open = { BannerEnabled: 1, ...values };
  const [limited, unlimited] = [
    await room.add('campaign', { ...banner, ImpressionsDailyLimit }),
    await room.add('campaign', banner),
  ];
  const both = [
    await room.add('ortb/rtbep', { ...open, Campaigns: [limited.Id] }),
    await room.add('ortb/rtbep', { ...open, ImpressionsDailyLimit, Campaigns: [unlimited.Id] }),
  ];
  await room.served();
  return both;
}

test('what was billed and never seen to be shown counts after a restart as before it', async () => {
  const both = await endpoints(1);
  for (const rtbEp of both) await call((await offer(rtbEp)).nurl);
  const bids = async () => (await Promise.all(both.map(offers))).map(({ length }) => length);
  assert.deepEqual(await bids(), [0, 0]);
  await restart();
  assert.deepEqual(await bids(), [0, 0]);
});
