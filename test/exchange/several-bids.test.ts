import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Values, zoneUrl } from './exchange-room.ts';
import { type DspCall, type MockDsp, startMockDsp, vastAd } from './mock-dsp.ts';
import { feedUrl, visitor } from './pop-room.ts';
import { bannerImp, nativeImp, openRtbRoom, post, type RtbRoom, requestOf, videoImp } from './rtb-room.ts';

let room: RtbRoom;
let dsp: MockDsp;

before(async () => {
  room = await openRtbRoom();
  dsp = await startMockDsp();
});
after(async () => {
  await dsp.close();
  await room.close();
});

const malformed = '<VAST version="3.0"><Ad></VAST>';
const noMedia = vastAd({ media: '' });
const native = JSON.stringify({ assets: [], link: { url: 'https://brand.example/' } });
const good = { price: 3, adm: vastAd() };

interface Case {
  readonly name: string;
  readonly imp?: object;
  /** Bids of the answer, one seat each; `NOTICE` becomes a URL that answers no ad. */
  readonly bids: readonly Values[];
  readonly endpoint?: Values;
  /** The price that is answered; undefined = no bid. */
  readonly answered?: number;
  /** What the auction tells of the bids that took no part. */
  readonly rules: readonly string[];
  /** Calls of `NOTICE`. */
  readonly noticed?: number;
}

const cases: readonly Case[] = [
  { name: 'many that are malformed', bids: [...Array(50).fill({ price: 9, adm: malformed }), good], answered: 3, rules: ['invalid_creative'] },
  { name: 'as many as are read', bids: [...Array(99).fill({ price: 9, adm: malformed }), good], answered: 3, rules: ['invalid_creative'] },
  { name: 'markup of white space alone', bids: [{ price: 9, adm: ' \n\ufeff' }, good], answered: 3, rules: ['invalid_response seatbid[0].bid[0].adm'] },
  { name: 'values that are no bids', bids: [null, 7, [], 'x', good] as never, answered: 3, rules: [] },
  { name: 'a price as a text, none, and below zero', bids: [{ price: '9', adm: vastAd() }, { price: null, adm: vastAd() }, { price: -1, adm: vastAd() }, good], answered: 3, rules: ['invalid_response seatbid[0].bid[0].price', 'invalid_response seatbid[1].bid[0].price', 'invalid_price seatbid[2].bid[0].price'] },
  { name: 'another impression', bids: [{ price: 9, adm: vastAd(), impid: '2' }, good], answered: 3, rules: ['invalid_response seatbid[0].bid[0].impid'] },
  { name: 'HTML after an XML declaration', bids: [{ price: 9, adm: '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body/></html>' }, good], answered: 3, rules: ['invalid_creative'] },
  { name: 'VAST with a document type', bids: [{ price: 9, adm: `<!DOCTYPE VAST>${vastAd()}` }, good], answered: 3, rules: ['invalid_creative'] },
  { name: 'VAST after comments for a banner', imp: bannerImp, bids: [{ price: 9, adm: `\ufeff<!-- <p> --> ${vastAd()}` }, { price: 3, adm: '<!-- <VAST> --><p></p>' }], answered: 3, rules: ['invalid_creative'] },
  { name: 'a native ad as an object for a banner', imp: bannerImp, bids: [{ price: 9, adm: JSON.parse(native) }, { price: 3, adm: '<p></p>' }], answered: 3, rules: ['invalid_creative'] },
  { name: 'a native ad with a byte order mark', imp: nativeImp, bids: [{ price: 3, adm: `\ufeff${native}` }], answered: 3, rules: [] },
  { name: 'JSON that is cut off', imp: bannerImp, bids: [{ price: 9, adm: native.slice(0, -1) }, { price: 3, adm: '<p></p>' }], answered: 3, rules: ['invalid_creative'] },
  { name: 'a script without its element', imp: bannerImp, bids: [{ price: 9, adm: '(function(){document.write("<p>")})()' }, { price: 8, adm: 'document.write("<p>");' }, { price: 3, adm: '<p></p>' }], answered: 3, rules: ['invalid_creative'] },
  { name: 'wrapped Base64', imp: bannerImp, bids: [{ price: 9, adm: (Buffer.from('<a href="https://brand.example">brand</a>').toString('base64').match(/.{1,20}/g) ?? []).join('\n') }, { price: 3, adm: '<p></p>' }], answered: 3, rules: ['invalid_creative'] },
  { name: 'names of objects', bids: [{ price: 9, adm: malformed, ext: {}, __proto__: 1, constructor: 1, toString: 'x', valueOf: null }, { ...good, constructor: { a: 1 }, hasOwnProperty: 1 }], answered: 3, rules: ['invalid_creative'] },
  { name: 'a list for a text, a text for several', bids: [{ price: 9, adm: vastAd(), crid: ['a'] }, { price: 8, adm: vastAd(), adomain: 'a.example, b.example' }, good], answered: 3, rules: ['invalid_response seatbid[0].bid[0].crid', 'invalid_response seatbid[1].bid[0].adomain'] },
  { name: 'fractions and units', bids: [{ price: 9, adm: vastAd(), w: '640px' }, { price: 8, adm: vastAd(), exp: -1 }, { ...good, dur: '15s', ext: [] }], answered: 3, rules: ['invalid_response seatbid[0].bid[0].w', 'invalid_response seatbid[1].bid[0].exp'] },
]; // biome-ignore format: a table

