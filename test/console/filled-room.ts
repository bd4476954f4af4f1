import assert from 'node:assert/strict';
import type { Config } from '../../src/config.ts';
import { createHttpClient } from '../../src/simulation/http-client.ts';
import { createManagementClient } from '../../src/simulation/traffic/management.ts';
import { realClock } from '../../src/simulation/traffic/real-clock.ts';
import { simulateDay } from '../../src/simulation/traffic/simulate-day.ts';
import { openStore } from '../../src/store/open-store.ts';
import { zoneUrl } from '../exchange/exchange-room.ts';
import { impression, pairOf } from '../statistics/counting.ts';
import { storeSink } from '../statistics/store-sink.ts';
import { type ConsoleRoom, openConsoleRoom, publisher, type Stored } from './console-room.ts';
import { type ShownObjects, shownEntities } from './screens.ts';

/** Lets players ask the team's VAST tags for ads, each day in so many seconds, until a signal. */
export async function playDays(
  { url, token }: ConsoleRoom,
  {
    signal,
    seconds,
    rate,
  }: { readonly signal: AbortSignal; readonly seconds: number; readonly rate: number },
): Promise<void> {
  const http = createHttpClient();
  try {
    const zones = await createManagementClient(http, url, async () => token).zones();
    const [first, ...others] = zones;
    assert.ok(first, 'no tag is active');
    for (let seed = 1; !signal.aborted; seed += 1) {
      const clock = realClock(signal);
      const day = { seconds, seed, requestsPerSecond: rate, http, clock, signal };
      await simulateDay({ ...day, zones: [first, ...others] });
    }
  } finally {
    await http.close();
  }
}

const paths = {
  VastTag: 'ortb/vasttag',
  DspRtbEp: 'ortb/dsprtbep',
  Deal: 'deal',
  FloorRule: 'floorrule',
  Publisher: 'publisher',
  DomainList: 'domainlist',
  Report: 'report',
  Alert: 'alert',
};

/** The first object of each entity that stands for others. */
export async function shownObjects({ api }: Pick<ConsoleRoom, 'api'>): Promise<ShownObjects> {
  const rows = await Promise.all(
    shownEntities.map(async (entity) => {
      const [first] = await api<readonly Stored[]>(`/api/${paths[entity]}/get`);
      return [entity, first ?? assert.fail(`there is no ${entity}`)] as const;
    }),
  );
  return Object.fromEntries(rows) as unknown as ShownObjects;
}

/** A room whose team is the demonstration. */
export async function openDemoRoom(changes: Partial<Config> = {}): Promise<ConsoleRoom> {
  const room = await openConsoleRoom(changes);
  await addDemonstration(room);
  return room;
}

/** Makes the team the demonstration, with a report, an alert and a floor rule. */
export async function addDemonstration({ api }: Pick<ConsoleRoom, 'api'>): Promise<void> {
  await api('/api/demonstration/start', {});
  await api('/api/report/add', { Report: savedReport });
  await api('/api/alert/add', { Alert: noImpressions });
  await api('/api/floorrule/add', { FloorRule: floorInNorway });
}

/** A saved report's values, valid and short. */
const savedReport = {
  Name: 'Supply of the week',
  Period: 'Last7Days',
  GroupBy: ['Day', 'Supply'],
  Measures: ['Requests', 'Wins'],
  Total: 1,
  Chart: 1,
};

/** An alert that a team without traffic sets off. */
const noImpressions = {
  Name: 'No impressions',
  Condition: 'Nothing',
  Measure: 'Impressions',
  Window: 30,
  HoldMinutes: 0,
};

/** For traffic that no test makes. */
const floorInNorway = {
  Name: 'Norway',
  Countries: [{ CC: 'NO' }],
  Floor: 1,
  SkipPercent: 10,
  Auto: 1,
  AutoMin: 0.5,
  AutoMax: 4,
};

const countedMax = 2000;
const hoursPerDay = 24;
const [hourMs, dayMs] = [3_600_000, 86_400_000];

