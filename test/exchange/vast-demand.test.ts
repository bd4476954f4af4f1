import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { played, playedInTurn } from '../protocols/vast/vast-player.ts';
import type { Values } from './exchange-room.ts';
import {
  bidResponse,
  type MockDsp,
  pricing,
  requestIn,
  startMockDsp,
  vastAd,
  vastWrapper,
} from './mock-dsp.ts';
import { openVastRoom, type VastRoom } from './vast-room.ts';
import {
  bidder,
  campaign,
  type DemandRow,
  dspRtbEp,
  dspVastTag,
  priced,
  type Row,
  testRows,
} from './vast-rows.ts';

const priceMacro = '{AUCTION_PRICE}';
let room: VastRoom;
let dsp: MockDsp;

before(async () => {
  room = await openVastRoom();
  dsp = await startMockDsp();
  dsp.answer('/wrapped', () => ({ body: vastAd({ media: 'https://dsp.example/wrapped.mp4' }) }));
  dsp.answer('/markup', () => ({ body: vastAd({ media: 'https://dsp.example/noticed.mp4' }) }));
});
after(() => Promise.all([room.close(), dsp.close()]));

/** A tag that answers this document. */
const telling = (text: string) => dspVastTag({}, () => ({ body: text }));
const refusedBid = (what: string, tag: Values, demand: DemandRow, rule: string, field: string): Row => ({
  what,
  tag,
  demand: { it: demand, other: campaign({ Cpm: 0.5, AdDomain: 'other.example', IabCategory: '' }) },
  winner: 'other',
  refused: { it: [rule, field] },
  bids: 2,
});
const noBid = (what: string, demand: DemandRow, rule: string, field = ''): Row => ({
  what,
  demand: { it: demand },
  outcome: rule,
  refused: { it: [rule, field] },
  bids: 0,
});

const tags: readonly Row[] = [
  {
    what: 'macros are filled and encoded, unknown ones empty; a macro that a player left is absent',
    macros: { width: '640', app_name: 'Ä & "B"\r\nX: 1', app_bundle: '{app_bundle}' },
    demand: {
      it: dspVastTag({ FixedCpm: 1, query: '?w={width}&h={height}&n={app_name}&b={app_bundle}&c={country}' }, () => ({
        body: vastAd(),
      })),
    },
    winner: 'it',
    bids: 1,
    document: (_, calls) =>
      assert.equal(calls('it')[0]?.url.split('?')[1], 'w=640&h=&n=%C3%84%20%26%20%22B%22%0D%0AX%3A%201&b=&c='),
  },
  {
    what: 'FixedCpm counts before the price of the document',
    demand: {
      it: dspVastTag({ FixedCpm: 2 }, () => ({ body: vastAd({ pricing: pricing('9') }) })),
    },
    winner: 'it',
    bids: 1,
    revenue: 0.002,
  },
  {
    what: 'the price of the document, in CDATA and among spaces',
    demand: { it: telling(vastAd({ pricing: pricing('<![CDATA[ 2.25 ]]>') })) },
    winner: 'it',
    bids: 1,
    revenue: 0.00225,
  },
  noBid('no price at all', telling(vastAd()), 'invalid_price', 'FixedCpm'),
  noBid('a price per click', telling(vastAd({ pricing: pricing('2', 'USD', 'CPC') })), 'invalid_price', 'Pricing'),
  noBid('another currency', telling(vastAd({ pricing: pricing('2', 'EUR') })), 'currency_not_accepted', 'Pricing'),
  noBid('VAST without an ad', telling('<VAST version="3.0"/>'), 'no_bid'),
  noBid('nothing', telling(''), 'no_bid'),
  noBid('no content', dspVastTag({ FixedCpm: 1 }, () => ({ status: 204, body: '' })), 'no_bid'),
  noBid('a fault of the DSP', dspVastTag({ FixedCpm: 1 }, () => ({ status: 500, body: vastAd() })), 'invalid_response'),
  noBid('an answer in HTML', telling('<html><body>ad</body></html>'), 'invalid_response'),
  {
    what: "our trackers go in whatever the document's case and namespace, and its own stay",
    demand: {
      it: dspVastTag({ FixedCpm: 1 }, () => ({
        body: vastAd().replace('<VAST version="3.0">', '<VAST xmlns:x="urn:x" version="3.0">').replace('<AdSystem>dsp<', '<AdSystem x:y="1"><![CDATA[dsp]]><'),
      })),
    },
    winner: 'it',
    bids: 1,
    async document(text) {
      const [ad = assert.fail()] = await played(text);
      assert.ok(ad.impressions.includes('https://dsp.example/imp'));
      assert.equal(ad.impressions.filter((url) => url.startsWith(room.server.url)).length, 1);
      assert.equal(ad.errors.filter((url) => url.startsWith(room.server.url)).length, 1);
      assert.equal(ad.clicks.filter((url) => url.startsWith(room.server.url)).length, 1);
    },
  },
  {
    what: 'a wrapper is given on with our trackers, and leads to its ad',
    demand: { it: dspVastTag({ FixedCpm: 1 }, () => ({ body: vastWrapper(`${dsp.url}/wrapped`) })) },
    winner: 'it',
    bids: 1,
    async document(text) {
      const [ad] = await played(text);
      assert.deepEqual(ad?.media, ['https://dsp.example/wrapped.mp4']);
      assert.equal(ad.impressions.length, 3);
    },
  },
]; // biome-ignore format: a table

