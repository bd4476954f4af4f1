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

const unknownCountry = 'unknown country: the request has neither a country nor an IP address';

test('countries are known by the database of the package, over IPv4 and IPv6', async () => {
  const [german, american] = [
    await room.add('campaign', { Countries: [{ CC: 'DE' }] }),
    await room.add('campaign', { Countries: [{ CC: 'US' }] }),
  ];
  const tag = await room.add('ortb/vasttag', { Campaigns: [german.Id, american.Id] });
  await room.served();
  for (const [ip, winner, met] of [
    ['193.99.144.80', german, 'DE'],
    ['2001:4860:4860::8888', american, 'US'],
  ] as const) {
    const { Candidates } = await room.explain(tag, zoneUrl(tag, { ip }));
    assert.equal(Candidates.find(({ Outcome }) => Outcome === 'won')?.Id, winner.Id, ip);
    assert.equal(Candidates.find(({ Outcome }) => Outcome === 'refused')?.Met, met, ip);
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
    Candidates.map((one) => [one.Outcome, one.Rule, one.Wanted, one.Met, one.Price]),
    [
      ['refused', 'country_not_targeted', ['DE'], unknownCountry, 4],
      ['refused', 'country_not_targeted', ['NO'], unknownCountry, null],
    ],
  );
});

test('of two rules that refuse, the auction and its explanation name the same', async () => {
  const cases: readonly (readonly [tag: Values, campaign: Values, then: Values, rule: string])[] = [
    [{ BidsDailyLimit: 1, ImpressionsDailyLimit: 1 }, {}, {}, 'impressions_daily_limit'],
    [{}, { BidsDailyLimit: 1 }, { Bidfloor: 9 }, 'below_floor'],
  ];
  for (const [own, limits, then, rule] of cases) {
    const { Id } = await room.add('campaign', limits);
    const tag = await room.add('ortb/vasttag', { ...own, Campaigns: [Id] });
    await room.served();
    await room.vast(zoneUrl(tag));
    // Auctions are sampled by time, from the first on after a change.
    await room.call('ortb/vasttag/update', { VastTag: { Id: tag.Id, Name: 'changed', ...then } });
    await room.served();
    const explained = await room.explain(tag, zoneUrl(tag));
    await room.vast(zoneUrl(tag));
    const [held] = await room.auctions(tag);
    for (const told of [explained, held]) assert.equal(told?.Candidates[0]?.Rule ?? told?.Outcome, rule);
  }
});

test('everything that refuses is told, not only the first', async () => {
  const past = { EndDate: '2020-01-01' };
  const film = await room.add('campaign', {
    Countries: [{ CC: 'NO' }],
    Cpm: 1,
    IabCategory: 'IAB2',
    ...past,
  });
  await room.call('campaign/deactivate', { Campaign: { Id: film.Id } });
  const dsp = await room.add('ortb/dsprtbep', { VideoEnabled: 0, BannerEnabled: 1, MinTmax: 900 });
  const tag = await room.add('ortb/vasttag', {
    Bidfloor: 2,
    BlockedAdIabCategories: ['IAB2'],
    Campaigns: [film.Id],
    DspRtbEps: [dsp.Id],
    Countries: [{ CC: 'DE' }],
    AppEnabled: 0,
  });
  await room.served();
  const url = zoneUrl(tag, { app_bundle: 'com.example.game' });
  const told = (await room.explain(tag, url)) as unknown as Values;
  const rulesOf = ({ Refusals }: Values) =>
    (Refusals as readonly Values[]).map(({ Rule, Field }) => `${Rule} ${Field}`);
  assert.deepEqual(rulesOf(told), ['environment_not_enabled AppEnabled', 'country_not_targeted Countries']);
  const [ofFilm, ofDsp] = (told.Candidates as readonly Values[]).map(rulesOf);
  assert.deepEqual(ofFilm, [
    'inactive Status',
    'country_not_targeted Countries',
    'out_of_flight EndDate',
    'below_floor Bidfloor',
    'category_blocked BlockedAdIabCategories',
  ]);
  assert.deepEqual(ofDsp, [
    'media_not_enabled VideoEnabled',
    'insufficient_time MinTmax',
    'not_callable ZoneUrl',
  ]);
});

test('of equal bids the first is explained as the winner, whoever an auction would draw', async () => {
  const ids = [(await room.add('campaign')).Id, (await room.add('campaign')).Id];
  const tag = await room.add('ortb/vasttag', { Campaigns: ids });
  await room.served();
  for (let times = 0; times < 12; times += 1) {
    const { Candidates } = await room.explain(tag, zoneUrl(tag));
    assert.deepEqual(
      Candidates.map(({ Id, Outcome }) => [Id, Outcome]),
      ids.map((id, at) => [id, at === 0 ? 'won' : 'refused']),
    );
  }
});

test('what is inactive is explained as that', async () => {
  const account = { Name: 'P', Mail: 'p@example.com', Country: 'DE', Username: 'explained' };
  const owner = await room.add('publisher', account);
  const tag = await room.add('ortb/vasttag', { PublisherId: owner.Id });
  const told = async () => {
    await room.served();
    const { Outcome, ...rest } = await room.explain(tag, zoneUrl(tag));
    return [Outcome, (rest as Values).Field];
  };
  assert.deepEqual(await told(), ['no_demand', '']);
  await room.call('publisher/deactivate', { Publisher: { Id: owner.Id } });
  assert.deepEqual(await told(), ['owner_inactive', 'PublisherId']);
  await room.call('ortb/vasttag/deactivate', { VastTag: { Id: tag.Id } });
  assert.deepEqual(await told(), ['inactive', 'Status']);
});

test('demand that cannot be called is explained as refused, not as asked', async () => {
  const dsp = await room.add('ortb/dsprtbep', { VideoEnabled: 1 });
  const tag = await room.add('ortb/vasttag', { DspRtbEps: [dsp.Id] });
  await room.served();
  const { Outcome, Candidates } = await room.explain(tag, zoneUrl(tag));
  const told = Candidates.map((one) => [one.Outcome, one.Rule, one.Field]);
  assert.deepEqual([Outcome, told], ['no_bid', [['refused', 'not_callable', 'ZoneUrl']]]);
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
