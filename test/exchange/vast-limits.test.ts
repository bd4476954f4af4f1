import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Values, zoneUrl } from './exchange-room.ts';
import { type MockDsp, startMockDsp, vastAd } from './mock-dsp.ts';
import { browser } from './pop-room.ts';
import { openVastRoom, type Told, type VastRoom } from './vast-room.ts';

let room: VastRoom;
let dsp: MockDsp;

before(async () => {
  room = await openVastRoom();
  dsp = await startMockDsp();
  dsp.answer('/ad', () => ({ body: vastAd() }));
});
after(() => Promise.all([room.close(), dsp.close()]));

describe('a request that is none of the tag', () => {
  test('inactive demand and demand of an inactive owner is explained, and never asked', async () => {
    const film = await room.add('campaign');
    const owner = await room.add('advertiser', {
      Mail: 'b@example.com',
      Name: 'B',
      Country: 'DE',
      Username: 'other',
    });
    const theirs = await room.add('ortb/dspvasttag', {
      AdvertiserId: owner.Id,
      FixedCpm: 9,
      ZoneUrlUsEast: `${dsp.url}/never`,
    });
    const tag = await room.add('ortb/vasttag', { Campaigns: [film.Id], DspVastTags: [theirs.Id] });
    await room.call('campaign/deactivate', { Campaign: { Id: film.Id } });
    await room.call('advertiser/deactivate', { Advertiser: { Id: owner.Id } });
    await room.served();
    await room.vast(zoneUrl(tag));
    const { Candidates } = await room.explain(tag, zoneUrl(tag));
    const told = Candidates.map(({ Id, Rule, Field }) => [Id, Rule, Field]);
    assert.deepEqual(told, [
      [film.Id, 'inactive', 'Status'],
      [theirs.Id, 'owner_inactive', 'AdvertiserId'],
    ]);
    assert.equal(dsp.calls('/never').length, 0);
  });
});

test('without a request the last one that was seen is explained, as if it came now', async () => {
  const film = await room.add('campaign', { WebEnabled: 0 });
  const tag = await room.add('ortb/vasttag', { Campaigns: [film.Id] });
  await room.served();
  const ask = () =>
    fetch(`${room.server.url}/api/exchange/explain`, {
      method: 'POST',
      headers: { authorization: `Bearer ${room.server.token}` },
      body: JSON.stringify({ VastTag: { Id: tag.Id } }),
    });
  const unseen = await ask();
  assert.equal(unseen.status, 406);
  assert.deepEqual(((await unseen.json()) as { Errors: readonly Values[] }).Errors[0]?.Path, 'Request');
  await room.vast(zoneUrl(tag, { site_url: 'https://news.example/' }));
  const told = (await (await ask()).json()) as Told;
  assert.deepEqual(
    told.Candidates.map(({ Rule, Met }) => [Rule, Met]),
    [['environment_not_enabled', 'web']],
  );
  await room.call('campaign/update', { Campaign: { Id: film.Id, WebEnabled: 1 } });
  await room.served();
  assert.equal(((await (await ask()).json()) as Told).Outcome, 'won');
  await room.call('ortb/vasttag/update', { VastTag: { Id: tag.Id, Bidfloor: 1000 } });
  await room.served();
  assert.equal(((await (await ask()).json()) as Told).Candidates[0]?.Rule, 'below_floor');
});

describe('invalid traffic', () => {
  test('MaxIvt: the inventory of bots is refused, and a bot elsewhere; people elsewhere are not', async () => {
    const careful = await room.add('campaign', { MaxIvt: 60, Cpm: 9 });
    const careless = await room.add('campaign', { Cpm: 1 });
    const tag = await room.add('ortb/vasttag', { Campaigns: [careful.Id, careless.Id] });
    await room.served();
    const bot = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
    const at = (site: string, ua: string) => zoneUrl(tag, { site_url: `https://${site}/`, ua });
    await Promise.all(Array.from({ length: 101 }, () => room.vast(at('bots.example', bot))));
    const rulesOf = async (site: string, ua: string) =>
      (await room.explain(tag, at(site, ua))).Candidates.map(({ Rule, Outcome }) => Rule || Outcome);
    assert.deepEqual(await rulesOf('bots.example', browser), ['invalid_traffic', 'won']);
    assert.deepEqual(await rulesOf('people.example', bot), ['invalid_traffic', 'won']);
    assert.deepEqual(await rulesOf('people.example', browser), ['won', 'lost']);
  });

  test('MaxIvt: a tracker that is called again and again counts once', async () => {
    const film = await room.add('campaign', { UaMatch: 1, MaxIvt: 30, ClickUrl: 'https://brand.example/' });
    const account = { Mail: 'c@example.com', Name: 'C', Country: 'DE', Username: 'unseen' };
    const { Id: PublisherId } = await room.add('publisher', account);
    const tag = await room.add('ortb/vasttag', { PublisherId, Campaigns: [film.Id] });
    await room.served();
    const url = zoneUrl(tag, { site_url: 'https://seen.example/', ua: browser });
    const texts = await Promise.all(Array.from({ length: 100 }, async () => (await room.vast(url)).text));
    const pixels = texts.map((text) => room.trackers(text, 'impression')[0] ?? assert.fail());
    const [first = ''] = pixels;
    const rule = async () => (await room.explain(tag, url)).Candidates[0]?.Rule;
    const callAll = async (urls: readonly string[], agent: string) => {
      const headers = { 'user-agent': agent };
      await Promise.all(urls.map((each) => fetch(each, { headers, redirect: 'manual' })));
    };
    await callAll(Array<string>(150).fill(first), 'Other/1');
    assert.equal(await rule(), '');
    await callAll(pixels, 'Other/1');
    assert.equal(await rule(), 'invalid_traffic');
    await callAll(Array<string>(400).fill(first), browser);
    assert.equal(await rule(), 'invalid_traffic');
    const { Bills } = await room.statistics(tag, (row) => row.Bills === 1);
    assert.equal(Bills, 1);
  });

  test('match flags: an impression that they refuse is answered, and counts nothing', async () => {
    const film = await room.add('campaign', { NonEmptyReferer: 1, UaMatch: 1, IpMatch: 1 });
    const tag = await room.add('ortb/vasttag', { Campaigns: [film.Id] });
    await room.served();
    const { text } = await room.vast(zoneUrl(tag, { ip: '203.0.113.7' }));
    const [impression = ''] = room.trackers(text, 'impression');
    assert.equal((await fetch(impression)).status, 200);
    const row = await room.statistics(tag, ({ Wins }) => Number(Wins) > 0);
    assert.deepEqual([row.Bills, row.NetImpressions], [0, 0]);
  });
});
