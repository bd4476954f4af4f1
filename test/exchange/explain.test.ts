import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Values, zoneUrl } from './exchange-room.ts';
import { openVastRoom, type VastRoom } from './vast-room.ts';

let room: VastRoom;

before(async () => {
  room = await openVastRoom();
});
after(() => room.close());

test('Waterfall: what is shown behind the winner is explained as the auction tells it', async () => {
  const [dear, cheap] = [await room.add('campaign', { Cpm: 4 }), await room.add('campaign', { Cpm: 3 })];
  const tag = await room.add('ortb/vasttag', { Waterfall: 1, Campaigns: [cheap.Id, dear.Id] });
  await room.served();
  await room.vast(zoneUrl(tag));
  const [held] = await room.auctions(tag);
  for (const told of [held, await room.explain(tag, zoneUrl(tag))]) {
    const shown = (told?.Candidates ?? []).map(({ Id, Outcome, Price }) => [Id, Outcome, Price]);
    assert.deepEqual(
      shown.sort(([one], [other]) => Number(one) - Number(other)),
      [
        [dear.Id, 'won', 4],
        [cheap.Id, 'fallback', 3],
      ],
    );
  }
});

test('where the request is refused as a whole, nobody wins', async () => {
  const [film, none] = [
    await room.add('campaign'),
    await room.add('campaign', { Countries: [{ CC: 'NO' }] }),
  ];
  const tag = await room.add('ortb/vasttag', { Countries: [{ CC: 'DE' }], Campaigns: [film.Id, none.Id] });
  await room.served();
  const { Outcome, Candidates } = await room.explain(tag, zoneUrl(tag));
  assert.equal(Outcome, 'country_not_targeted');
  assert.deepEqual(
    Candidates.map((one) => [one.Outcome, one.Rule, one.Wanted, one.Price]),
    [
      ['refused', 'country_not_targeted', ['DE'], 4],
      ['refused', 'country_not_targeted', ['NO'], null],
    ],
  );
});

test('auctions are kept, and the last one explained, also after the clock was set back', async (t) => {
  const startMs = Date.now();
  t.mock.timers.enable({ apis: ['Date'], now: startMs });
  const own = await openVastRoom();
  t.after(own.close);
  const tag = await own.add('ortb/vasttag', {});
  await own.served();
  const asking = (site: string) => own.vast(zoneUrl(tag, { site_url: `https://${site}/` }));
  await asking('first.example');
  t.mock.timers.setTime(startMs - 3_600_000);
  const isKept = async () => (await own.auctions(tag)).some(({ Domain }) => Domain === 'second.example');
  const giveUpMs = performance.now() + 5000;
  do await asking('second.example');
  while (!(await isKept()) && performance.now() < giveUpMs);
  assert.ok(await isKept());
  const list = await own.add('domainlist', { Name: 'First', ListText: 'first.example' });
  await own.call('ortb/vasttag/update', { VastTag: { Id: tag.Id, DomainsBrandsList: [list.Id] } });
  await own.served();
  const { Outcome } = await own.call('exchange/explain', { VastTag: { Id: tag.Id } });
  assert.equal(Outcome, 'no_demand');
});

test('a URL of another object is not explained as one of this', async () => {
  const [tag, other] = [await room.add('ortb/vasttag'), await room.add('ortb/vasttag')];
  await room.served();
  const ask = async (Url: string) => {
    const response = await fetch(`${room.server.url}/api/exchange/explain`, {
      method: 'POST',
      headers: { authorization: `Bearer ${room.server.token}` },
      body: JSON.stringify({ VastTag: { Id: tag.Id }, Request: { Url } }),
    });
    const { Errors } = (await response.json()) as { readonly Errors?: readonly Values[] };
    return [response.status, Errors?.[0]?.Path];
  };
  assert.deepEqual(await ask(zoneUrl(other)), [406, 'Request.Url']);
  assert.deepEqual(await ask(zoneUrl(tag).replace('/vast?', '/banner?')), [406, 'Request.Url']);
  assert.deepEqual(await ask(zoneUrl(tag)), [200, undefined]);
  assert.deepEqual(await ask('https://eu.example/vast?width=640'), [200, undefined]);
});

test('what is not there is named', async () => {
  const response = await fetch(`${room.server.url}/api/exchange/explain`, {
    method: 'POST',
    headers: { authorization: `Bearer ${room.server.token}` },
    body: JSON.stringify({ VastTag: { Id: 999 } }),
  });
  const answer = (await response.json()) as Values;
  assert.deepEqual([response.status, answer.Error], [406, 'VastTag.Id VAST Tag 999 is not found']);
});
