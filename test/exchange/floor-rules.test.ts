import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pino from 'pino';
import { entityOf } from '../../src/entities/registry.ts';
import { createAutoFloors } from '../../src/serving/auto-floors.ts';
import { ruleEvidence } from '../../src/statistics/auto-floors.ts';
import { openStore } from '../../src/store/open-store.ts';
import { type ExchangeRoom, openExchange, type Stored, type Values, zoneUrl } from './exchange-room.ts';

const hourMs = 3_600_000;

let room: ExchangeRoom;
let [rule, skipped]: readonly Stored[] = [];

before(async () => {
  room = await openExchange();
  const campaign = await room.add('campaign', { Cpm: 4, MediaUrl: 'https://cdn.example/ad.mp4' });
  const tag = await room.add('ortb/vasttag', { Campaigns: [campaign.Id], Bidfloor: 1 });
  const ruleOf = (values: object) => room.add('floorrule', { VastTags: [tag.Id], ...values });
  rule = await ruleOf({ Name: 'all', Floor: 3, Priority: 2 });
  skipped = await ruleOf({ Name: 'none', Floor: 9, Priority: 1, SkipPercent: 100 });
  await room.served();
  for (let at = 0; at < 2; at += 1) {
    const ad = await (await fetch(zoneUrl(tag))).text();
    const tracker = /https?:\/\/[\w.:]+\/track\/impression\?t=[\w.:~-]+/.exec(ad)?.[0] ?? assert.fail(ad);
    if (at === 0) assert.equal((await fetch(tracker)).status, 200);
  }
  await room.server.flush();
});
after(() => room.close());

const counted = { Opportunities: 2, Bids: 2, Impressions: 1, Cost: 0.001, Revenue: 0.004, PerThousand: 2 };
const nothing = { Opportunities: 0, Bids: 0, Impressions: 0, Cost: 0, Revenue: 0, PerThousand: 0 };

test('a rule shows what was sold with it, and what in its control group', async () => {
  const figuresOf = (of: Stored | undefined) => room.call(`floorrule/figures?Id=${of?.Id}&Days=1`);
  const shown = { Status: 'Ok', Uplift: null, Auto: null };
  assert.deepEqual(await figuresOf(rule), { ...shown, Floor: counted, Control: nothing });
  assert.deepEqual(await figuresOf(skipped), { ...shown, Floor: nothing, Control: counted });
});

test('a pair below the bidfloor is warned of until a rule for the tag may lower it', async () => {
  const campaign = await room.add('campaign', { Cpm: 2, MediaUrl: 'https://cdn.example/ad.mp4' });
  const tag = await room.add('ortb/vasttag', { Campaigns: [campaign.Id], Bidfloor: 5 });
  const warnings = async (path: string, wrapper: string, { Id }: Stored) => {
    const { Warnings = [] } = await room.call(`${path}/update`, { [wrapper]: { Id } });
    return (Warnings as readonly Values[]).map(({ Rule }) => Rule);
  };
  assert.deepEqual(await warnings('ortb/vasttag', 'VastTag', tag), ['below_floor']);
  await room.add('floorrule', { VastTags: [tag.Id], Floor: 1 });
  await room.served();
  assert.deepEqual(await warnings('ortb/vasttag', 'VastTag', tag), []);
  assert.deepEqual(await warnings('campaign', 'Campaign', campaign), []);
});

test('reports have rules and groups', async () => {
  const today = new Date().toJSON().slice(0, 10);
  const asked = {
    From: today,
    To: today,
    GroupBy: ['FloorRule', 'FloorGroup'],
    Measures: ['Opportunities', 'Revenue'],
  };
  const { Rows } = (await room.call('statistics/report', asked)) as unknown as {
    readonly Rows: readonly object[];
  };
  const figures = { Opportunities: 2, Revenue: 0.004 };
  assert.deepEqual(Rows, [
    { FloorRule: rule?.Id, FloorGroup: 'floor', ...figures },
    { FloorRule: skipped?.Id, FloorGroup: 'control', ...figures },
  ]);
});