/** Asks for ads as players do until some requests of today are counted: those that come too early are to no zone. */
export async function countRequests({ api }: Pick<ConsoleRoom, 'api'>): Promise<number> {
  const tag = await api<Stored>('/api/ortb/vasttag/get?Id=1');
  const asked = { Period: 'Today', Measures: ['Requests'], Total: 1 };
  for (let count = 0; count < countedMax; count += 1) {
    await (await fetch(zoneUrl(tag))).text();
    const { Total } = await api<{ readonly Total: { readonly Requests: number } }>(
      '/api/statistics/report',
      asked,
    );
    if (Total.Requests > 0) return Total.Requests;
  }
  return assert.fail('no request is counted');
}

/** Adds VAST tags of one publisher, all at once. */
export async function addManyTags({ api }: Pick<ConsoleRoom, 'api'>, count: number): Promise<void> {
  const Publisher = [{ ...publisher, Name: 'Many Media', Username: 'many' }];
  const VastTag = Array.from({ length: count }, (_, index) => ({
    Publisher: 'Many Media',
    Name: `Zone ${index + 1}`,
    // As little alike as those of people.
    Bidfloor: ((index * 7919) % 997) / 100,
    MaxQps: (index * 104_729) % 10_007,
  }));
  await api('/api/config/apply', { Config: { Version: 1, Publisher, VastTag } });
}

/** Bills an impression of yesterday at midnight (UTC): cost 1 USD, revenue 3. */
export async function billYesterday(
  { databaseUrl }: Pick<ConsoleRoom, 'databaseUrl'>,
  { supply, demand }: Record<'supply' | 'demand', Parameters<typeof pairOf>[0]>,
): Promise<void> {
  const store = await openStore({ url: databaseUrl, now: Date.now });
  const sink = storeSink({ store, now: Date.now });
  const timeMs = Date.now() - (Date.now() % dayMs) - dayMs;
  await sink.bill(
    impression('yesterday', pairOf(supply, demand), { spentNanos: 1e9, revenueNanos: 3e9, timeMs }),
  );
  await sink.flush();
  await sink.close();
  await store.close();
}

/** Counts two days in which a floor rule earned half as much again as its control group, of a tenth of the requests. */
export async function countFloorRule(
  { databaseUrl }: Pick<ConsoleRoom, 'databaseUrl'>,
  ruleId: number,
): Promise<void> {
  const store = await openStore({ url: databaseUrl, now: Date.now });
  const sink = storeSink({ store, now: Date.now });
  const pair = pairOf({ kind: 'VastTag', id: 1 }, { kind: 'DspVastTag', id: 1 });
  for (let hour = 0; hour < 2 * hoursPerDay; hour += 1) {
    for (const isControl of [false, true]) {
      const requests = (isControl ? 100 : 900) + hour;
      const timeMs = Date.now() - hour * hourMs;
      const use = { ruleId, isControl };
      sink.countFloor(pair.supply, use, [['opportunities', requests]], timeMs);
      const revenueNanos = requests * (isControl ? 1e6 : 1.5e6);
      const of = { ...pair, floors: [use] };
      await sink.bill(impression(`${hour} ${isControl}`, of, { spentNanos: 0, revenueNanos, timeMs }));
    }
  }
  await sink.flush();
  await sink.close();
  await store.close();
}

/** Samples of yesterday's auctions at second price, in which nobody but the winner bid, so that each earned its floor. */
export async function sampleBidsYesterday(
  { databaseUrl }: Pick<ConsoleRoom, 'databaseUrl'>,
  { kind, id, country, cpm }: { kind: string; id: number; country: string; cpm: number },
): Promise<void> {
  const store = await openStore({ url: databaseUrl, now: Date.now });
  const firstHour = (Math.floor(Date.now() / dayMs) - 1) * hoursPerDay;
  const sampled = Array.from({ length: 16 }, (_, at) => [0, cpm * 1_000_000 + at * 10_000, 100]);
  const hours = Array.from({ length: hoursPerDay }, (_, hour) => firstHour + hour);
  await store.statistics.keepBidSamples(
    'yesterday',
    hours.map((hour) => ({ kind, id, hour, country, auctions: 1000, sampled })),
  );
  await store.close();
}