const isBid = (bid: unknown) => bid !== null && typeof bid === 'object' && !Array.isArray(bid);

/** Answers a bid request with these bids, each of a seat of its own. */
const answering =
  (bids: readonly Values[], path: string) =>
  ({ body }: DspCall) => {
    const { id } = JSON.parse(body) as Values;
    const made = bids.map((bid, index) => ({
      id: `b${index}`,
      impid: '1',
      adomain: ['dsp.example'],
      ...bid,
    }));
    const seatbid = made.map((bid, index) => ({
      seat: `s${index}`,
      bid: [isBid(bids[index]) ? bid : bids[index]],
    }));
    return { body: JSON.stringify({ id, seatbid }).replaceAll('NOTICE', `${dsp.url}${path}-notice`) };
  };

interface Told {
  readonly Candidates: readonly {
    readonly Outcome: string;
    readonly Rule: string;
    readonly Refusals: readonly { readonly Rule: string; readonly Field: string }[];
  }[];
}

/** What the last auction of a supply object tells of its only candidate. */
async function told(entity: string, { Id }: Values) {
  const auctions = (await room.call(`exchange/auctions?${entity}=${Id}`)) as unknown as readonly Told[];
  const candidate = auctions[0]?.Candidates[0] ?? assert.fail();
  const rules = candidate.Refusals.map(({ Rule, Field }) => `${Rule} ${Field}`.trim());
  return { ...candidate, rules };
}

const counted: { readonly name: string; readonly demand: Values; readonly bids: number }[] = [];

describe('at /rtb a bid that cannot be shown leaves its place to the next best one of its answer', () => {
  for (const { name, imp = videoImp, bids, endpoint = {}, answered, rules, noticed = 0 } of cases) {
    test(name, async () => {
      const path = `/rtb-${name.replaceAll(/\W/g, '-')}`;
      dsp.answer(path, answering(bids, path));
      dsp.answer(`${path}-notice`, () => ({ body: 'no ad' }));
      const demand = await room.dsp({ ZoneUrlUsEast: `${dsp.url}${path}` });
      const rtbEp = await room.endpoint({ DspRtbEps: [demand.Id], ...endpoint });
      await room.served();
      const answer = await post(zoneUrl(rtbEp), requestOf([imp]));
      assert.equal(answer.bids[0]?.price, answered);
      const candidate = await told('RtbEp', rtbEp);
      assert.deepEqual([...new Set(candidate.rules)].toSorted(), [...rules].toSorted());
      assert.equal(candidate.Outcome, answered === undefined ? 'refused' : 'won');
      assert.equal(candidate.Rule === '', answered !== undefined);
      assert.equal(dsp.calls(`${path}-notice`).length, noticed);
      counted.push({ name, demand, bids: bids.filter(isBid).length });
      const [{ LastFault } = {}] = await health(demand);
      assert.equal(
        LastFault !== null,
        rules.some((rule) => !rule.startsWith('below_floor')),
        'Health',
      );
    });
  }
});

