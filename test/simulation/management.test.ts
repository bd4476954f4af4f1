import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { HttpClient } from '../../src/simulation/http-client.ts';
import { createManagementClient } from '../../src/simulation/traffic/management.ts';

const row = (DateStats: string, Requests: number, Spent: number) => ({
  DateStats,
  Requests,
  NetImpressions: Requests / 2,
  Clicks: 0,
  Spent,
});
type Row = ReturnType<typeof row>;

/** What the exchange of one tag tells at a moment: all its days, and revenue of the last and the one before. */
interface Told {
  readonly days: readonly Row[];
  readonly revenue: readonly [today: number, yesterday: number];
}

/** An exchange that tells `told()`. It answers reports from the day on that is asked for, by default the last. */
function exchange(told: () => Told): HttpClient {
  const answerTo = (url: string): unknown => {
    const { days, revenue } = told();
    const [TodayRevenue, YesterdayRevenue] = revenue;
    const { searchParams } = new URL(url);
    const from = searchParams.get('date_from') || days.at(-1)?.DateStats || '';
    if (url.includes('/stats/')) return days.filter(({ DateStats }) => DateStats >= from);
    const StatsByDateJson =
      'http://a.example/api/stats/vast?date_from={date_from}&date_to={date_to}&type=json';
    return [{ Id: 1, StatsByDateJson, TodayRevenue, YesterdayRevenue }];
  };
  return {
    call: async (url) => ({ status: 200, body: JSON.stringify(answerTo(url)) }),
    close: async () => undefined,
  };
}

const before: Told = { days: [row('2026-07-01', 900, 4), row('2026-07-02', 1000, 5)], revenue: [7, 6] };
const cases: readonly (readonly [name: string, after: Told])[] = [
  ['within a day', { days: [row('2026-07-02', 1060, 5.6)], revenue: [7.9, 6] }],
  [
    'over midnight',
    { days: [row('2026-07-02', 1040, 5.4), row('2026-07-03', 20, 0.2)], revenue: [0.3, 7.6] },
  ],
];

describe('a simulation tells what was counted since it began', () => {
  for (const [name, after] of cases) {
    test(name, async () => {
      let told = before;
      const management = createManagementClient(
        exchange(() => told),
        'http://a.example',
        async () => 'token',
      );
      const counted = await management.counting();
      told = after;
      assert.deepEqual(await counted(), {
        requests: 60,
        impressions: 30,
        clicks: 0,
        spent: 0.6,
        revenue: 0.9,
      });
    });
  }
});

describe('a server that limits the requests of a token', () => {
  /** An exchange that refuses the first requests of all, and how long was waited. */
  const refusing = async (times: number) => {
    let asked = 0;
    let waitedMs = 0;
    const { call, close } = exchange(() => before);
    const http: HttpClient = {
      call: async (url) => {
        asked += 1;
        return asked > times ? call(url) : { status: 429, body: '{"Error":"Too many requests"}' };
      },
      close,
    };
    const wait = async (ms: number) => {
      waitedMs += ms;
    };
    await createManagementClient(http, 'http://a.example', async () => 'token', wait).counting();
    return waitedMs;
  };

  test('is asked again a second later', async () => assert.equal(await refusing(3), 3000));

  test('and at last is told of', () => assert.rejects(refusing(100), /answers with 429: Too many requests/));
});

test('an answer that is no JSON is told of, as of a server that is none of ours', async () => {
  const page: HttpClient = {
    call: async () => ({ status: 200, body: '<!doctype html>' }),
    close: async () => undefined,
  };
  const management = createManagementClient(page, 'http://a.example', async () => 'token');
  await assert.rejects(
    management.zones(),
    /^Error: http:\/\/a\.example\/api\/ortb\/vasttag\/get\S+ answers with something that is not JSON/,
  );
});
