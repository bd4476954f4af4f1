import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { openStore } from '../../src/store/open-store.ts';
import {
  type ExchangeRoom,
  openExchange,
  type Stored,
  todays,
  type Values,
  zoneUrl,
} from '../exchange/exchange-room.ts';
import { film } from '../exchange/vast-room.ts';
import { countsIn } from '../statistics/counting.ts';

const events = ['start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete', 'skip', 'error'];

const hourMs = 3_600_000;
const quarterMs = hourMs / 4;
const todayText = () => new Date().toISOString().slice(0, 10);
const shownHour = (hour: number) => new Date(hour * hourMs).toISOString();

let room: ExchangeRoom;
let tag: Stored;
let campaign: Stored;
/** The UTC day of the auction, which a test that begins at midnight must not mix up with the next. */
let day: string;

before(async () => {
  room = await openExchange();
  campaign = await room.add('campaign', film);
  tag = await room.add('ortb/vasttag', { Name: '=Homepage', Campaigns: [campaign.Id] });
  await room.served();
  const agent =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';
  const url = zoneUrl(tag, { site_url: 'https://news.example/a', width: '640', height: '360', ua: agent });
  day = new Date().toISOString().slice(0, 10);
  const ad = await (await fetch(url)).text();
  const tracker = (event: string) =>
    new RegExp(`https?://[\\w.:]+/track/${event}\\?t=[\\w.:~-]+`).exec(ad)?.[0] ??
    assert.fail(`${event}: ${ad}`);
  for (const event of ['impression', 'click', ...events]) {
    // Whatever is sent twice counts once.
    for (let time = 0; time < 2; time += 1) await fetch(tracker(event), { redirect: 'manual' });
  }
  await room.statistics(tag, ({ Requests, Clicks }) => Requests === 1 && Clicks === 1);
});
after(() => room.close());

const post = (question: object, query = '', token = room.server.token) =>
  fetch(`${room.server.url}/api/statistics/report${query}`, {
    method: 'POST',
    body: JSON.stringify(question),
    headers: { authorization: `Bearer ${token}` },
  });

interface Answer extends Values {
  readonly Columns: readonly { readonly Name: string; readonly Unit: string; readonly Help: string }[];
  readonly Rows: readonly Values[];
  readonly Total?: Values;
  readonly Before?: Values;
  readonly SettledUntil: string;
  readonly SettledWithout?: readonly { readonly Process: string; readonly Until: string }[];
  readonly ChangedAfterSettled?: readonly { readonly Hour: string; readonly Time: string }[];
}

async function ask(more: object): Promise<Answer> {
  const response = await post({ From: day, To: day, Measures: ['Requests', 'Revenue'], ...more });
  const answer = (await response.json()) as Answer;
  assert.equal(response.status, 200, JSON.stringify(answer));
  return answer;
}

const all = [
  'Requests',
  'Opportunities',
  'Calls',
  'Answers',
  'NoBids',
  'Bids',
  'Wins',
  'Bills',
  'Impressions',
  'Clicks',
  'Starts',
  'FirstQuartiles',
  'Midpoints',
  'ThirdQuartiles',
  'Completes',
  'Skips',
  'AdErrors',
];