const bidders: readonly Row[] = [
  {
    what: 'a bid request of OpenRTB 2.6, compressed, with what CustomParams set',
    tag: { Tmax: 3000, SiteDomain: 'news.example', Secure: 0 },
    demand: {
      it: bidder({ price: 2 }, { Gzip: 1, CustomParams: { 'imp.tagid': 'custom', 'ext.partner': '7' } }),
    },
    winner: 'it',
    bids: 1,
    revenue: 0.002,
    document(_, calls) {
      const [call = assert.fail()] = calls('it');
      assert.deepEqual(
        [call.method, call.headers['x-openrtb-version'], call.headers['content-encoding']],
        ['POST', '2.6', 'gzip'],
      );
      const request = requestIn([call]);
      assert.ok(request.tmax > 0 && request.tmax <= 3000, 'tmax is what is really left');
      assert.deepEqual([request.imp[0]?.tagid, request.site?.domain], ['custom', 'news.example']);
      assert.deepEqual((request as unknown as { ext: object }).ext, { partner: '7' });
      assert.equal(request.source.schain, undefined);
    },
  },
  {
    what: 'a supply chain that begins with us, complete where the tag says so',
    tag: { SetSchainComplete: 1 },
    demand: {
      added: bidder({ price: 2 }, { AddSchainNode: 1 }),
      none: bidder({ price: 1 }, { AddSchainNode: 1, DiscardSchain: 1 }),
    },
    winner: 'added',
    bids: 2,
    document(_, calls) {
      const { complete, nodes } = requestIn(calls('added')).source.schain ?? assert.fail();
      assert.deepEqual([complete, nodes.length, nodes[0]?.sid], [1, 1, 'pub-7']);
      assert.equal(requestIn(calls('none')).source.schain, undefined);
    },
  },
  {
    what: 'nurl by the server, burl at the billable event, once; macros filled there and in the markup',
    demand: {
      it: dspRtbEp({}, (call) =>
        bidResponse(call, {
          price: 2.5,
          nurl: `${dsp.url}/notices?nurl=$${priceMacro}`,
          burl: `${dsp.url}/notices?burl=\${AUCTION_PRICE}&id=\${AUCTION_ID}`,
          adm: vastAd({ inline: `<Error><![CDATA[https://dsp.example/e?p=$${priceMacro}]]></Error>` }),
        }),
      ),
    },
    winner: 'it',
    bids: 1,
    async document(text) {
      await dsp.call('/notices', ({ url }) => url.includes('nurl=2.5'));
      assert.equal(dsp.calls('/notices').some(({ url }) => url.includes('burl=')), false, 'nothing is billed yet');
      assert.match(text, /https:\/\/dsp\.example\/e\?p=2\.5/);
    },
    async afterwards() {
      await dsp.call('/notices', ({ url }) => /burl=2\.5&id=[\w-]+/.test(url));
      assert.equal(dsp.calls('/notices').filter(({ url }) => url.includes('burl=')).length, 1);
    },
  },
  {
    what: 'lurl with the loss code and the price to win',
    tag: { Bidfloor: 1 },
    demand: {
      high: priced(3),
      low: dspRtbEp({}, (call) =>
        bidResponse(call, { price: 2, lurl: `${dsp.url}/losses?low=\${AUCTION_LOSS}&p=\${AUCTION_MIN_TO_WIN}` }),
      ),
      under: dspRtbEp({}, (call) =>
        bidResponse(call, { price: 0.5, lurl: `${dsp.url}/losses?under=\${AUCTION_LOSS}` }),
      ),
    },
    winner: 'high',
    refused: { low: ['lost', ''], under: ['below_floor', 'Bidfloor'] },
    bids: 3,
    async document() {
      await dsp.call('/losses', ({ url }) => url.includes('low=102&p=3'));
      await dsp.call('/losses', ({ url }) => url.includes('under=100'));
    },
  },
  {
    what: 'markup by nurl, which is then not called a second time',
    demand: {
      it: dspRtbEp({}, (call) =>
        bidResponse(call, { price: 2, adm: undefined, nurl: `${dsp.url}/markup?p=\${AUCTION_PRICE}` }),
      ),
    },
    winner: 'it',
    bids: 1,
    async document(text) {
      assert.deepEqual((await played(text))[0]?.media, ['https://dsp.example/noticed.mp4']);
    },
    afterwards: async () => assert.deepEqual(dsp.calls('/markup').map(({ url }) => url), ['/markup?p=2']),
  },
  noBid('204', dspRtbEp({}, () => ({ status: 204, body: '' })), 'no_bid'),
  noBid('a no-bid with its reason', dspRtbEp({}, (call) => ({ body: JSON.stringify({ id: JSON.parse(call.body).id, nbr: 4 }) })), 'invalid_traffic', 'nbr'),
  { ...noBid('another currency', bidder({ price: 2 }, {}, { cur: 'EUR' }), 'currency_not_accepted', 'cur'), bids: 1 },
  { ...noBid('an answer to another request', bidder({ price: 2 }, {}, { id: 'another' }), 'invalid_response', 'id'), bids: 1 },
]; // biome-ignore format: a table

