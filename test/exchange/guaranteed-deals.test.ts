import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, mock, test } from 'node:test';
import type { Explanation } from '../../src/answers/explanation.ts';
import { freshDatabaseAt } from '../support/postgres.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { type ExchangeRoom, openExchange, type Stored, type Values, zoneUrl } from './exchange-room.ts';
import { film } from './vast-room.ts';

const hourMs = 3_600_000;
const minuteMs = 60_000;
const noonMs = Date.UTC(2026, 10, 20, 12);
const folder = mkdtempSync(join(tmpdir(), 'bourse-guaranteed-'));
const postgres = process.env.BOURSE_TEST_POSTGRES;
let databaseUrl = `sqlite:${join(folder, 'bourse.db')}`;
let room: ExchangeRoom;
let server: TestServer;

before(async () => {
  mock.timers.enable({ apis: ['Date'], now: noonMs });
  if (postgres !== undefined) databaseUrl = await freshDatabaseAt(postgres);
  room = await openExchange({ databaseUrl });
  ({ server } = room);
});
after(async () => {
  await server.close();
  mock.timers.reset();
  rmSync(folder, { recursive: true, force: true });
});

async function restart(): Promise<void> {
  const port = Number(new URL(server.url).port);
  await server.close();
  server = await startTestServer({ databaseUrl, port, allowPrivateDemand: true });
}

const waitMsMax = 5000;
const further = 10;

/** How many ads are sold and shown, until as many are as expected, and then of some further requests. */
async function sold(tag: Stored, expected: number): Promise<number> {
  const lateMs = performance.now() + waitMsMax;
  let [ads, left] = [0, further];
  while (left > 0) {
    if (ads >= expected || performance.now() > lateMs) left -= 1;
    const text = await (await fetch(zoneUrl(tag))).text();
    for (const path of text.match(/\/track\/impression\?t=[\w.:~-]+/g) ?? []) {
      assert.equal((await fetch(`${server.url}${path}`)).status, 200);
      ads += 1;
    }
  }
  return ads;
}

async function figures(path: string, id?: number) {
  await server.flush();
  const answer = await room.call(`${path}/get${id ? `?Id=${id}` : ''}`);
  const [{ Pace, ForecastUnits, ForecastEnd } = {}] = [answer].flat() as readonly Values[];
  return { Pace, ForecastUnits, ForecastEnd };
}

test('a campaign with Pacing is shown as often as is due by now, by impressions and by money; explain says so', async () => {
  const limits = { ImpressionsDailyLimit: 40, SpendDailyLimit: 0.3, Pacing: 1 };
  const campaign = await room.add('campaign', { ...film, Cpm: 10, ...limits });
  const tag = await room.add('ortb/vasttag', { Bidfloor: 1, Campaigns: [campaign.Id] });
  await room.served();
  // Of 0.30 USD, 15 ads' price is due; of 40 impressions 21 would be.
  assert.equal(await sold(tag, 15), 15);
  await restart();
  assert.equal(await sold(tag, 0), 0);
  const told = (await room.call('exchange/explain', { VastTag: { Id: tag.Id } })) as unknown as Explanation;
  const refusals = told.Candidates.flatMap(({ Refusals }) => Refusals);
  const [{ Rule, Field, Wanted, Met } = {}] = refusals;
  assert.deepEqual(
    [Rule, Field, Number(Wanted).toFixed(4), Met],
    ['paced', 'SpendDailyLimit', '0.1502', 0.15],
  );
  assert.deepEqual(await figures('campaign', campaign.Id), {
    Pace: 100,
    ForecastUnits: 30,
    ForecastEnd: null,
  });
});

test('a guaranteed deal delivers what is due by now, outranks all, and tells its pace; a restart changes nothing', async () => {
  const [own, other] = [
    await room.add('campaign', { ...film, Cpm: 4 }),
    await room.add('campaign', { ...film, Cpm: 9 }),
  ];
  // 20 of 40 impressions are due at noon.
  const tag = await room.add('ortb/vasttag', { Bidfloor: 10, Campaigns: [own.Id, other.Id] });
  const connected = { VastTags: [tag.Id], Campaigns: [own.Id] };
  const time = { StartTime: '2026-11-20', EndTime: '2026-11-20' };
  await room.add('deal', { Code: 'g', Type: 4, Units: 40, Priority: 20, ...time, ...connected });
  await room.served();
  assert.equal(await sold(tag, 21), 21);
  await restart();
  assert.equal(await sold(tag, 0), 0);
  assert.deepEqual(await figures('deal'), {
    Pace: 105,
    ForecastUnits: 40,
    ForecastEnd: '2026-11-20T22:51:26.000Z',
  });
  mock.timers.setTime(noonMs + 59 * minuteMs);
  assert.deepEqual(await figures('deal'), { Pace: 97, ForecastUnits: 39, ForecastEnd: null });
  assert.equal(await sold(tag, 1), 1);
  mock.timers.setTime(noonMs + 12 * hourMs - 1000);
  assert.equal(await sold(tag, 18), 18);
});
