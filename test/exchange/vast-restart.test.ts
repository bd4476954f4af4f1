import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, mock, test } from 'node:test';
import { played } from '../protocols/vast/vast-player.ts';
import { startTestServer } from '../support/server.ts';
import { type Stored, zoneUrl } from './exchange-room.ts';
import { openVastRoom, type VastRoom } from './vast-room.ts';

const folder = mkdtempSync(join(tmpdir(), 'bourse-restart-'));
const databaseUrl = `sqlite:${join(folder, 'bourse.db')}`;
const minuteMs = 60_000;
const dayMs = 86_400_000;
const noonMs = Date.UTC(2027, 5, 15, 12);

let room: VastRoom;

before(async () => {
  mock.timers.enable({ apis: ['Date'], now: noonMs });
  room = await openVastRoom({ databaseUrl });
});
after(() => {
  mock.timers.reset();
  rmSync(folder, { recursive: true, force: true });
});

/** Whether there is an ad for an address, at a server that stands in for the first one. */
async function hasAd(url: string, tag: Stored, ip: string): Promise<boolean> {
  const zone = new URL(zoneUrl(tag, { ip }));
  return (await played(await (await fetch(url + zone.pathname + zone.search)).text())).length > 0;
}

async function show(tag: Stored, ip: string): Promise<string> {
  const { text } = await room.vast(zoneUrl(tag, { ip }));
  const [impression = assert.fail('no ad')] = room.trackers(text, 'impression');
  assert.equal((await fetch(impression)).status, 200);
  return impression;
}

test('what was counted today still counts after a restart, and no more the next day', async () => {
  const film = await room.add('campaign', { ImpressionsLimitPerIp: 2 });
  const daily = await room.add('campaign', { ImpressionsDailyLimit: 1 });
  const spent = await room.add('campaign', { SpendDailyLimit: 0.004 });
  const tagOf = (campaign: Stored, values = {}) =>
    room.add('ortb/vasttag', { Campaigns: [campaign.Id], ...values });
  const [byDemand, bySupply] = [
    await tagOf(film),
    await tagOf(await room.add('campaign'), { ImpressionsLimitPerIp: 1 }),
  ];
  const [byDay, byAmount] = [await tagOf(daily), await tagOf(spent)];
  await room.served();
  await show(byDemand, '203.0.113.7');
  await show(byDemand, '203.0.113.7');
  await show(byDemand, '203.0.113.8');
  const replayed = await show(bySupply, '2001:db8:0:1::1');
  await show(byDay, '');
  await show(byAmount, '');
  await room.close();

  const again = await startTestServer({ databaseUrl, allowPrivateDemand: true });
  const port = new URL(again.url).host;
  assert.equal((await fetch(replayed.replace(/\/\/[^/]+/, `//${port}`))).status, 200);
  const asked = async () => [
    await hasAd(again.url, byDemand, '203.0.113.7'),
    await hasAd(again.url, byDemand, '203.0.113.8'),
    await hasAd(again.url, bySupply, '2001:db8:0:1:2:3:4:5'),
    await hasAd(again.url, bySupply, '2001:db8:0:2::1'),
    await hasAd(again.url, byDay, ''),
    await hasAd(again.url, byAmount, ''),
  ];
  assert.deepEqual(await asked(), [false, true, false, true, false, false]);
  mock.timers.setTime(noonMs + dayMs);
  assert.deepEqual(await asked(), [true, true, true, true, true, true]);
  await again.close();
});

test('a tracker that has expired is answered, and counts nothing', async () => {
  mock.timers.setTime(noonMs + 2 * dayMs);
  const other = await openVastRoom();
  const film = await other.add('campaign');
  const tag = await other.add('ortb/vasttag', { Campaigns: [film.Id] });
  await other.served();
  const tracker = async () => other.trackers((await other.vast(zoneUrl(tag))).text, 'impression')[0] ?? '';
  const [first, second] = [await tracker(), await tracker()];
  mock.timers.tick(59 * minuteMs);
  assert.equal((await fetch(first)).status, 200);
  mock.timers.tick(2 * minuteMs);
  assert.equal((await fetch(second)).status, 200);
  assert.equal((await fetch(first)).status, 200);
  const row = await other.statistics(
    tag,
    ({ Requests, Bills }) => Number(Requests) === 2 && Number(Bills) > 0,
  );
  assert.deepEqual([row.Wins, row.Bills, row.NetImpressions], [2, 1, 1]);
  await other.close();
});

test("a campaign's click that has expired leads on, and counts nothing", async () => {
  mock.timers.setTime(noonMs + 3 * dayMs);
  const other = await openVastRoom();
  const banner = await other.add('campaign', {
    Type: 2,
    Html: '<p>Hi</p>',
    ClickUrl: 'https://brand.example/',
  });
  const endpoint = await other.add('bannerep', { Campaigns: [banner.Id] });
  await other.served();
  const { text } = await other.vast(zoneUrl(endpoint));
  const [click = ''] = other.trackers(text, 'click');
  mock.timers.tick(61 * minuteMs);
  const follow = async (url: string) => {
    const { status, headers } = await fetch(url, { redirect: 'manual' });
    return [status, headers.get('location')];
  };
  assert.deepEqual(await follow(click), [302, 'https://brand.example/']);
  assert.deepEqual(await follow(`${click}A`), [200, null]);
  const { Clicks } = await other.statistics(endpoint, ({ Requests }) => Number(Requests) > 0);
  assert.equal(Clicks, 0);
  await other.close();
});

test('forged trackers, and what is none, are answered as usual and count nothing', async () => {
  const other = await openVastRoom();
  const film = await other.add('campaign');
  const tag = await other.add('ortb/vasttag', { Campaigns: [film.Id] });
  await other.served();
  const { text } = await other.vast(zoneUrl(tag));
  const [impression = ''] = other.trackers(text, 'impression');
  const [head = '', token = ''] = impression.split('?t=');
  const bytes = Buffer.from(token, 'base64url');
  const changed = (at: number) => {
    const other = Buffer.from(bytes);
    // Not the version after ours, which is left to newer programs.
    other[at] = (other[at] ?? 0) ^ 64;
    return other.toString('base64url');
  };
  const forged = [
    // Another version, type, key, nonce, value, and tag.
    ...[0, 1, 5, 6, 18, bytes.length - 1].map(changed),
    // Characters of another block, whose last bytes are the same.
    token.replace(/^./, (first) => String.fromCharCode(0x100 + first.charCodeAt(0))),
    token.slice(0, 30),
    token.slice(0, -1),
    `${token}A`,
    '',
    'x'.repeat(20_000),
    encodeURIComponent('"\'<>]]>\r\nX: 1'),
  ];
  for (const each of forged) {
    for (const event of ['impression', 'error', 'clicktracking', 'start', 'none']) {
      const answer = await fetch(`${head.replace('impression', event)}?t=${each}`, { redirect: 'manual' });
      assert.deepEqual(
        [answer.status, answer.headers.get('content-type')],
        [200, 'image/gif'],
        each.slice(0, 40),
      );
    }
    const click = await fetch(`${head.replace('impression', 'click')}?t=${each}`, { redirect: 'manual' });
    assert.equal(click.headers.get('location'), null, 'no open redirect');
  }
  const row = await other.statistics(tag, ({ Requests }) => Number(Requests) > 0);
  assert.deepEqual([row.Bills, row.NetImpressions, row.Clicks], [0, 0, 0]);
  await other.close();
});
