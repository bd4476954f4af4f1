import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask } from './ask.ts';
import { feedUrl, openPopRoom, type PopRoom, startXmlPartner, visitor } from './pop-room.ts';

/** The values of what delivery counts, but for times. */
async function scrape(room: PopRoom): Promise<Record<string, number>> {
  const text = await (await fetch(`${room.server.url}/metrics`)).text();
  const own =
    /^(bourse_(?:auctions|demand|notices|billable|revenue|cost|trackers|counts|snapshot)[^ ]*) ([\d.e-]+)$/gm;
  return Object.fromEntries([...text.matchAll(own)].map(([, name = '', value]) => [name, Number(value)]));
}

test('/metrics tells of auctions, refusals, calls of demand, billable events and trackers', async (t) => {
  const room = await openPopRoom();
  t.after(() => room.close());
  const partner = await startXmlPartner();
  t.after(() => partner.close());
  const { click } = await room.clickOf({ PublisherProfitShare: 75 });
  for (const url of [click, click, `${room.server.url}/click/forged`]) await ask(url);
  const lonely = await room.addFeed({});
  const answering = await room.addDsp({ FeedUrlUsEast: `${partner.url}/xml` });
  const silent = await room.addDsp({ FeedUrlUsEast: `${partner.url}/nothing` });
  const cheap = await room.addCampaign({ Cpm: 1 });
  const feed = await room.addFeed({
    DspPopFeeds: [answering.Id, silent.Id],
    Campaigns: [cheap.Id],
  });
  await room.served();
  for (const asked of [lonely, feed]) await ask(feedUrl(asked, visitor));
  const found = await scrape(room);
  const age = found.bourse_snapshot_age_seconds ?? assert.fail('no age');
  assert.ok(age >= 0 && age < 60, `${age}`);
  const counts = Object.entries(found).filter(([name]) => !/duration|_age_/.test(name));
  // A pop's click is all three.
  const billed = Object.fromEntries(
    ['bills', 'impressions', 'clicks'].flatMap((event) =>
      ['counted', 'repeated'].map((outcome) => [
        `bourse_billable_events_total{event="${event}",outcome="${outcome}"}`,
        1,
      ]),
    ),
  );
  assert.deepEqual(Object.fromEntries(counts), {
    'bourse_auctions_total{supply="PopFeed",outcome="won"}': 2,
    'bourse_auctions_total{supply="PopFeed",outcome="no_demand"}': 1,
    'bourse_demand_refused_total{reason="lost"}': 1,
    'bourse_demand_refused_total{reason="no_bid"}': 1,
    'bourse_demand_calls_total{outcome="answered"}': 2,
    bourse_demand_paused: 0,
    'bourse_notices_total{outcome="sent"}': 0,
    'bourse_notices_total{outcome="failed"}': 0,
    'bourse_notices_total{outcome="dropped"}': 0,
    ...billed,
    bourse_revenue_usd_total: 0.004,
    bourse_cost_usd_total: 0.003,
    bourse_trackers_refused_total: 1,
  });
  const duration = 'bourse_demand_call_duration_seconds';
  assert.deepEqual([found[`${duration}_count`], found[`${duration}_bucket{le="+Inf"}`]], [2, 2]);
  assert.ok((found[`${duration}_sum`] ?? 0) > 0);
});
