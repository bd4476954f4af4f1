import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Store } from '../../src/store/interface.ts';
import { openStore } from '../../src/store/open-store.ts';
import { impression, pairOf } from '../statistics/counting.ts';
import { type StoreSink, storeSink } from '../statistics/store-sink.ts';
import { eventually } from '../support/eventually.ts';
import { startApi, type Values } from './api.ts';
import { addUser } from './users.ts';

const { server, api } = await startApi();
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const nowMs = Date.now();
/** In the hour that begins a day: whole in every period but at midnight. */
const todayMs = nowMs - (nowMs % dayMs);
let store: Store;
let sink: StoreSink;

const tag = await api.add('VastTag', { Name: 'rising' });
const quiet = await api.add('VastTag', { Name: 'falling' });
const campaign = await api.add('Campaign', { Name: 'one' });

before(async () => {
  store = await openStore({ url: server.databaseUrl, now: Date.now });
  sink = storeSink({ store, now: Date.now });
  const supply = { kind: 'VastTag', id: tag.Id };
  const demand = { kind: 'Campaign', id: campaign.Id };
  const fallen = { kind: 'VastTag', id: quiet.Id };
  for (let time = 0; time < 4; time += 1) sink.count(pairOf(supply), 'requests', nowMs);
  sink.count(pairOf(supply, demand), 'requests', nowMs);
  sink.count(pairOf(fallen), 'requests', todayMs - dayMs);
  const paid = { spentNanos: 1e9, revenueNanos: 3e9 };
  await sink.bill(impression('a', pairOf(supply, demand), { ...paid, timeMs: nowMs }));
  await sink.bill(impression('b', pairOf(fallen, demand), { ...paid, timeMs: todayMs - dayMs }));
  await sink.flush();
});
after(async () => {
  await sink.close();
  await store.close();
});

type Figures = Readonly<Record<'Today' | 'Yesterday' | 'SameHoursYesterday', Record<string, number>>> & {
  readonly Id: number;
  readonly Trend: readonly number[];
};
const figures = async (query: string, as = api) => {
  const { status, text, body } = await as.get(`/api/figures/get?${query}`);
  assert.equal(status, 200, text);
  return body as unknown as readonly Figures[];
};

test('objects, accounts and demand show what they counted, in the order of Ids', async () => {
  const [second, first] = await figures(`Entity=VastTag&Ids=${quiet.Id},${tag.Id}`);
  assert.deepEqual([second?.Id, first?.Id], [quiet.Id, tag.Id]);
  const { Requests, Impressions, Revenue, Cost, Profit, FillRate } = first?.Today ?? {};
  assert.deepEqual([Requests, Impressions, Revenue, Cost, Profit, FillRate], [4, 1, 3, 1, 2, 25]);
  assert.equal(first?.Trend.at(-1), 4);
  assert.deepEqual(
    [second?.Yesterday.Requests, second?.Yesterday.Revenue, second?.Today.Requests],
    [1, 3, 0],
  );
  const [demand] = await figures('Entity=Campaign');
  assert.deepEqual([demand?.Today.Requests, demand?.Today.Revenue, demand?.Yesterday.Revenue], [1, 3, 3]);
  const [publisher] = await figures('Entity=Publisher');
  assert.deepEqual([publisher?.Today.Requests, publisher?.Yesterday.Requests], [4, 1]);
  assert.equal((await figures('Entity=VastTag')).length, 2, 'all objects without Ids');
});

test('the overview: all supply, by hour, of today or of another day', async () => {
  const { body, status, text } = await api.get('/api/figures/overview');
  assert.equal(status, 200, text);
  const { Today, Yesterday, Hours } = body as unknown as Figures & Record<'Hours', Values[]>;
  assert.deepEqual([Today.Requests, Today.Revenue, Yesterday.Requests, Yesterday.Revenue], [4, 3, 1, 3]);
  assert.deepEqual([Hours.at(-1)?.Requests, Hours.length], [4, Math.floor((nowMs - todayMs) / hourMs) + 1]);
  assert.deepEqual(
    Hours.slice(0, 1).map(({ Before }) => (Before as Values).Requests),
    [1],
  );
  const { body: earlier } = await api.get(
    `/api/figures/overview?Day=${new Date(todayMs - dayMs).toJSON().slice(0, 10)}`,
  );
  assert.deepEqual([(earlier.Today as Values).Revenue, (earlier.Hours as Values[]).length], [3, 24]);
  const late = await api.get('/api/figures/overview?Day=2999-01-01');
  assert.deepEqual([late.status, (late.body.Errors as { Path: string }[])[0]?.Path], [406, 'Day']);
});

