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
