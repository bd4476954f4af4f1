import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { played } from '../protocols/vast/vast-player.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { type Stored, zoneUrl } from './exchange-room.ts';
import { openVastRoom, type VastRoom } from './vast-room.ts';

const pollMs = 100;
const waitMsMax = 30_000;

let postgres: PostgresServer;
let room: VastRoom;
let other: TestServer;

before(async () => {
  postgres = await startPostgres();
  const databaseUrl = await postgres.freshDatabase();
  room = await openVastRoom({ databaseUrl });
  other = await startTestServer({ databaseUrl, allowPrivateDemand: true });
});
after(async () => {
  await other.close();
  await room.close();
  await postgres.remove();
});

/** Whether there is an ad for a tag at the other machine. */
async function isServedThere(tag: Stored): Promise<boolean> {
  const zone = new URL(zoneUrl(tag));
  return (await played(await (await fetch(other.url + zone.pathname + zone.search)).text())).length > 0;
}

/** Resolves once it is served there, or no more. */
async function untilThere(tag: Stored, isServed: boolean): Promise<void> {
  const lateMs = performance.now() + waitMsMax;
  while ((await isServedThere(tag)) !== isServed) {
    assert.ok(performance.now() < lateMs, `the other machine does not follow: served is not ${isServed}`);
    await delay(pollMs);
  }
}

async function show(tag: Stored): Promise<void> {
  const { text } = await room.vast(zoneUrl(tag));
  const [impression = assert.fail('no ad')] = room.trackers(text, 'impression');
  assert.equal((await fetch(impression)).status, 200);
}

test('what one machine counts, the limits of another know soon', async () => {
  const cases = [
    await room.add('campaign', { SpendDailyLimit: 0.008 }),
    await room.add('campaign', { SpendTotalLimit: 0.008 }),
  ];
  for (const campaign of cases) {
    const tag = await room.add('ortb/vasttag', { Campaigns: [campaign.Id] });
    await room.served();
    await untilThere(tag, true);
    await show(tag);
    await show(tag);
    await untilThere(tag, false);
  }
});