test('the overview and a report say the same of how today compares', async () => {
  const { body } = await api.get('/api/figures/overview');
  const measures = ['Requests', 'Impressions', 'Revenue', 'Cost'];
  const asked = { Period: 'Today', Measures: measures, CompareTo: 'Period', Total: 1 };
  const { body: report } = await api.post('/api/statistics/report', asked);
  const { Before, ...total } = report.Total as Record<string, unknown> & { Before: Values };
  for (const name of measures) {
    assert.equal(total[name], (body.Today as Values)[name]);
    assert.ok(Math.abs(Number(Before[name]) - Number((body.SameHoursYesterday as Values)[name])) < 0.01);
  }
});

test('what moved is split by supply, demand, pairs and country, with what was changed there', async () => {
  await api.post('/api/campaign/deactivate', { Campaign: { Id: campaign.Id } });
  const day = new Date(todayMs - dayMs).toJSON().slice(0, 10);
  const sent = { Measure: 'Revenue', From: day, To: day };
  const { status, text, body } = await api.post('/api/statistics/drivers', sent);
  assert.equal(status, 200, text);
  const splits = body.Splits as readonly {
    readonly By: string;
    readonly Rows: readonly {
      readonly Objects: readonly Values[];
      readonly Now: number;
      readonly Before: number;
    }[];
  }[];
  assert.deepEqual(
    splits.map(({ By }) => By),
    ['Supply', 'Demand', 'Pair', 'Country'],
  );
  assert.deepEqual([body.Now, body.Before], [3, 0]);
  const [bySupply, byDemand, byPair] = splits.map(({ Rows }) => Rows);
  assert.deepEqual(
    bySupply?.map(({ Objects, Now }) => [Objects[0]?.Name, Now]),
    [['falling', 3]],
  );
  assert.deepEqual(
    byPair?.map(({ Objects }) => Objects.map(({ Name }) => Name)),
    [['falling', 'one']],
  );
  assert.equal(byDemand?.[0]?.Objects[0]?.Name, 'one');
  const today = { Measure: 'Revenue', Period: 'Today', BeforeFrom: '2026-01-01', BeforeTo: '2026-01-01' };
  const { body: now } = await api.post('/api/statistics/drivers', today);
  const demand = (now.Splits as typeof splits)[1]?.Rows[0]?.Objects[0];
  const [change] = (demand?.Changes ?? []) as Values[];
  assert.deepEqual([change?.Operation, change?.Id, now.Before], ['deactivate', campaign.Id, 0]);
});

for (const [what, sent, path] of [
  ['no period', { Measure: 'Revenue' }, 'Period'],
  ['another measure', { Measure: 'Margin', Period: 'Today' }, 'Measure'],
  ['half of a period before', { Measure: 'Cost', Period: 'Today', BeforeTo: '2027-01-01' }, 'BeforeFrom'],
  [
    'two periods before',
    { Measure: 'Cost', Period: 'Today', CompareTo: 'Week', BeforeFrom: '2026-01-01', BeforeTo: '2026-01-02' },
    'CompareTo',
  ],
] as const) {
  test(`what moved refuses ${what}`, async () => {
    const { status, body } = await api.post('/api/statistics/drivers', sent);
    assert.deepEqual([status, (body.Errors as { Path: string }[])[0]?.Path], [406, path]);
  });
}