const judged: readonly Row[] = [
  refusedBid('a bid below the floor', { Bidfloor: 0.4 }, campaign({ Cpm: 0.39 }), 'below_floor', 'Bidfloor'),
  refusedBid('a blocked domain, and those below it', { AdDomainsBrandsBlacklist: 'blocked.example' }, bidder({ price: 9, adomain: ['shop.blocked.example'] }), 'domain_blocked', 'AdDomainsBrandsBlacklist'),
  refusedBid('a blocked brand', { AdDomainsBrandsBlacklist: 'Acme' }, bidder({ price: 9, adomain: ['acme.example'] }), 'domain_blocked', 'AdDomainsBrandsBlacklist'),
  refusedBid('a blocked app', { AdAppsBlacklist: 'com.example.bad' }, bidder({ price: 9, bundle: 'com.example.bad' }), 'app_blocked', 'AdAppsBlacklist'),
  refusedBid('a blocked category covers those below it', { BlockedAdIabCategories: ['IAB7'] }, bidder({ price: 9, cat: ['IAB7-5'] }), 'category_blocked', 'BlockedAdIabCategories'),
  refusedBid('a blocked attribute', { BlockedAdAttributes: [2] }, bidder({ price: 9, attr: [2] }), 'attribute_blocked', 'BlockedAdAttributes'),
  refusedBid('a blocked creative', { CridList: 'film-1' }, bidder({ price: 9 }), 'creative_id_listed', 'CridList'),
  refusedBid("a creative that is not the demand's own", {}, bidder({ price: 9 }, { CridListMode: 1, CridList: 'film-2' }), 'creative_id_listed', 'CridList'),
  refusedBid('a blocked seat', {}, bidder({ price: 9 }, { SeatList: 'seat-1' }), 'seat_listed', 'SeatList'),
  refusedBid('media by plain http', { Secure: 1 }, bidder({ price: 9, adm: vastAd({ media: 'http://dsp.example/a.mp4' }) }), 'not_secure', 'Secure'),
  refusedBid('a type of media that the player does not know', { Mimes: ['video/mp4'] }, bidder({ price: 9, adm: vastAd({ type: 'video/webm' }) }), 'incorrect_format', 'Mimes'),
  refusedBid('markup that is no VAST', {}, bidder({ price: 9, adm: '<p>banner</p>' }), 'invalid_creative', ''),
  {
    what: 'an ad that is longer than its place',
    macros: { maxduration: '15' },
    demand: { long: bidder({ price: 9, adm: vastAd({ duration: '00:00:16' }) }), fits: campaign() },
    winner: 'fits',
    refused: { long: ['incorrect_format', 'maxduration'] },
    bids: 2,
  },
]; // biome-ignore format: a table

