import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { partnerOf } from '../../src/exchange/snapshot/partner.ts';
import { createMatchSealer } from '../../src/exchange/trackers/sealed-matches.ts';
import { createTokenSealer } from '../../src/exchange/trackers/token-sealer.ts';
import { noMatches, optOutCookies, ownEntry, readMatches } from '../../src/exchange/viewer-matches.ts';
import { openConfiguredStore } from '../../src/store/configured-store.ts';
import { type Stored, type Values, zoneUrl } from './exchange-room.ts';
import { cookieWith } from './match-cookie.ts';
import { bidResponse, type DspCall, type MockDsp, startMockDsp, vastAd } from './mock-dsp.ts';
import { directUrl, feedUrl } from './pop-room.ts';
import { bannerImp, openRtbRoom, popImp, post, type RtbRoom, requestOf, videoImp } from './rtb-room.ts';

let room: RtbRoom;
let dsp: MockDsp;
/** By path: bidders of two advertisers, one that has no sync, a tag and a feed of the first bidder's advertiser. */
const demand = new Map<string, Stored>();
const idOf = (path: string) => demand.get(path)?.Id ?? assert.fail(path);
const paths = ['/first', '/second', '/unsynced', '/vast', '/pop'];
let rtbEp: Stored;
let inBrowsers: Stored;
let mapped: Stored;
let tag: Stored;
let banner: Stored;
let feed: Stored;

const syncUrl = 'https://sync.example/match?to={redirect_url}$UID';
const ofTag = 'https://tag.example/match?to={redirect_url}$UID';
const cookieOf = (setCookie = '') => setCookie.split(';', 1)[0] ?? '';
let cookie = '';
/** Of partners that are known in the cookie; `/vast` has another sync than the bidder of its advertiser. */
const known = { '/first': 'id-of first&1', '/vast': 'id-of-vast', '/pop': 'id-of first&1' };

before(async () => {
  room = await openRtbRoom();
  dsp = await startMockDsp();
  for (const path of ['/first', '/second', '/unsynced'])
    dsp.answer(path, (call) => bidResponse(call, { price: 5, adm: call.body.includes('"pop') ? 'https://brand.example/' : vastAd() }));
  dsp.answer('/vast', () => ({ body: vastAd() }));
  dsp.answer('/pop', () => ({ body: '{"result":[{"bid":"0.004","url":"https://brand.example/"}]}' }));
  const other = await room.add('advertiser', { Mail: 'b@example.com', Name: 'B', Country: 'DE', Username: 'other' });
  const sync = { SyncType: 1, SyncUrl: syncUrl };
  demand.set('/first', await room.dsp({ ...sync, ZoneUrlUsEast: `${dsp.url}/first`, Gzip: 1 }));
  demand.set('/second', await room.dsp({ ...sync, AdvertiserId: other.Id, ZoneUrlUsEast: `${dsp.url}/second` }));
  demand.set('/unsynced', await room.dsp({ ZoneUrlUsEast: `${dsp.url}/unsynced` }));
  demand.set('/vast', await room.add('ortb/dspvasttag', { SyncType: 2, SyncUrl: ofTag, ZoneUrlUsEast: `${dsp.url}/vast?u={buyeruid}`, FixedCpm: 1 }));
  demand.set('/pop', await room.add('xml/dsppopfeed', { ...sync, FeedUrlUsEast: `${dsp.url}/pop?u={buyeruid}` }));
  const bidders = { DspRtbEps: [idOf('/first'), idOf('/second'), idOf('/unsynced')] };
  const all = { ...bidders, DspVastTags: [idOf('/vast')], DspPopFeeds: [idOf('/pop')] };
  rtbEp = await room.endpoint(all);
  inBrowsers = await room.endpoint({ ...all, HeaderBidJs: 1 });
  mapped = await room.endpoint({ ...all, BuyerUidOf: idOf('/second') });
  tag = await room.add('ortb/vasttag', { ...bidders, Tmax: 2000, DspVastTags: [idOf('/vast')] });
  banner = await room.add('bannerep', { ...bidders, Tmax: 2000 });
  feed = await room.add('xml/popfeed', { ...bidders, Tmax: 2000, DspPopFeeds: [idOf('/pop')] });
  await room.served();
  const partner = (SyncUrl: string) => partnerOf({ SyncType: 1, SyncUrl } as Parameters<typeof partnerOf>[0], { id: room.advertiser.Id });
  const matches = noMatches.with(ownEntry(partner(syncUrl)), 'told-first', Date.now()).with(partner(syncUrl), known['/first'], Date.now()).with(partner(ofTag), known['/vast'], Date.now());
  cookie = cookieWith(matches);
}); // biome-ignore format: long lines
after(async () => {
  await dsp.close();
  await room.close();
});