test('analysts may ask, and see nothing of other teams', async () => {
  const analyst = api.as((await addUser(server, { role: 2 })).token);
  assert.deepEqual(await figures('Entity=VastTag', analyst), []);
  const { body } = await analyst.get('/api/figures/overview');
  assert.equal((body.Today as Values).Requests, 0);
  const asked = { Measure: 'Revenue', Period: 'Today' };
  const { status: answered, body: moved } = await analyst.post('/api/statistics/drivers', asked);
  assert.deepEqual([answered, moved.Now], [200, 0]);
  const { status } = await analyst.get(`/api/figures/get?Entity=VastTag&Ids=${tag.Id}`);
  assert.equal(status, 406);
});

const refused: readonly (readonly [query: string, path: string, message: RegExp])[] = [
  ['', 'Entity', /is required/],
  ['Entity=VastTags', 'Entity', /did you mean `VastTag`/],
  ['Entity=DomainList', 'Entity', /not a kind with figures/],
  ['Entity=VastTag&Ids=1,x', 'Ids', /IDs separated by commas/],
  ['Entity=VastTag&Ids=999', 'Ids', /VAST Tag 999 is not found/],
  [`Entity=VastTag&Ids=${Array(501).fill(1).join()}`, 'Ids', /at most 500 IDs/],
];
for (const [query, path, message] of refused) {
  test(`refuses ${query.slice(0, 40)}`, async () => {
    const { status, body } = await api.get(`/api/figures/get?${query}`);
    const [fault] = body.Errors as { Path: string; Message: string }[];
    assert.deepEqual([status, fault?.Path], [406, path]);
    assert.match(fault?.Message ?? '', message);
  });
}

const tags = async (asked: Readonly<Record<string, string>>, as = api) => {
  const { status, text, body, headers } = await as.get(
    `/api/ortb/vasttag/get?${new URLSearchParams(asked).toString()}`,
  );
  assert.equal(status, 200, text);
  const rows = body as unknown as readonly (Values & { readonly Id: number })[];
  return { rows, ids: rows.map(({ Id }) => Id), cursor: headers.get('bourse-cursor') };
};
const filtered = (Field: string, Operator: string, ...Values: readonly (string | number)[]) =>
  JSON.stringify([{ Field, Operator, Values }]);

test('lists show, order and filter by figures of today and yesterday', async () => {
  const Fields = 'Id,Today.Requests,Yesterday.Revenue,Today.Margin,Today.Ecpm,TodayRevenue';
  const expected = [
    {
      ...{ Id: tag.Id, 'Today.Requests': 4, 'Yesterday.Revenue': 0, 'Today.Margin': 66.666667 },
      ...{ 'Today.Ecpm': 3000, TodayRevenue: 3 },
    },
    {
      ...{ Id: quiet.Id, 'Today.Requests': 0, 'Yesterday.Revenue': 3, 'Today.Margin': null },
      ...{ 'Today.Ecpm': null, TodayRevenue: 0 },
    },
  ];
  let rows: Awaited<ReturnType<typeof tags>>['rows'] = [];
  // `TodayRevenue` may be a second old.
  await eventually(async () => {
    ({ rows } = await tags({ Fields, Sort: '-Today.Revenue' }));
    assert.deepEqual(rows, expected);
  }, 'the figures');
  assert.deepEqual(Object.keys(rows[0] ?? {}), Fields.split(','));
  assert.deepEqual((await tags({ Sort: '-Yesterday.Impressions' })).ids, [quiet.Id, tag.Id]);
  assert.deepEqual((await tags({ Sort: '-Health.State' })).ids, [quiet.Id, tag.Id], 'the worst first');
  assert.deepEqual((await tags({ Filter: filtered('Today.Requests', 'at_least', 4) })).ids, [tag.Id]);
  assert.deepEqual((await tags({ Filter: filtered('Today.Margin', 'at_most', 100) })).ids, [tag.Id]);
  const { body } = await api.get('/api/publisher/get?Fields=Today.Requests,Yesterday.Requests');
  assert.deepEqual(body, [{ 'Today.Requests': 4, 'Yesterday.Requests': 1 }]);
  const none = await api.get('/api/publisher/get?Fields=Health.State');
  assert.equal(none.status, 406, 'accounts have no health');
});