async function health({ Id }: Values): Promise<readonly { readonly LastFault?: object | null }[]> {
  const objects = await room.call(`health/get?Entity=DspRtbEp&Ids=${Id}`);
  return objects as unknown as readonly { readonly LastFault?: object | null }[];
}

test('all of them are counted as bids', async () => {
  for (const { name, demand, bids } of counted) {
    const row = await room.statistics(demand, ({ Bids }) => Number(Bids) >= bids);
    assert.equal(row.Bids, bids, name);
  }
});

test('at /vast, where a second price comes from another answer, and its broken bid sets none', async () => {
  dsp.answer(
    '/vast-high',
    answering(
      [
        { price: 9, adm: malformed },
        { price: 6, adm: vastAd() },
      ],
      '',
    ),
  );
  dsp.answer(
    '/vast-low',
    answering(
      [
        { price: 5, adm: noMedia },
        { price: 2, adm: vastAd() },
      ],
      '',
    ),
  );
  const [high, low] = await Promise.all(
    ['/vast-high', '/vast-low'].map((path) =>
      room.dsp({ ZoneUrlUsEast: `${dsp.url}${path}`, AuctionType: 2 }),
    ),
  );
  const tag = await room.add('ortb/vasttag', { DspRtbEps: [high?.Id, low?.Id], AuctionType: 2 });
  await room.served();
  const text = await (await fetch(zoneUrl(tag))).text();
  assert.match(text, /<MediaFile/);
  const [auction] = (await room.call(`exchange/auctions?VastTag=${tag.Id}`)) as unknown as readonly Told[];
  const shown = auction?.Candidates.map((one) => [one.Outcome, (one as unknown as Values).Price, one.Rule]);
  assert.deepEqual(shown?.toSorted(), [
    ['refused', 2, 'lost'],
    ['won', 2.01, ''],
  ]);
});

test('a pop feed has several offers, too', async () => {
  const offers = [
    { bid: 0.009, url: 'http://bad.example/' },
    { bid: 0.003, url: 'https://good.example/' },
  ];
  dsp.answer('/feed', () => ({ body: JSON.stringify({ result: offers }) }));
  const demand = await room.add('xml/dsppopfeed', { FeedUrlUsEast: `${dsp.url}/feed` });
  const feed = await room.add('xml/popfeed', { DspPopFeeds: [demand.Id], Secure: 1 });
  await room.served();
  const { result } = (await (await fetch(feedUrl(feed, visitor))).json()) as { result: readonly Values[] };
  assert.equal(result.length, 1);
  const candidate = await told('PopFeed', feed);
  assert.deepEqual([candidate.Outcome, candidate.rules], ['won', ['not_secure Secure']]);
});

test('10,000 broken bids are no work: 100 of an answer are read', async () => {
  const bids = Array.from({ length: 10_000 }, () => ({ price: 9, adm: '<' }));
  dsp.answer('/flood', ({ body }) => {
    const { id } = JSON.parse(body) as Values;
    const bid = bids.map((one) => ({ id: 'b', impid: '1', ...one }));
    return { body: JSON.stringify({ id, seatbid: [{ bid }] }) };
  });
  const demand = await room.dsp({ ZoneUrlUsEast: `${dsp.url}/flood` });
  const rtbEp = await room.endpoint({ DspRtbEps: [demand.Id] });
  await room.served();
  assert.equal((await post(zoneUrl(rtbEp), requestOf([videoImp]))).status, 204);
  const row = await room.statistics(demand, ({ Bids }) => Number(Bids) > 0);
  assert.equal(row.Bids, 100);
});
