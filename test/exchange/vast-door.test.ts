import assert from 'node:assert/strict';
import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { played } from '../protocols/vast/vast-player.ts';
import { type Stored, zoneUrl } from './exchange-room.ts';
import { film, openVastRoom, type VastRoom } from './vast-room.ts';

let room: VastRoom;

before(async () => {
  room = await openVastRoom();
});
after(() => room.close());

describe('a VAST Tag with a campaign', () => {
  let tag: Stored;
  before(async () => {
    const campaign = await room.add('campaign');
    tag = await room.add('ortb/vasttag', {
      Bidfloor: 1,
      PublisherProfitShare: 50,
      Campaigns: [campaign.Id],
    });
    await room.served();
  });

  test('gives the ad with trackers, counts its impression once, and leads clicks on', async () => {
    const url = zoneUrl(tag, { site_url: 'https://news.example/', cb: '1' });
    const { response, text } = await room.vast(url, { origin: 'https://news.example' });
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-type') ?? '', /^application\/xml/);
    assert.equal(response.headers.get('access-control-allow-origin'), 'https://news.example');
    const [ad] = await played(text);
    assert.deepEqual(ad?.media, [film.MediaUrl]);
    const [impression = ''] = room.trackers(text, 'impression');
    for (const _ of [1, 2, 3]) assert.equal((await fetch(impression)).status, 200);
    const [click = ''] = room.trackers(text, 'click');
    for (const _ of [1, 2]) {
      const clicked = await fetch(click, { redirect: 'manual' });
      assert.equal(clicked.status, 302);
      assert.equal(clicked.headers.get('location'), film.ClickUrl);
    }
    const row = await room.statistics(tag, ({ Requests }) => Number(Requests) > 0);
    const { Requests, Bids, Wins, Bills, NetImpressions, Clicks, Spent } = row;
    assert.deepEqual([Requests, Bids, Wins, Bills, NetImpressions, Clicks], [1, 1, 1, 1, 1, 1]);
    // Half of what is above the floor of 1, of a bid of 4: 2.5 CPM.
    assert.equal(Spent, 0.0025);
  });
});

/** A tag with a campaign, and the impression tracker of its ad. */
async function impressionOf(of = room): Promise<{ tag: Stored; impression: string }> {
  const campaign = await of.add('campaign');
  const tag = await of.add('ortb/vasttag', { Campaigns: [campaign.Id] });
  await of.served();
  const [impression = assert.fail('no ad')] = of.trackers((await of.vast(zoneUrl(tag))).text, 'impression');
  return { tag, impression };
}

test('who only looks at a tracker counts nothing', async () => {
  const { tag, impression } = await impressionOf();
  assert.equal((await fetch(impression, { method: 'HEAD' })).status, 200);
  const { Bills } = await room.statistics(tag, ({ Requests }) => Number(Requests) > 0);
  assert.equal(Bills, 0);
});

test('an impression that cannot be kept is not acknowledged, and counts once when it comes again', async () => {
  const own = await openVastRoom();
  const { tag, impression } = await impressionOf(own);
  // Its part of the outbox, where nothing was written yet.
  const outbox = join(dirname(own.server.databaseUrl.replace(/^sqlite:/, '')), 'outbox');
  const [events = assert.fail('no outbox')] = readdirSync(outbox);
  const part = join(outbox, events, '0');
  renameSync(part, `${part}-away`);
  writeFileSync(part, '');
  const { status, headers } = await fetch(impression);
  rmSync(part);
  renameSync(`${part}-away`, part);
  assert.deepEqual([status, headers.get('retry-after')], [503, '1']);
  for (const _ of [1, 2]) assert.equal((await fetch(impression)).status, 200);
  const { Bills } = await own.statistics(tag, (row) => Number(row.Bills) > 0);
  assert.equal(Bills, 1);
  await own.close();
});

describe('whatever is asked, the answer is 200 and VAST', () => {
  const strangers: readonly (readonly [string, (tag: Stored) => string])[] = [
    ['another zone', (tag) => zoneUrl(tag).replace(/zone=\d+/, 'zone=999999')],
    ['a wrong auth', (tag) => zoneUrl(tag).replace(/auth=[^&]+/, 'auth=wrong')],
    ['no query', () => `${room.server.url}/vast`],
    [
      'hostile values',
      (tag) => zoneUrl(tag, { site_url: `"']]>\r\n<x>${'a'.repeat(9000)}`, ip: '::ffff:1.2' }),
    ],
  ];
  for (const [name, urlOf] of strangers) {
    test(name, async () => {
      const tag = await room.add('ortb/vasttag');
      await room.served();
      const { response, text } = await room.vast(urlOf(tag));
      assert.equal(response.status, 200);
      assert.equal((await played(text)).length, 0);
    });
  }
});

test("a path that only begins as the door's leads to another", async () => {
  for (const [path, status] of [['/vast', 200], ['/vast?', 200], ['/vaster', 404], ['/vast/', 404], ['/api/vast', 404]] as const)
    assert.equal((await fetch(room.server.url + path)).status, status, path); // biome-ignore format: pairs
});