test('pages by a figure, where some have none, are together the whole list', async () => {
  for (const Sort of ['Today.Margin', '-Today.Margin', 'Yesterday.Ecpm,-Id', '-Health.State']) {
    const { ids } = await tags({ Sort });
    const paged: number[] = [];
    for (let sent: Readonly<Record<string, string>> = {}; ; ) {
      const page = await tags({ Sort, Limit: '1', ...sent });
      paged.push(...page.ids);
      if (page.cursor === null) break;
      sent = { Cursor: page.cursor };
    }
    assert.deepEqual(paged, ids, Sort);
  }
});

test('lists show and filter by health, which the list of health ranks', async () => {
  const { rows } = await tags({
    Fields: 'Id,Health.State',
    Filter: filtered('Health.State', 'in', 'ok', 'not_ready'),
  });
  const states = new Map(rows.map((row) => [row.Id, row['Health.State']]));
  assert.deepEqual([states.get(tag.Id), states.get(quiet.Id)], ['ok', 'not_ready']);
  const list = async (query: string) => {
    const { status, text, body } = await api.get(`/api/health/list?Side=supply${query}`);
    assert.equal(status, 200, text);
    return body as unknown as {
      readonly States: readonly Values[];
      readonly Total: number;
      readonly Objects: readonly Values[];
    };
  };
  const all = await list('');
  assert.deepEqual(
    all.Objects.map(({ Entity, Id, State }) => [Entity, Id, State]),
    [
      ['VastTag', quiet.Id, 'not_ready'],
      ['VastTag', tag.Id, 'ok'],
    ],
  );
  assert.deepEqual(
    all.States.filter(({ Objects }) => Objects !== 0),
    [
      { State: 'not_ready', Objects: 1 },
      { State: 'ok', Objects: 1 },
    ],
  );
  const { body } = await api.get(`/api/health/get?Entity=VastTag&Ids=${tag.Id}`);
  assert.deepEqual(all.Objects[1], { Entity: 'VastTag', ...(body as unknown as readonly Values[])[0] });
  const lacking = await list('&State=not_ready&Query=FALL');
  assert.deepEqual([lacking.Total, lacking.Objects[0]?.Id], [1, quiet.Id]);
  assert.deepEqual((await list('&Limit=1&Offset=1')).Objects.length, 1);
});

test('what needs attention is told of both sides, what lost most since this time yesterday first', async () => {
  const asked = async (query: string) => {
    const { status, text, body } = await api.get(`/api/health/list?${query}`);
    assert.equal(status, 200, text);
    return body as unknown as { readonly Total: number; readonly Objects: readonly Values[] };
  };
  const { Total, Objects } = await asked('Attention=1');
  assert.deepEqual(
    Objects.map(({ Entity, Name, State, Lost }) => [Entity, Name, State, Number(Lost) > 0]),
    [['VastTag', 'falling', 'not_ready', true]],
  );
  assert.equal(Total, 1);
  assert.deepEqual((await asked('Side=demand&Attention=1')).Objects, []);
  const both = (await asked('')).Objects.map(({ Entity }) => Entity);
  assert.deepEqual(new Set(both), new Set(['VastTag', 'Campaign']));
});

test('words are looked for in names, IDs and names of owners', async () => {
  const { body } = await api.get('/api/publisher/get?Fields=Name');
  const [owner] = body as unknown as readonly Values[];
  assert.deepEqual((await tags({ Query: 'ris ING' })).ids, [tag.Id]);
  assert.deepEqual((await tags({ Query: `${String(owner?.Name).toUpperCase()} fall` })).ids, [quiet.Id]);
  assert.deepEqual((await tags({ Query: `${tag.Id} rising` })).ids, [tag.Id]);
  assert.deepEqual((await tags({ Query: 'rising falling' })).ids, []);
  const many = await api.get(`/api/ortb/vasttag/get?Query=${'a+'.repeat(11)}`);
  assert.equal(many.status, 406);
});
