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

/** What was used before a flight is read within five seconds. */
const waitMsMax = 20_000;
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

type Line = Readonly<Record<'Part' | 'Unit' | 'Spread', string>> &
  Readonly<Record<'Limit' | 'Due' | 'Delivered' | 'Pace' | 'Forecast', number>> & {
    readonly Points: readonly Readonly<Record<'Time' | 'Planned' | 'Delivered' | 'Forecast', unknown>>[];
  };

async function lines(kind: string, id: number): Promise<readonly Line[]> {
  await server.flush();
  const answer = await fetch(`${server.url}/api/figures/pace?Entity=${kind}&Id=${id}`, {
    headers: { authorization: `Bearer ${server.token}` },
  });
  return ((await answer.json()) as { readonly Lines: readonly Line[] }).Lines;
}

/** Of each line: what it limits, what is due, has been delivered, and is expected. */
const headsOf = (found: readonly Line[]) =>
  found.map(({ Part, Unit, Limit, Spread, Due, Delivered, Pace, Forecast }) =>
    [Part, Unit, Limit, Spread, Due, Delivered, Pace, Forecast].join(' '),
  );

/** What a line says of a time today. */
const pointAt = (line: Line | undefined, hour: string) => {
  const point = line?.Points.find(({ Time }) => Time === `2026-11-20T${hour}:00.000Z`);
  return [point?.Planned, point?.Delivered, point?.Forecast];
};

async function refusalOf(tag: Stored) {
  const told = (await room.call('exchange/explain', { VastTag: { Id: tag.Id } })) as unknown as Explanation;
  const [{ Rule, Field, Wanted, Met } = {}] = told.Candidates.flatMap(({ Refusals }) => Refusals);
  return [Rule, Field, Wanted, Met];
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
  const [rule, field, wanted, met] = await refusalOf(tag);
  assert.deepEqual(
    [rule, field, Number(wanted).toFixed(4), met],
    ['paced', 'SpendDailyLimit', '0.1502', 0.15],
  );
  assert.deepEqual(await figures('campaign', campaign.Id), {
    Pace: 100,
    ForecastUnits: 30,
    ForecastEnd: null,
  });
  const [byImpressions, ...others] = await lines('Campaign', campaign.Id);
  assert.deepEqual(headsOf([byImpressions, ...others].filter((line) => line !== undefined)), [
    'day Impressions 40 traffic 21 15 75 30',
    'day Spend 0.3 traffic 0.150208 0.15 100 0.3',
  ]);
  assert.equal(byImpressions?.Points.length, 25);
  const hours = ['00:00', '11:00', '12:00', '13:00', '18:00'];
  assert.deepEqual(
    hours.map((hour) => pointAt(byImpressions, hour)),
    [
      [1, 0, null],
      [19, 0, null],
      [21, 0, 0],
      [22, null, 16],
      [31, null, 23],
    ],
  );
});

test('a flight has limits of its own, of which nothing is lost by a restart or an edit; between flights nothing is shown', async () => {
  const [first, second] = [
    { Start: '2026-11-20T11:00', End: '2026-11-20T12:02', Impressions: 5 },
    { Start: '2026-11-20T12:15', End: '2026-11-20T12:25', Impressions: 9, Spend: 0.045 },
  ];
  const campaign = await room.add('campaign', { ...film, Cpm: 15, Flights: [first, second] });
  const tag = await room.add('ortb/vasttag', { Bidfloor: 1, Campaigns: [campaign.Id] });
  const setFirst = async (Impressions: number) => {
    const Flights = [{ ...first, Impressions }, second];
    await room.call('campaign/update', { Campaign: { Id: campaign.Id, Flights } });
    await room.served();
  };
  await room.served();
  assert.equal(await sold(tag, 5), 5);
  assert.deepEqual(await refusalOf(tag), ['flight_limit', 'Flights', 5, 5]);
  await restart();
  assert.equal(await sold(tag, 0), 0);
  await setFirst(4);
  assert.equal(await sold(tag, 0), 0);
  await setFirst(7);
  assert.equal(await sold(tag, 2), 2);
  mock.timers.setTime(noonMs + 5 * minuteMs);
  assert.equal(await sold(tag, 0), 0);
  const [, , opens, now] = await refusalOf(tag);
  assert.match(String(opens), /^opens 2026-11-20T12:15:(00|20)Z$/);
  assert.equal(now, '2026-11-20T12:05:00Z');
  mock.timers.setTime(noonMs + 20 * minuteMs);
  // The other limit is higher: of 0.045 USD there are three ads.
  assert.equal(await sold(tag, 3), 3);
  assert.deepEqual(headsOf(await lines('Campaign', campaign.Id)), [
    'flight Impressions 9 none  3 66.7 3',
    'flight Spend 0.045 none  0.045 200 0.045',
  ]);
  const { Pace, ForecastUnits, ForecastEnd } = await figures('campaign', campaign.Id);
  assert.deepEqual([Pace, ForecastUnits, ForecastEnd], [200, 3, '2026-11-20T12:20:00.000Z']);
});

test('a guaranteed deal delivers what is due by now, outranks all, and tells its pace; a restart changes nothing', async () => {
  const [own, other] = [
    await room.add('campaign', { ...film, Cpm: 4 }),
    await room.add('campaign', { ...film, Cpm: 9 }),
  ];
  // 20.6 of 40 impressions are due at 12:20.
  const tag = await room.add('ortb/vasttag', { Bidfloor: 10, Campaigns: [own.Id, other.Id] });
  const connected = { VastTags: [tag.Id], Campaigns: [own.Id] };
  const time = { StartTime: '2026-11-20', EndTime: '2026-11-20' };
  const deal = await room.add('deal', { Code: 'g', Type: 4, Units: 40, Priority: 20, ...time, ...connected });
  await room.served();
  assert.equal(await sold(tag, 21), 21);
  await restart();
  assert.equal(await sold(tag, 0), 0);
  assert.deepEqual(await figures('deal'), {
    Pace: 102.2,
    ForecastUnits: 40,
    ForecastEnd: '2026-11-20T23:29:31.000Z',
  });
  mock.timers.setTime(noonMs + 59 * minuteMs);
  assert.deepEqual(await figures('deal'), { Pace: 97, ForecastUnits: 39, ForecastEnd: null });
  assert.equal(await sold(tag, 1), 1);
  mock.timers.setTime(noonMs + 12 * hourMs - 1000);
  assert.equal(await sold(tag, 18), 18);
  // The token has expired.
  await restart();
  const [line, ...more] = await lines('Deal', deal.Id);
  assert.deepEqual(more, []);
  // In the hour of noon 22, in the last one 18.
  assert.deepEqual(
    ['12:00', '13:00', '23:00'].map((hour) => pointAt(line, hour).slice(1)),
    [
      [0, null],
      [22, null],
      [22, 22],
    ],
  );
  assert.deepEqual(line?.Points.at(-1), {
    Time: '2026-11-21T00:00:00.000Z',
    Planned: 40,
    Delivered: null,
    Forecast: 40,
  });
});