const answers: readonly Row[] = [
  {
    what: 'VAST 3.0 where the tag says nothing else',
    demand: { film: campaign() },
    winner: 'film',
    bids: 1,
    document: (text) => assert.match(text, /^(<\?xml[^>]*>)?\s*<VAST[^>]* version="3\.0"/),
  },
  {
    what: 'VAST 4.0 where its Version is 1, with its namespace',
    tag: { Version: 1 },
    demand: { film: campaign() },
    winner: 'film',
    bids: 1,
    document: (text) => assert.match(text, /<VAST[^>]* version="4\.0"/),
  },
  {
    what: 'VAST 4.0 without an ad',
    tag: { Version: 1 },
    demand: {},
    outcome: 'no_demand',
    bids: 0,
    document: (text) => assert.match(text, /<VAST version="4\.0"[^>]*><\/VAST>$/),
  },
  {
    what: 'Waterfall: the ranked rest follows as fallbacks, each with trackers of its own',
    tag: { Waterfall: 1 },
    demand: {
      low: campaign({ Cpm: 1 }),
      high: dspVastTag({ FixedCpm: 3 }, () => ({ body: vastWrapper(`${dsp.url}/wrapped`) })),
      middle: bidder({ price: 2 }),
      refused: campaign({ Cpm: 0 }),
    },
    winner: 'high',
    refused: {},
    bids: 4,
    async document(text) {
      const turns = await playedInTurn(text);
      const media = turns.map((ad) => ad.media[0]);
      assert.deepEqual(media.slice(0, 3), ['https://dsp.example/wrapped.mp4', 'https://dsp.example/a.mp4', 'https://cdn.example/film.mp4']);
      const ours = turns.flatMap((ad) => ad.impressions.filter((url) => url.startsWith(room.server.url)));
      assert.equal(new Set(ours).size, turns.length);
    },
  },
  {
    what: 'no fallbacks without Waterfall',
    demand: { low: campaign({ Cpm: 1 }), high: priced(3) },
    winner: 'high',
    refused: { low: ['lost', ''] },
    bids: 2,
    document: async (text) => assert.equal((await playedInTurn(text)).length, 1),
  },
]; // biome-ignore format: a table

const stage = () => ({ room, dsp, lists: new Map<string, number>() });
testRows('DSP VAST Tags', stage, tags);
testRows('DSP RTB endpoints', stage, bidders);
testRows('bids are judged', stage, judged);
testRows('answers', stage, answers);