describe('POST /api/statistics/report', () => {
  test('counts everything of an ad that was asked for, shown and played, each event once', async () => {
    // Counts come a second after what is billed.
    for (;;) {
      const { Rows } = await ask({ Measures: all });
      if (Rows[0]?.Requests === 1) {
        const ofCalls = { Calls: 0, Answers: 0, NoBids: 0 };
        assert.deepEqual(Rows, [{ ...Object.fromEntries(all.map((name) => [name, 1])), ...ofCalls }]);
        return;
      }
      await delay(20);
    }
  });

  const cases: readonly (readonly [
    groups: readonly string[],
    row: (market: Record<string, Stored>) => object,
  ])[] = [
    [['Publisher'], ({ publisher }) => ({ Publisher: publisher?.Id, PublisherName: 'A' })],
    [['Supply'], () => ({ SupplyKind: 'VastTag', Supply: tag.Id, SupplyName: '=Homepage' })],
    [['Country'], () => ({ Country: '' })],
    [['DeviceType', 'Medium'], () => ({ DeviceType: 4, Medium: 'video' })],
    [['Os', 'Browser'], () => ({ Os: 'iOS', Browser: 'Safari' })],
    [['Size'], () => ({ Size: '640x360' })],
    [['Site'], () => ({ Site: 'news.example' })],
    [['SubId'], () => ({ SubId: '' })],
    [['Region'], () => ({ Region: 'us-east' })],
    [['Day'], () => ({ Day: `${day}T00:00:00+00:00` })],
  ];
  for (const [groups, row] of cases) {
    test(`tells them by ${groups.join(' and ')}`, async () => {
      const { Rows } = await ask({ GroupBy: groups, Measures: ['Requests', 'Impressions', 'Revenue'] });
      const { publisher } = room;
      assert.deepEqual(Rows, [
        { ...row({ publisher }), Requests: 1, Impressions: 1, Revenue: film.Cpm / 1000 },
      ]);
    });
  }

  test('tells demand by its own objects, and its money to the last digit of the statistics URLs', async () => {
    const { Rows, Columns, Total } = await ask({
      GroupBy: ['Demand', 'Advertiser', 'Creative', 'AdDomain'],
      Measures: ['Impressions', 'Revenue', 'Cost', 'Profit', 'Ecpm'],
      Total: 1,
    });
    const names = { DemandName: String(campaign.Name), AdvertiserName: 'A' };
    const about = { DemandKind: 'Campaign', Demand: campaign.Id, Advertiser: room.advertiser.Id, ...names };
    const [row] = Rows;
    assert.equal(row?.Creative, String(campaign.Id));
    for (const [name, value] of Object.entries(about)) assert.equal(row?.[name], value, name);
    assert.deepEqual(
      Columns.find(({ Name }) => Name === 'Ecpm'),
      { Name: 'Ecpm', Unit: 'CPM', Help: 'Revenue per 1,000 impressions' },
    );
    assert.deepEqual(
      Total,
      Object.fromEntries(
        ['Impressions', 'Revenue', 'Cost', 'Profit', 'Ecpm'].map((name) => [name, row?.[name]]),
      ),
    );
    const [line] = (await (await fetch(todays(tag.StatsByDateJson))).json()) as Values[];
    assert.equal(row?.Cost, line?.Spent);
  });

  test('a campaign has its hours, in any zone, with those without traffic', async () => {
    const { Rows } = await ask({
      TimeZone: 'Asia/Kathmandu',
      GroupBy: ['Hour'],
      Measures: ['Calls', 'Impressions'],
      From: `${day}T00:00:00Z`,
      To: `${day}T24:00:00Z`.replace('T24:00', 'T23:45'),
      Filters: [{ Field: 'Demand', Operator: 'In', Values: [`Campaign:${campaign.Id}`] }],
    });
    assert.ok(Rows.length >= 24);
    assert.ok(Rows.every(({ Hour }) => /:00:00\+05:45$/.test(String(Hour))));
  });

  test('stands beside another period, and says which: of today the part that is over', async () => {
    const beganMs = Date.now();
    const { Rows, Before } = await ask({ GroupBy: ['Day'], CompareTo: 'Week' });
    assert.deepEqual(Rows[0]?.Before, { Requests: 0, Revenue: 0 });
    const { From, To, ...rest } = Before ?? assert.fail();
    const weekMs = 7 * 24 * hourMs;
    assert.deepEqual([Date.parse(String(From)), rest], [Date.parse(day) - weekMs, {}]);
    const untilMs = Math.min(Date.parse(String(To)), Date.parse(day) - weekMs + 24 * hourMs);
    assert.ok(untilMs >= Math.floor((beganMs - weekMs) / quarterMs) * quarterMs || day !== todayText());
    assert.ok(untilMs <= Date.now() - weekMs);
  });

  const rates = ['FillRate', 'WinRate', 'BidRate', 'Ctr', 'Ecpm', 'Margin', 'LatencyP95'];
  for (const name of rates) {
    test(`${name} of nothing is null: in rows, sums and beside, and empty in CSV`, async () => {
      const quiet = new Date(Date.parse(day) - 20 * 24 * hourMs).toISOString().slice(0, 10);
      const question = { From: quiet, To: quiet, GroupBy: ['Day'], Measures: [name], CompareTo: 'Week' };
      const { Rows, Total } = await ask({ ...question, Total: 1 });
      const ofNothing = { [name]: null, Before: { [name]: null } };
      assert.deepEqual([Rows, Total], [[{ Day: `${quiet}T00:00:00+00:00`, ...ofNothing }], ofNothing]);
      const csv = await (await post(question, '?type=csv')).text();
      assert.match(csv, /\+00:00,,\r\n$/);
    });
  }

  for (const Direction of ['Asc', 'Desc']) {
    test(`rates of nothing come last, ${Direction}`, async () => {
      const { Rows } = await ask({
        From: '',
        To: '',
        Period: 'ThisWeek',
        GroupBy: ['Hour'],
        Measures: ['FillRate'],
        OrderBy: [{ Field: 'FillRate', Direction }],
      });
      assert.deepEqual([Rows[0]?.FillRate, Rows.at(-1)?.FillRate], [100, null]);
    });
  }

  test('a step that From or To cuts is Partial, also in CSV', async () => {
    const sent = { From: '2026-01-07', To: '2026-01-19', GroupBy: ['Week'], Measures: ['Requests'] };
    const { Rows, Columns } = await ask(sent);
    assert.deepEqual(
      Rows.map(({ Partial }) => Partial),
      [true, undefined, true],
    );
    assert.deepEqual(
      Columns.map(({ Name }) => Name),
      ['Week', 'Partial', 'Requests'],
    );
    const lines = (await (await post(sent, '?type=csv')).text()).split('\r\n');
    assert.deepEqual(lines, [
      'Week,Partial,Requests',
      '2026-01-05T00:00:00+00:00,true,0',
      '2026-01-12T00:00:00+00:00,,0',
      '2026-01-19T00:00:00+00:00,true,0',
      '',
    ]);
    const whole = await ask({ ...sent, From: '2026-01-05', To: '2026-01-18' });
    assert.ok(!JSON.stringify(whole.Columns).includes('Partial'));
  });

  test('is settled up to an hour ago', async () => {
    const { SettledUntil } = await ask({ TimeZone: 'Europe/Berlin' });
    assert.match(SettledUntil, /\+0[12]:00$/);
    const agoMs = Date.now() - Date.parse(SettledUntil);
    assert.ok(agoMs >= 3_600_000 && agoMs <= 3_600_000 + 16 * 60_000, SettledUntil);
  });

  test('is settled no further than processes have shipped, and says which hours have changed since', async () => {
    const store = await openStore({ url: room.server.databaseUrl, now: Date.now });
    // Answers tell times to the second.
    const nowMs = Math.floor(Date.now() / 1000) * 1000;
    // Of no month that another test asks for.
    const hour = Math.floor(nowMs / hourMs) - 40 * 24;
    const process = { name: 'host:/outbox/0', notedMs: nowMs, isDone: false };
    const note = (name: string, untilMs: number, notedMs = nowMs, isDone = false) =>
      store.statistics.noteShipped({ ...process, process: name, untilMs, notedMs, isDone });
    const counts = countsIn('pair', { clicks: 1 });
    const pairs = [{ hour, supply: { kind: 'VastTag', id: tag.Id }, demand: undefined, counts }];
    await store.statistics.add([{ id: 'late', timeMs: nowMs, pairs, addresses: [] }]);
    await note('alive', nowMs - 3 * hourMs);
    await note('silent', nowMs - 20 * hourMs, nowMs - 2 * hourMs);
    const asked = { From: shownHour(hour), To: shownHour(hour + 2), TimeZone: 'UTC' };
    const answer = await ask(asked);
    assert.equal(Date.parse(answer.SettledUntil), Math.floor((nowMs - 4 * hourMs) / 900_000) * 900_000);
    assert.deepEqual(
      answer.SettledWithout?.map(({ Process, Until }) => [Process, Date.parse(Until)]),
      [['silent', nowMs - 20 * hourMs]],
    );
    const [changed, ...others] = answer.ChangedAfterSettled ?? [];
    assert.deepEqual(others, []);
    assert.equal(Date.parse(String(changed?.Hour)), hour * hourMs);
    assert.ok(Date.parse(String(changed?.Time)) >= nowMs);
    for (const name of ['alive', 'silent']) await note(name, nowMs, nowMs, true);
    const { SettledWithout, ChangedAfterSettled } = await ask({ ...asked, From: shownHour(hour + 1) });
    assert.deepEqual([SettledWithout, ChangedAfterSettled], [undefined, undefined]);
    await store.close();
  });

  test('comes as CSV, in which no name begins a formula', async () => {
    const question = {
      From: day,
      To: day,
      GroupBy: ['Supply'],
      Measures: ['Requests', 'Revenue'],
      CompareTo: 'Week',
    };
    const response = await post(question, '?type=csv');
    assert.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8');
    assert.equal(
      await response.text(),
      'SupplyKind,Supply,SupplyName,Requests,Revenue,Before.Requests,Before.Revenue\r\n' +
        `VastTag,${tag.Id},'=Homepage,1,${film.Cpm / 1000},0,0\r\n`,
    );
  });

  test('another team is told nothing of it', async () => {
    const filter = { Field: 'Supply', Operator: 'NotIn', Values: [`VastTag:${tag.Id}`] };
    assert.deepEqual((await ask({ GroupBy: ['Supply'], Filters: [filter] })).Rows, []);
  });

  test('a period that moves on is answered as its days are', async () => {
    const groups = { GroupBy: ['Day', 'Supply'], Measures: ['Requests', 'Revenue'] };
    const { Rows } = await ask({ From: '', To: '', Period: 'ThisMonth', ...groups });
    assert.deepEqual(Rows, (await ask(groups)).Rows);
    assert.equal(Rows.length, 1);
    assert.deepEqual((await ask({ From: '', To: '', Period: 'Yesterday', ...groups })).Rows, []);
  });
});

test('GET /api/statistics/live tells the last minutes and quarter hours', async () => {
  const answer = await room.call('statistics/live');
  const { Minutes, QuarterHours } = answer as unknown as Readonly<
    Record<'Minutes' | 'QuarterHours', readonly Values[]>
  >;
  assert.deepEqual([Minutes.length, QuarterHours.length], [15, 8]);
  const sum = (rows: readonly Values[], name: string) =>
    rows.reduce((all, row) => all + Number(row[name]), 0);
  assert.deepEqual([sum(Minutes, 'Requests'), sum(QuarterHours, 'Requests')], [1, 1]);
  assert.equal(sum(QuarterHours, 'Revenue'), film.Cpm / 1000);
});
