import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type ExchangeRoom, openExchange, type Stored, zoneUrl } from './exchange-room.ts';

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
  const shown = { Status: 'Ok', Uplift: null };
  assert.deepEqual(await figuresOf(rule), { ...shown, Floor: counted, Control: nothing });
  assert.deepEqual(await figuresOf(skipped), { ...shown, Floor: nothing, Control: counted });
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
