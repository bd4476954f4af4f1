import assert from 'node:assert/strict';
import { after, before, describe, mock, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../support/eventually.ts';
import { type SharedPostgres, sharedPostgres } from '../support/postgres.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { type Stored, type Values, zoneUrl } from './exchange-room.ts';
import { openVastRoom, type Told, type VastRoom } from './vast-room.ts';

const midnightMs = Date.UTC(2027, 5, 16);
const minuteMs = 60_000;
const pollMs = 100;
const waitMsMax = 60_000;

let postgres: SharedPostgres;
let room: VastRoom;
let other: TestServer;
let databaseUrl: string;
const startOther = () => startTestServer({ databaseUrl, allowPrivateDemand: true });

before(async () => {
  mock.timers.enable({ apis: ['Date'], now: midnightMs - minuteMs });
  postgres = await sharedPostgres();
  databaseUrl = await postgres.freshDatabase();
  room = await openVastRoom({ databaseUrl });
  other = await startOther();
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

describe('days and hours of zones, and flights, at two machines', () => {
  const flight = (Start: string, Impressions: number) => ({ Start, End: Start, Impressions, Spend: 0 });
  /** Open in one hour of the week, from Monday on. */
  const hour = (index: number) => `${'0'.repeat(index)}1${'0'.repeat(167 - index)}`;
  /** Campaigns of ads at 0.004 USD, and how many of each both machines may show together in each stage. */
  const campaigns: readonly (readonly [values: Values, sold: readonly number[]])[] = [
    // Days that begin at 16:00 UTC, at 18:30, and at midnight.
    [{ SpendDailyLimit: 0.021, TimeZone: 'Asia/Singapore' }, [5, 5, 0]],
    [{ SpendDailyLimit: 0.017, TimeZone: 'Asia/Kolkata' }, [4, 0, 4]],
    [{ SpendDailyLimit: 0.013 }, [3, 0, 0]],
    // Wednesday is over in Singapore at 16:00, and Thursday has begun in Kolkata at 18:30.
    [{ Flights: [flight('2027-06-16', 4), flight('2027-06-17', 3)], TimeZone: 'Asia/Singapore' }, [4, 3, 0]],
    [{ Hours: hour(3 * 24), SpendDailyLimit: 0.009, TimeZone: 'Asia/Kolkata' }, [0, 0, 2]],
  ];
  const tags: Stored[] = [];
  const further = 4;

  /** How many ads of each tag both machines hand out and show, at least until there are as many as expected. */
  const soldUntil = async (expected: readonly number[]): Promise<number[]> => {
    const lateMs = performance.now() + waitMsMax;
    const sold = expected.map(() => 0);
    for (let left = further; left > 0; ) {
      const isReached = expected.every((count, index) => (sold[index] ?? 0) >= count);
      if (isReached || performance.now() > lateMs) left -= 1;
      for (const [index, tag] of tags.entries())
        for (const impression of (
          await Promise.all([zoneUrl(tag), there(zoneUrl(tag))].map(played))
        ).flat()) {
          await show(impression);
          sold[index] = (sold[index] ?? 0) + 1;
        }
      await delay(pollMs);
    }
    return sold;
  };
  const expectedIn = (stage: number) => campaigns.map(([, sold]) => sold[stage] ?? 0);
  const at = (time: string) => mock.timers.setTime(Date.parse(`2027-06-16T${time}Z`));

  test('both together show what each day and flight allows, and no more, also after a restart', async () => {
    for (const [values] of campaigns) tags.push(await tagOf(await room.add('campaign', values)));
    at('15:40');
    assert.deepEqual(await soldUntil(expectedIn(0)), expectedIn(0));
    at('16:02');
    assert.deepEqual(await soldUntil(expectedIn(1)), expectedIn(1));
    await other.close();
    other = await startOther();
    assert.deepEqual(await soldUntil(campaigns.map(() => 0)), [0, 0, 0, 0, 0]);
    at('18:32');
    assert.deepEqual(await soldUntil(expectedIn(2)), expectedIn(2));
  });
});