/** What the partner of a path is told in a call: the ID, or all else that is like one. */
function uidIn({ url, body }: DspCall): string | undefined {
  const asked = new URLSearchParams(url.split('?')[1]).get('u');
  const said =
    body === '' ? undefined : (JSON.parse(body) as { user?: { buyeruid?: string } }).user?.buyeruid;
  return (asked || said) ?? undefined;
}

/** By path, of the calls that are made while something is asked. */
async function toldBy(asking: () => Promise<unknown>): Promise<Record<string, string>> {
  const before = new Set(paths.flatMap((path) => dsp.calls(path)));
  await asking();
  const told = paths.flatMap((path) =>
    dsp.calls(path).flatMap((call) => (before.has(call) ? [] : [[path, uidIn(call)] as const])),
  );
  assert.ok(told.length > 1, 'partners are asked');
  return Object.fromEntries(told.flatMap(([path, uid]) => (uid === undefined ? [] : [[path, uid]])));
}

const browsing = { user: { id: 'u', keywords: 'k' } };
const asVisitor = (url: string, headers: Readonly<Record<string, string>> = {}) =>
  toldBy(() => fetch(url, { redirect: 'manual', headers: { cookie, ...headers } }));
const { '/first': first, '/vast': vast, '/pop': pop } = known;

describe('a partner is told its own ID of the viewer, and nobody else is', () => {
  test('at tags, in a player and in a page', async () => {
    assert.deepEqual(await asVisitor(zoneUrl(tag)), { '/first': first, '/vast': vast });
    assert.deepEqual(await asVisitor(zoneUrl(banner)), { '/first': first });
  });
  test('at pop feeds and direct links', async () => {
    assert.deepEqual(await asVisitor(feedUrl(feed)), { '/first': first, '/pop': pop });
    assert.deepEqual(await asVisitor(directUrl(feed)), { '/first': first, '/pop': pop });
  });
  test('at /rtb in a browser, for each impression, also in requests with values set by path', async () => {
    const ask = (endpoint: Stored) =>
      toldBy(() => post(zoneUrl(endpoint), requestOf([videoImp, bannerImp, popImp], browsing), { cookie }));
    assert.deepEqual(await ask(inBrowsers), { '/first': first, '/vast': vast, '/pop': pop });
    assert.deepEqual(await ask(rtbEp), {}, 'a server has no viewer’s cookies');
    await room.call('ortb/dsprtbep/update', {
      DspRtbEp: { Id: idOf('/first'), CustomParams: { 'user.gender': 'F' } },
    });
    await room.served();
    assert.deepEqual(await ask(inBrowsers), { '/first': first, '/vast': vast, '/pop': pop });
  });
  test('it is also told the ID of ours that it knows, where the caller sends none', async () => {
    const idsIn = async (path: string, user?: Values) => {
      const before = dsp.calls(path).length;
      await post(zoneUrl(inBrowsers), requestOf([videoImp], user && { user }), { cookie });
      const calls = dsp.calls(path).slice(before);
      return calls.map(({ body }) => (JSON.parse(body) as { user?: { id?: string } }).user?.id);
    };
    assert.deepEqual(await idsIn('/first'), ['told-first']);
    assert.deepEqual(await idsIn('/second'), [undefined]);
    assert.deepEqual(await idsIn('/first', { id: 'u' }), ['u']);
  });
  test('not without consent, and not after an opt-out', async () => {
    for (const signal of ['coppa=1', 'lmt=1', 'us_privacy=1YYN', 'gpc=1'])
      assert.deepEqual(await asVisitor(`${zoneUrl(tag)}&${signal}`), {}, signal);
    assert.deepEqual(await asVisitor(zoneUrl(tag), { 'sec-gpc': '1' }), {});
    for (const out of optOutCookies(true))
      assert.deepEqual(await asVisitor(zoneUrl(tag), { cookie: `${cookie}; ${cookieOf(out)}` }), {});
  });
});

