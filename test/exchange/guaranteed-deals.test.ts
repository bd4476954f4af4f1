import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, mock, test } from 'node:test';
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

async function figures() {
  await server.flush();
  const [{ Pace, ForecastUnits } = {}] = (await room.call('deal/get')) as unknown as readonly Values[];
  return { Pace, ForecastUnits };
}

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
  assert.deepEqual(await figures(), { Pace: 105, ForecastUnits: 40 });
  mock.timers.setTime(noonMs + 59 * minuteMs);
  assert.deepEqual(await figures(), { Pace: 97, ForecastUnits: 39 });
  assert.equal(await sold(tag, 1), 1);
  mock.timers.setTime(noonMs + 12 * hourMs - 1000);
  assert.equal(await sold(tag, 18), 18);
});
