import assert from 'node:assert/strict';
import { after, before, mock, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../support/eventually.ts';
import { type SharedPostgres, sharedPostgres } from '../support/postgres.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { type Stored, zoneUrl } from './exchange-room.ts';
import { openVastRoom, type Told, type VastRoom } from './vast-room.ts';

const midnightMs = Date.UTC(2027, 5, 16);
const minuteMs = 60_000;
const pollMs = 100;
const waitMsMax = 60_000;

let postgres: SharedPostgres;
let room: VastRoom;
let other: TestServer;

before(async () => {
  mock.timers.enable({ apis: ['Date'], now: midnightMs - minuteMs });
  postgres = await sharedPostgres();
  const databaseUrl = await postgres.freshDatabase();
  room = await openVastRoom({ databaseUrl });
  other = await startTestServer({ databaseUrl, allowPrivateDemand: true });
});
after(async () => {
  await other.close();
  await room.close();
  await postgres.remove();
  mock.timers.reset();
});

/** What the other machine says of a tag's campaign: the rule that refuses it, and what its limit has met. */
async function toldThere(tag: Stored): Promise<readonly unknown[]> {
  const body = JSON.stringify({ VastTag: { Id: tag.Id }, Request: { Url: zoneUrl(tag) } });
  const headers = { authorization: `Bearer ${other.token}` };
  const answer = await fetch(`${other.url}/api/exchange/explain`, { method: 'POST', headers, body });
  // It may not have heard of the tag yet.
  const { Candidates = [] } = (await answer.json()) as Partial<Told>;
  return [Candidates[0]?.Rule, Candidates[0]?.Met];
}

/** Resolves once it says one of these; nothing was handed out there, so it can only know it from this machine. */
async function untilThere(tag: Stored, ...expected: readonly (readonly unknown[])[]): Promise<void> {
  const lateMs = performance.now() + waitMsMax;
  const accepted = new Set(expected.map((one) => JSON.stringify(one)));
  for (let met = await toldThere(tag); !accepted.has(JSON.stringify(met)); met = await toldThere(tag)) {
    assert.ok(performance.now() < lateMs, `the other machine does not follow: it says ${met}`);
    await delay(pollMs);
  }
}

/** What a URL of this machine is at the other one. */
const there = (url: string) => url.replace(room.server.url, other.url);

/** Impression trackers of what a machine answers. */
const played = async (url: string) =>
  [...(await (await fetch(url)).text()).matchAll(/[^\s"[]+\/track\/impression\?t=[\w.:~-]+/g)].map(
    ([tracker]) => tracker,
  );
/** An ad's impression tracker, as soon as the machine has a share of the limits that it takes. */
async function handedOut(tag: Stored, at = (url: string) => url): Promise<string> {
  let impression: string | undefined;
  await eventually(async () => {
    [impression] = await played(at(zoneUrl(tag)));
    assert.ok(impression, 'no ad');
  }, 'an ad');
  return impression as unknown as string;
}
/** Likewise, of this machine. */
async function toldHere(tag: Stored): Promise<readonly unknown[]> {
  const [told] = (await room.explain(tag, zoneUrl(tag))).Candidates;
  return [told?.Rule, told?.Met];
}
const show = async (impression: string) => assert.equal((await fetch(impression)).status, 200);

async function tagOf(campaign: Stored): Promise<Stored> {
  const tag = await room.add('ortb/vasttag', { Campaigns: [campaign.Id] });
  await room.served();
  await eventually(
    async () => assert.notEqual((await toldThere(tag))[0], undefined),
    'the other machine knows it',
  );
  return tag;
}

test('what one machine counts, the limits of another know soon', async () => {
  const rules = { SpendDailyLimit: 'spent_daily_limit', SpendTotalLimit: 'spend_total_limit' };
  for (const [limit, rule] of Object.entries(rules)) {
    const tag = await tagOf(await room.add('campaign', { [limit]: 0.011 }));
    await show(await handedOut(tag));
    await show(await handedOut(tag));
    await untilThere(tag, [rule, 0.008]);
  }
});

test('what one machine has promised, another does not promise again, whichever is told that it was shown', async () => {
  const rules = { SpendDailyLimit: 'spent_daily_limit', SpendTotalLimit: 'spend_total_limit' };
  for (const [limit, rule] of Object.entries(rules)) {
    const tag = await tagOf(await room.add('campaign', { [limit]: 0.015 }));
    const ads = [await handedOut(tag), await handedOut(tag), await handedOut(tag)];
    // It has no share, and may already have heard that all is promised here.
    await untilThere(tag, ['limit_share_used', null], [rule, 0.012]);
    assert.deepEqual(await played(there(zoneUrl(tag))), []);
    // What is shown was promised: nothing is free for that.
    for (const impression of ads.slice(0, 2)) await show(there(impression));
    await untilThere(tag, ['limit_share_used', null], [rule, 0.012]);
    assert.deepEqual(await played(zoneUrl(tag)), []);
    await show(ads[2] ?? '');
    await untilThere(tag, [rule, 0.012]);
    await eventually(
      async () => assert.deepEqual(await toldHere(tag), [rule, 0.012]),
      'the machine that has promised follows',
    );
  }
});

for (const limits of [{ ImpressionsLimitPerIp: 3 }, { FrequencyCap: 3, FrequencyHours: 24, FrequencyKey: 2 }])
  test(`the impressions of an address that one machine counts, another knows when it counts one: ${Object.keys(limits)[0]}`, async () => {
    const tag = await tagOf(await room.add('campaign', limits));
    await show(await handedOut(tag));
    await show(await handedOut(tag));
    await room.statistics(tag, ({ Bills }) => Bills === 2);
    await show(there(await handedOut(tag, there)));
    await room.statistics(tag, ({ Bills }) => Bills === 3);
    assert.deepEqual(await played(there(zoneUrl(tag))), []);
  });

test('what one machine counts for yesterday, totals of another know soon', async () => {
  const tag = await tagOf(await room.add('campaign', { SpendTotalLimit: 0.011 }));
  const late = [await handedOut(tag), await handedOut(tag)];
  mock.timers.setTime(midnightMs + minuteMs);
  for (const impression of late) await show(impression);
  await untilThere(tag, ['spend_total_limit', 0.008]);
});