test('a server gets what the viewer’s matches were by a token, which only we can read', async () => {
  const store = await openConfiguredStore(room.server.databaseUrl);
  const keys = await store.trackerKeys().finally(() => store.close());
  const sealer = createMatchSealer(createTokenSealer(() => keys));
  const others = createMatchSealer(createTokenSealer(() => keys.map((key) => ({ ...key, secret: Buffer.alloc(32, 7) }))));
  const matches = readMatches(cookie, Date.now()) ?? assert.fail();
  const ask = (endpoint: Stored, buyeruid: string) =>
    toldBy(() => post(zoneUrl(endpoint), requestOf([videoImp, popImp], { user: { id: 'u', buyeruid } })));
  const token = sealer.seal(matches, Date.now());
  const wanted = { '/first': first, '/vast': vast, '/pop': pop };
  assert.deepEqual(await ask(rtbEp, token), wanted);
  assert.deepEqual(await ask(mapped, token), wanted, 'it is no ID of the DSP that the endpoint names');
  assert.deepEqual(await ask(rtbEp, others.seal(matches, Date.now())), {});
  const thirtyOneDaysMs = 31 * 86_400_000;
  assert.deepEqual(await ask(rtbEp, sealer.seal(matches, Date.now() - thirtyOneDaysMs)), {});
}); // biome-ignore format: long lines

describe('an ID that a publisher sends', () => {
  const sent = requestOf([videoImp], { user: { id: 'u', buyeruid: 'id-of-upstream' } });
  test('goes to nobody', async () => {
    assert.deepEqual(await toldBy(() => post(zoneUrl(rtbEp), sent)), {});
  });
  test('goes to the DSP RTB EP that its endpoint names, and to nobody else', async () => {
    assert.deepEqual(await toldBy(() => post(zoneUrl(mapped), sent)), { '/second': 'id-of-upstream' });
    const child = { ...sent, regs: { coppa: 1 } };
    assert.deepEqual(await toldBy(() => post(zoneUrl(mapped), child)), {});
  });
  test('that is no text, or longer than any ID, goes to nobody', async () => {
    for (const buyeruid of [7, 'x'.repeat(1501)]) {
      const odd = requestOf([videoImp], { user: { id: 'u', buyeruid } });
      assert.deepEqual(await toldBy(() => post(zoneUrl(mapped), odd)), {});
    }
  });
});

interface Explained extends Values {
  readonly Candidates: readonly (Values & { readonly Id: number; readonly Entity: string })[];
}

test('an explanation says who knows the viewer, and shows no ID', async () => {
  const OpenRtb = requestOf([videoImp], { user: { buyeruid: 'id-of-upstream' } });
  const RtbEp = { Id: mapped.Id };
  const answer = (await room.call('exchange/explain', { RtbEp, Request: { OpenRtb } })) as Explained;
  const matched = answer.Candidates.filter(({ IsMatched }) => IsMatched === 1);
  assert.deepEqual(
    matched.map(({ Entity, Id }) => [Entity, Id]),
    [['DspRtbEp', idOf('/second')]],
  );
  assert.ok(!JSON.stringify(answer).includes('id-of-upstream'));
});

/** The entities of the demand objects. */
const kindOf = (path: string) => ({ '/vast': 'DspVastTag', '/pop': 'DspPopFeed' })[path] ?? 'DspRtbEp';
const rateOf = (part: number, all: number) => (all === 0 ? null : Math.round((1e8 * part) / all) / 1e6);

test('calls to partners that sync are counted, with those that know the viewer: by object and day, and as health', async () => {
  await room.server.flush();
  const today = new Date().toJSON().slice(0, 10);
  for (const path of paths) {
    const object = `${kindOf(path)}:${idOf(path)}`;
    const Filters = [{ Field: 'Demand', Operator: 'In', Values: [object] }];
    const Measures = ['Calls', 'SyncCalls', 'MatchedCalls', 'MatchRate'];
    const { Rows } = await room.call('statistics/report', { From: today, To: today, GroupBy: ['Day'], Measures, Filters });
    const [{ Day: _, ...row } = assert.fail(path)] = Rows as readonly Values[];
    const calls = dsp.calls(path);
    const matched = path === '/unsynced' ? 0 : calls.filter((call) => uidIn(call) !== undefined).length;
    const synced = path === '/unsynced' ? 0 : calls.length;
    const wanted = { SyncCalls: synced, MatchedCalls: matched, MatchRate: rateOf(matched, synced) };
    assert.deepEqual(row, { Calls: calls.length, ...wanted }, path);
    const [health] = (await room.call(`health/get?Entity=${kindOf(path)}&Ids=${idOf(path)}`)) as unknown as readonly Values[];
    const { SyncCalls, MatchedCalls, MatchRate } = health ?? {};
    assert.deepEqual({ SyncCalls, MatchedCalls, MatchRate }, wanted, path);
  }
}); // biome-ignore format: long lines