test('an hour later one of two processes has set the floor that the bids favour, and auctions ask it', async () => {
  const { server } = room;
  const campaign = await room.add('campaign', { Cpm: 4, MediaUrl: 'https://cdn.example/ad.mp4' });
  const tag = await room.add('ortb/vasttag', { Campaigns: [campaign.Id], Bidfloor: 1 });
  const values = { VastTags: [tag.Id], Floor: 2, Auto: 1, AutoMin: 1.5, AutoMax: 3.5 };
  const { Id, TeamId } = await room.add('floorrule', values);
  const hour = Math.floor(Date.now() / hourMs) + 1;
  const store = await openStore({ url: server.databaseUrl, now: Date.now });
  const keep = (of: number, bidMicros: number) =>
    store.statistics.keepBidSamples('one', [
      {
        ...{ kind: 'FloorRule', id: Number(Id), hour: of, country: '', auctions: 5000 },
        sampled: Array.from({ length: 250 }, () => [0, bidMicros, 0, 0]),
      },
    ]);
  // Of before the rule was there.
  await keep(hour - 1, 1_600_000);
  await keep(hour, 3_000_000);
  const now = () => (hour + 1) * hourMs;
  const exchange = {
    usdPerUnit: () => 1,
    autoFloorRules: () => [{ id: Number(Id), teamId: Number(TeamId) }],
  };
  const processes = [0, 1].map(() =>
    createAutoFloors({ store, exchange, now, logger: pino({ enabled: false }) }),
  );
  await Promise.all(processes.map((one) => one.run()));
  await Promise.all(processes.map((one) => one.close()));
  const filter = { entity: 'FloorRule', id: Number(Id), field: 'AutoFloor' };
  const changes = await store.changes(Number(TeamId), filter, 10);
  assert.deepEqual(
    changes.map(({ userId, after }) => [userId, after]),
    [[0, { AutoFloor: 3 }]],
  );
  const evidence = await ruleEvidence({ store, now }, { id: Number(Id), teamId: Number(TeamId) });
  assert.deepEqual(
    evidence.map((samples) => samples.hour),
    [hour],
    'of whole hours since the rule was changed',
  );
  const own = Array.from({ length: 120 }, (_, step) => 2 + step / 1000);
  const rulesOf = entityOf('FloorRule');
  for (const AutoFloor of [...own, 3]) {
    await store.write({ teamId: Number(TeamId), userId: 0 }, async (transaction) => {
      const current = (await transaction.find(rulesOf, Number(Id))) ?? assert.fail('it is gone');
      await transaction.update(rulesOf, current, { document: { AutoFloor }, connections: {} });
    });
  }
  assert.deepEqual(
    await ruleEvidence({ store, now }, { id: Number(Id), teamId: Number(TeamId) }),
    evidence,
    'though the floor was found anew each hour since',
  );
  await store.close();
  await room.served();
  const { FloorRules } = await room.call('exchange/explain', {
    VastTag: { Id: tag.Id },
    Request: { Url: zoneUrl(tag) },
  });
  const [met] = FloorRules as readonly Values[];
  assert.deepEqual([met?.Id, met?.Bidfloor, met?.IsFound], [Id, 3, 1]);
  const { Auto } = await room.call(`floorrule/figures?Id=${Id}`);
  const { FoundAt, Floor, Found } = Auto as Values;
  assert.match(String(FoundAt), /^20/);
  assert.deepEqual([Floor, Found], [3, 3]);
  const { FloorRule } = await room.call('floorrule/update', { FloorRule: { Id, AutoMax: 2.5 } });
  assert.equal((FloorRule as Values).FloorInForce, 2.5, 'within its new bounds at once');
});

test('bounds of Auto that cannot be kept are refused by field', async () => {
  const refusalOf = async (values: object) => {
    const { url, token } = room.server;
    const headers = { authorization: `Bearer ${token}` };
    const body = JSON.stringify({ FloorRule: { Auto: 1, ...values } });
    const { Errors } = (await (
      await fetch(`${url}/api/floorrule/add`, { method: 'POST', headers, body })
    ).json()) as { readonly Errors: readonly { readonly Path: string }[] };
    return Errors.map(({ Path }) => Path);
  };
  assert.deepEqual(await refusalOf({}), ['FloorRule.AutoMax']);
  assert.deepEqual(await refusalOf({ AutoMin: 3, AutoMax: 2 }), ['FloorRule.AutoMin']);
});
