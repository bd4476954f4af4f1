import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addUser } from '../management/users.ts';
import { setUserStatus } from '../support/user-status.ts';
import { type Stored, type Values, zoneUrl } from './exchange-room.ts';
import { bidResponse, type MockDsp, startMockDsp, vastAd } from './mock-dsp.ts';
import { openVastRoom, type VastRoom } from './vast-room.ts';

let room: VastRoom;
let dsp: MockDsp;

before(async () => {
  room = await openVastRoom();
  dsp = await startMockDsp();
});
after(async () => {
  await dsp.close();
  await room.close();
});

interface Answered extends Values {
  readonly status: number;
  readonly Errors?: readonly Values[];
}

/** A POST of the API by any user. Tests of one user are five a second, so that it waits and asks again. */
async function post(path: string, body: object, token = room.server.token): Promise<Answered> {
  for (;;) {
    const response = await fetch(`${room.server.url}/api/exchange/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as Values;
    if (response.status !== 429) return { ...answer, status: response.status };
  }
}

const testUrl = async (tag: Stored, Entity = 'VastTag', more: object = {}) =>
  String((await post('test', { Entity, Id: tag.Id, ...more })).Url);

/** What a test URL answers. */
async function ask(url: string, init: RequestInit = {}) {
  for (;;) {
    const response = await fetch(url, { redirect: 'manual', ...init });
    const text = await response.text();
    if (response.status !== 429) return { status: response.status, headers: response.headers, text };
  }
}

const partner = (path: string) => `${dsp.url}/${path}`;

/** A DSP with every sort of tracker in its bid, and a tag that is connected to it. */
async function addBidder(path: string, values: Values = {}, tagValues: Values = {}, bid: object = {}) {
  const adm = vastAd({ inline: `<Error><![CDATA[${partner('error')}]]></Error>` })
    .replace('https://dsp.example/imp', partner('imp'))
    .replace(
      '</Linear>',
      `<TrackingEvents><Tracking event="start">${partner('start')}</Tracking></TrackingEvents></Linear>`,
    );
  const notices = {
    nurl: partner('nurl'),
    burl: `${partner('burl')}?p=\${AUCTION_PRICE}`,
    lurl: partner('lurl'),
  };
  dsp.answer(`/${path}`, (call) => bidResponse(call, { price: 3, adm, ...notices, ...bid }));
  const bidder = await room.add('ortb/dsprtbep', { ZoneUrlUsEast: partner(path), ...values });
  const tag = await room.add('ortb/vasttag', { Tmax: 5000, DspRtbEps: [bidder.Id], ...tagValues });
  await room.served();
  return { bidder, tag };
}

test('a test URL asks demand as a test, and counts, bills, promises and tells nothing', async () => {
  const limits = { ImpressionsDailyLimit: 1, RequestsDailyLimit: 1, BidsDailyLimit: 1 };
  const { bidder, tag } = await addBidder('counted', limits, limits);
  const url = await testUrl(tag);
  assert.ok(!url.includes(String(tag.Auth)), 'the credential is not in it');
  const [first, second] = [await ask(url), await ask(url)];
  for (const { status, text, headers } of [first, second]) {
    assert.equal(status, 200);
    assert.equal(headers.get('access-control-allow-origin'), '*');
    assert.match(text, /<MediaFile[^>]*>https:\/\/dsp.example\/a.mp4/);
  }
  assert.deepEqual(
    dsp.calls('/counted').map(({ body }) => (JSON.parse(body) as Values).test),
    [1, 1],
  );
  for (const [dormant] of first.text.matchAll(/https?:[^\]<]+\/track\/test\?[^\]<]+/g)) {
    assert.equal((await ask(dormant)).status, 200);
  }
  // Limits of one are free still; what a test had counted would be there with what this request counts.
  assert.match((await room.vast(zoneUrl(tag))).text, /<Ad /);
  const counted = (row: Values) => Number(row.Requests) > 0;
  const { Requests, Wins, Imps = 0 } = await room.statistics(tag, counted);
  assert.deepEqual([Requests, Wins, Imps], [1, 1, 0]);
  assert.equal((await room.statistics(bidder, counted)).Requests, 1);
  assert.equal((await room.auctions(tag)).length, 1);
  await dsp.call('/nurl');
  assert.deepEqual(
    ['/nurl', '/burl', '/lurl', '/imp', '/start', '/error'].map((path) => dsp.calls(path).length),
    [1, 0, 0, 0, 0, 0],
    'only the win of the real request was told',
  );
});

test("partners' trackers are listed and dormant, fire when the user says so, and stay as they are with test_live", async () => {
  const { tag } = await addBidder('listed');
  const url = await testUrl(tag);
  const run = await post('test/run', { Url: url });
  const trackers = run.Trackers as readonly { Event: string; Url: string; DormantUrl: string }[];
  assert.deepEqual(trackers.map(({ Event, Url }) => [Event, Url]).sort(), [
    ['Error', partner('error')],
    ['Impression', partner('imp')],
    ['burl', partner('burl?p=3')],
    ['lurl', partner('lurl')],
    ['nurl', partner('nurl')],
    ['start', partner('start')],
  ]);
  const impression = trackers.find(({ Event }) => Event === 'Impression');
  for (const text of [String(run.Markup), (await ask(url)).text]) {
    for (const { Url } of trackers) assert.ok(!text.includes(Url), Url);
  }
  assert.ok(String(run.Markup).includes(String(impression?.DormantUrl)));
  const before = dsp.calls('/imp').length;
  const fired = await post('test/fire', { Url: impression?.DormantUrl });
  assert.deepEqual([fired.status, fired.Url, fired.HttpStatus], [200, partner('imp'), 404]);
  assert.equal(dsp.calls('/imp').length, before + 1);
  const live = await ask(`${url}&test_live=1`);
  assert.ok(live.text.includes(partner('imp')) && live.text.includes(partner('start')));
});

test('a run tells each call, its answer, and every rule that refuses a bid', async () => {
  const { bidder, tag } = await addBidder(
    'refused',
    {},
    { Bidfloor: 5, BlockedAdIabCategories: ['IAB2'] },
    { cat: ['IAB2'] },
  );
  const film = await room.add('campaign', { Countries: [{ CC: 'NO' }] });
  await room.call('ortb/vasttag/update', { VastTag: { Id: tag.Id, Campaigns: [film.Id] } });
  await room.served();
  const run = await post('test/run', { Entity: 'VastTag', Id: tag.Id, Request: { Url: zoneUrl(tag) } });
  assert.equal(run.Outcome, 'below_floor');
  const candidates = run.Candidates as readonly (Values & { Refusals: readonly Values[] })[];
  assert.deepEqual(
    candidates.map(({ Id, Refusals }) => [Id, ...Refusals.map(({ Rule }) => Rule)]).sort(),
    [
      [bidder.Id, 'below_floor', 'category_blocked'],
      [film.Id, 'country_not_targeted'],
    ].sort(),
  );
  const [call = {}] = run.Calls as readonly Values[];
  assert.deepEqual(
    [call.Entity, call.Id, call.HttpStatus, call.Method, call.IsCut],
    ['DspRtbEp', bidder.Id, 200, 'POST', 0],
  );
  assert.equal((JSON.parse(String(call.Sent)) as Values).test, 1);
  assert.match(String(call.Answer), /"seatbid"/);
  assert.ok(Number(call.DurationMs) >= 0);
  assert.deepEqual([run.Markup, run.Trackers], ['', []]);
});

test('long answers are cut, and calls without one say why', async () => {
  const long = '☃'.repeat(20_000);
  dsp.answer('/long', () => ({ body: long }));
  const tags = [
    await room.add('ortb/dspvasttag', { ZoneUrlUsEast: partner('long'), FixedCpm: 1 }),
    await room.add('ortb/dspvasttag', { ZoneUrlUsEast: 'http://127.0.0.1:9/none', FixedCpm: 1 }),
  ];
  const tag = await room.add('ortb/vasttag', { DspVastTags: tags.map(({ Id }) => Id) });
  await room.served();
  const run = await post('test/run', { Entity: 'VastTag', Id: tag.Id });
  const calls = run.Calls as readonly (Values & { Refusals: readonly Values[] })[];
  const [cut, none] = tags.map(({ Id }) => calls.find((call) => call.Id === Id));
  assert.ok(Buffer.byteLength(String(cut?.Answer)) <= 16 * 1024 && long.startsWith(String(cut?.Answer)));
  assert.deepEqual([cut?.IsCut, none?.IsCut, none?.HttpStatus], [1, 0, 0]);
  assert.equal(none?.Refusals[0]?.Rule, 'unreachable');
});

test('`MaxQps` of demand is taken and obeyed; that of the tag is left to its publisher', async () => {
  const { bidder, tag } = await addBidder('hurried', { MaxQps: 1 }, { MaxQps: 1 });
  const outcomes: unknown[] = [];
  for (let times = 0; times < 3; times += 1) {
    const { Candidates } = await post('test/run', { Entity: 'VastTag', Id: tag.Id });
    outcomes.push(...(Candidates as readonly Values[]).map(({ Id, Rule }) => [Id, Rule]));
  }
  assert.deepEqual(outcomes[0], [bidder.Id, '']);
  assert.ok(JSON.stringify(outcomes).includes('max_qps'));
});

test('an ad that comes only with the win notice is refused, as the notice would tell of a win', async () => {
  const { tag } = await addBidder('noticed', {}, {}, { adm: undefined, nurl: partner('only-nurl') });
  const { Candidates } = await post('test/run', { Entity: 'VastTag', Id: tag.Id });
  assert.equal((Candidates as readonly Values[])[0]?.Rule, 'invalid_creative');
  assert.equal(dsp.calls('/only-nurl').length, 0);
});

test('a banner is shown without anything that it loads, unless the user says so', async () => {
  const Html =
    '<script src="https://ads.example/a.js"></script><img src="https://ads.example/px?a=1&amp;b=2"><a href="https://brand.example/">x</a>';
  const banner = await room.add('campaign', { Type: 2, Html, MediaUrl: '', Width: 300, Height: 250 });
  const zone = await room.add('bannerep', { Width: 300, Height: 250, Campaigns: [banner.Id] });
  await room.served();
  const url = await testUrl(zone, 'BannerEp');
  const { Outcome, Trackers } = await post('test/run', { Url: url });
  assert.equal(Outcome, 'won');
  assert.deepEqual(
    (Trackers as readonly Values[]).map(({ Event, Url }) => [Event, Url]),
    [
      ['load', 'https://ads.example/a.js'],
      ['load', 'https://ads.example/px?a=1&b=2'],
      ['click', 'https://brand.example/'],
    ],
  );
  const [dormant, live] = [await ask(url), await ask(`${url}&test_live=1`)];
  const policy = String(dormant.headers.get('content-security-policy'));
  assert.match(policy, /^sandbox; default-src 'none'/);
  assert.match(String(live.headers.get('content-security-policy')), /^sandbox allow-scripts/);
  assert.ok(dormant.text.includes('ads.example/a.js') && !dormant.text.includes('/track/impression'));
});

test('pops and direct links name where they lead, and lead nowhere until the user says so', async () => {
  const pop = await room.add('campaign', {
    Type: 3,
    MediaUrl: '',
    ClickUrl: 'https://brand.example/land?a=1',
  });
  const feed = await room.add('xml/popfeed', { Campaigns: [pop.Id] });
  await room.served();
  const url = await testUrl(feed, 'PopFeed');
  const record = await ask(url);
  assert.match(record.text, /<click><!\[CDATA\[[^\]]*\/track\/test\?t=/);
  assert.ok(!record.text.includes('land?a=1'));
  const direct = await testUrl(feed, 'PopFeed', { Door: 'direct' });
  const [named, sent] = [await ask(direct), await ask(`${direct}&test_live=1`)];
  assert.deepEqual([named.status, sent.status], [200, 302]);
  assert.match(named.text, /https:\/\/brand\.example\/land\?a=1/);
  assert.equal(sent.headers.get('location'), 'https://brand.example/land?a=1');
});

test('who may not test is refused, with the reason', async () => {
  const { tag } = await addBidder('forbidden');
  const team = Number(tag.TeamId);
  const [manager, analyst, stranger] = [
    await addUser(room.server, { role: 1, teamId: team }),
    await addUser(room.server, { role: 2, teamId: team }),
    await addUser(room.server, { role: 1 }),
  ];
  const asked = { Entity: 'VastTag', Id: tag.Id };
  for (const path of ['test', 'test/run']) {
    assert.equal((await post(path, asked, analyst.token)).status, 403);
    assert.deepEqual((await post(path, asked, stranger.token)).Errors?.[0]?.Path, 'Id');
  }
  const Url = String((await post('test', asked, manager.token)).Url);
  assert.equal((await post('test/run', { Url })).Errors?.[0]?.Path, 'Url', "another user's URL");
  const { Trackers } = await post('test/run', { Url }, manager.token);
  const [{ DormantUrl } = {}] = Trackers as readonly Values[];
  assert.equal((await post('test/fire', { Url: DormantUrl })).status, 406, "another user's tracker");
  assert.equal((await post('test/fire', { Url: partner('imp') })).status, 406);
  assert.equal((await post('test/fire', { Url: Url }, manager.token)).status, 406, 'a pass is no tracker');
  const other = await room.add('bannerep', {});
  await room.served();
  const bent = [Url.replace('/vast?', '/banner?'), Url.replace(/test_pass=[\w-]{9}/, 'test_pass=AAAAAAAAA')];
  for (const url of bent) assert.equal((await ask(url)).status, 403, String(other.Id));
  assert.equal((await ask(Url)).status, 200);
  await setUserStatus(room.server, manager.id, 1);
  const refused = await ask(Url);
  assert.deepEqual([refused.status, /no longer active/.test(refused.text)], [403, true]);
});

test('a test URL works for five minutes, whatever else is in it', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  const own = await openVastRoom();
  t.after(own.close);
  const tag = await own.add('ortb/vasttag');
  await own.served();
  const { Url, Expires } = await own.call('exchange/test', { Entity: 'VastTag', Id: tag.Id });
  assert.equal(Date.parse(String(Expires)), Date.now() + 5 * 60_000);
  const url = `${String(Url)}&site_url=https://news.example/`;
  t.mock.timers.tick(5 * 60_000 - 1);
  assert.equal((await ask(url)).status, 200);
  t.mock.timers.tick(1);
  const { status, text } = await ask(url);
  assert.deepEqual([status, /expired/.test(text)], [403, true]);
});

test('a tracker at a private address is not called', async (t) => {
  const own = await openVastRoom({ allowPrivateDemand: false });
  t.after(own.close);
  const Html = `<img src="${partner('inside')}">`;
  const banner = await own.add('campaign', { Type: 2, Html, MediaUrl: '', Width: 300, Height: 250 });
  const zone = await own.add('bannerep', { Width: 300, Height: 250, Campaigns: [banner.Id] });
  await own.served();
  const { Trackers } = await own.call('exchange/test/run', { Entity: 'BannerEp', Id: zone.Id });
  const [{ DormantUrl } = {}] = Trackers as readonly Values[];
  const { HttpStatus, Rule } = await own.call('exchange/test/fire', { Url: DormantUrl });
  assert.deepEqual([HttpStatus, Rule, dsp.calls('/inside').length], [0, 'private_address', 0]);
});

test('a user makes five tests a second; bad bodies are refused at their paths', async () => {
  const { tag } = await addBidder('many');
  const url = await testUrl(tag);
  const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await fetch(url)).status));
  assert.ok(statuses.filter((status) => status === 429).length >= 10, statuses.join());
  const cases: readonly (readonly [path: string, body: object, fault: string])[] = [
    ['test', { Entity: 'RtbEp', Id: 1 }, 'Entity'],
    ['test', { Entity: 'VastTag', Id: 0 }, 'Id'],
    ['test', { Entity: 'VastTag', Id: tag.Id, Door: 'pop' }, 'Door'],
    ['test/run', { Entity: 'VastTag' }, ''],
    ['test/run', { Entity: 'VastTag', Id: tag.Id, Url: url }, ''],
    ['test/run', { Url: 'https://nowhere.example/vast' }, 'Url'],
    ['test/run', { Entity: 'VastTag', Id: tag.Id, Request: { Url: 'x' } }, 'Request.Url'],
    ['test/run?DryRun=1', { Entity: 'VastTag', Id: tag.Id }, 'DryRun'],
  ];
  for (const [path, body, fault] of cases) {
    const { status, Errors } = await post(path, body);
    assert.deepEqual([status, Errors?.[0]?.Path], [406, fault], JSON.stringify(body));
  }
});
