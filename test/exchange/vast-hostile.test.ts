import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { played } from '../protocols/vast/vast-player.ts';
import { type FaultyPartner, startFaultyPartner } from './demand/outbound/faulty-partner.ts';
import { type Stored, zoneUrl } from './exchange-room.ts';
import {
  bidResponse,
  type DspAnswer,
  type DspCall,
  type MockDsp,
  pricing,
  startMockDsp,
  vastAd,
} from './mock-dsp.ts';
import { openVastRoom, type VastRoom } from './vast-room.ts';

let room: VastRoom;
let dsp: MockDsp;
let faulty: FaultyPartner;

before(async () => {
  [room, dsp, faulty] = await Promise.all([openVastRoom(), startMockDsp(), startFaultyPartner()]);
});
after(async () => {
  await Promise.all([room.close(), dsp.close()]);
  await faulty[Symbol.asyncDispose]();
});

/** Ways of a partner that breaks HTTP, or does not end; see `faulty-partner.ts`. */
const faults = [
  '/gzip-bomb',
  '/gzip-garbage',
  '/gzip-cut',
  '/gzip-twice',
  '/unknown-encoding',
  '/endless',
  '/large',
  '/stall',
  '/stall-in-head',
  '/stall-in-body',
  '/drip-head',
  '/drip-body',
  '/too-short',
  '/too-long',
  '/reset',
  '/close',
  '/no-http',
  '/huge-header',
  '/error',
  '/empty',
  '/redirect-round',
  '/redirect-4',
  '/redirect-inside',
  '/redirect-file',
  '/redirect-nowhere',
];

const deep = (open: string, close: string, levels = 20_000) => open.repeat(levels) + close.repeat(levels);

/** Documents that are no ad, or would harm who believes them. */
const documents: Readonly<Record<string, string>> = {
  garbage: '\0\u0001\ufffd<<<>>>&&&',
  html: '<!doctype html><title>ad</title>',
  entities: '<!DOCTYPE VAST [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]><VAST version="3.0">&b;</VAST>',
  outside: '<!DOCTYPE VAST [<!ENTITY x SYSTEM "file:///etc/passwd">]><VAST version="3.0"><Ad>&x;</Ad></VAST>',
  deep: `<VAST version="3.0">${deep('<Ad>', '</Ad>')}</VAST>`,
  cut: vastAd().slice(0, -30),
  negative: vastAd({ pricing: pricing('-1') }),
  'not a number': vastAd({ pricing: pricing('NaN') }),
  infinite: vastAd({ pricing: pricing('Infinity') }),
  huge: vastAd({ pricing: pricing('1e308') }),
  long: vastAd({ pricing: pricing('9'.repeat(400)) }),
  hexadecimal: vastAd({ pricing: pricing('0x10') }),
  comma: vastAd({ pricing: pricing('2,5') }),
  nothing: vastAd({ pricing: pricing('0') }),
  euros: vastAd({ pricing: pricing('5', 'EUR') }),
}; // biome-ignore format: a table

const told = (call: DspCall, price: string): DspAnswer => ({
  body: String(bidResponse(call, { price: 'PRICE' }).body).replace('"PRICE"', price),
});

/** Responses to bid requests that are none, or name prices that are none. */
const responses: Readonly<Record<string, (call: DspCall) => DspAnswer>> = {
  garbage: () => ({ body: '\0\u0001{]' }),
  null: () => ({ body: 'null' }),
  array: () => ({ body: '[]' }),
  deep: () => ({ body: deep('[', ']') }),
  prototype: () => ({ body: '{"__proto__":{"seatbid":[]},"id":"x"}' }),
  wrong: (call) => ({ body: JSON.stringify({ id: JSON.parse(call.body).id, seatbid: [{ bid: 'no' }] }) }),
  negative: (call) => told(call, '-1'),
  'not a number': (call) => told(call, '"NaN"'),
  huge: (call) => told(call, '1e308'),
  infinite: (call) => told(call, '1e999'),
  text: (call) => told(call, '"5"'),
  none: (call) => told(call, 'null'),
  zero: (call) => told(call, '0'),
  euros: (call) => bidResponse(call, { price: 5 }, { cur: 'EUR' }),
  'another impression': (call) => bidResponse(call, { price: 5, impid: 'other' }),
  'nobody': (call) => bidResponse(call, { price: 5, adm: '' }),
  'inside': (call) => bidResponse(call, { price: 5, adm: undefined, nurl: 'file:///etc/passwd' }),
  'headers': (call) => bidResponse(call, { price: 5, adm: undefined, nurl: 'http://[\r\nX-Bad: 1' }),
}; // biome-ignore format: a table

const tmaxMs = 2000;

interface Hostile {
  readonly name: string;
  readonly stored: Stored;
}

async function addHostile(): Promise<Hostile[]> {
  const urls = [
    ...faults.map((path) => [path, faulty.url + path] as const),
    ...Object.entries(documents).map(([name, body], index) => {
      dsp.answer(`/d${index}`, () => ({ body }));
      return [name, `${dsp.url}/d${index}`] as const;
    }),
  ];
  const tags = urls.map(async ([name, ZoneUrlUsEast]) => {
    const FixedCpm = name in documents ? 0 : 5;
    return { name: `tag ${name}`, stored: await room.add('ortb/dspvasttag', { FixedCpm, ZoneUrlUsEast }) };
  });
  const endpoints = [
    ...faults.map((path) => [path, faulty.url + path] as const),
    ...Object.entries(responses).map(([name, answer], index) => {
      dsp.answer(`/r${index}`, answer);
      return [name, `${dsp.url}/r${index}`] as const;
    }),
  ].map(async ([name, ZoneUrlUsEast]) => ({
    name: `bidder ${name}`,
    stored: await room.add('ortb/dsprtbep', { ZoneUrlUsEast }),
  }));
  return Promise.all([...tags, ...endpoints]);
}

describe('demand that fails, stalls and lies', () => {
  test('the auction ends in time, the honest bid wins, and each of the others is refused by name', async () => {
    const hostile = await addHostile();
    dsp.answer('/honest', () => ({ body: vastAd({ media: 'https://dsp.example/honest.mp4' }) }));
    const honest = await room.add('ortb/dspvasttag', { FixedCpm: 2, ZoneUrlUsEast: `${dsp.url}/honest` });
    const of = (path: string) =>
      hostile.filter(({ name }) => name.startsWith(path)).map(({ stored }) => stored.Id);
    const tag = await room.add('ortb/vasttag', {
      Tmax: tmaxMs,
      DspVastTags: [...of('tag'), honest.Id],
      DspRtbEps: of('bidder'),
    });
    await room.served();
    // The first auction of a server may take longer than its time, and then has no ad.
    const first = await room.vast(zoneUrl(tag));
    // Some of them never come to an end: there is no answer unless the auction does not wait for them.
    const { response, text } = await room.vast(zoneUrl(tag));
    assert.equal(response.status, 200);
    assert.deepEqual((await played(text))[0]?.media, ['https://dsp.example/honest.mp4']);
    const held = (await room.auctions(tag))[0] ?? assert.fail();
    for (const { name, stored } of hostile) {
      const kind = name.startsWith('tag') ? 'DspVastTag' : 'DspRtbEp';
      const met = held.Candidates.find(({ Id, Entity }) => Id === stored.Id && Entity === kind);
      assert.ok(
        met && met.Outcome === 'refused' && met.Rule !== '' && met.Rule !== 'lost',
        `${name}: ${JSON.stringify(met)}`,
      );
    }
    const won = 1 + (await played(first.text)).length;
    const row = await room.statistics(tag, ({ Wins }) => Number(Wins) >= won);
    assert.equal(row.Wins, won);
  });

  test('prices that are none are refused as such', async () => {
    const expected: Readonly<Record<string, string>> = {
      negative: 'invalid_price',
      'not a number': 'invalid_price',
      huge: 'invalid_price',
      infinite: 'invalid_price',
      euros: 'currency_not_accepted',
    };
    const names = Object.keys(expected);
    const ids = { DspVastTags: [] as number[], DspRtbEps: [] as number[] };
    for (const name of names) {
      const at = (prefix: string, table: object) => `${dsp.url}/${prefix}${Object.keys(table).indexOf(name)}`;
      ids.DspVastTags.push((await room.add('ortb/dspvasttag', { ZoneUrlUsEast: at('d', documents) })).Id);
      ids.DspRtbEps.push((await room.add('ortb/dsprtbep', { ZoneUrlUsEast: at('r', responses) })).Id);
    }
    const tag = await room.add('ortb/vasttag', { Tmax: 5000, ...ids });
    await room.served();
    assert.equal((await played((await room.vast(zoneUrl(tag))).text)).length, 0);
    const { Candidates } = (await room.auctions(tag))[0] ?? assert.fail();
    for (const [field, Entity] of [
      ['DspVastTags', 'DspVastTag'],
      ['DspRtbEps', 'DspRtbEp'],
    ] as const) {
      const rules = ids[field].map(
        (id) => Candidates.find((one) => one.Id === id && one.Entity === Entity)?.Rule,
      );
      // A text in the place of a number is no response at all.
      const wanted = Entity === 'DspRtbEp' ? { ...expected, 'not a number': 'invalid_response' } : expected;
      assert.deepEqual(Object.fromEntries(names.map((name, index) => [name, rules[index]])), wanted, Entity);
    }
  });
});

test('demand that fails again and again is paused by name, and asked no more; the rest goes on', async () => {
  dsp.answer('/failing', () => ({ status: 500, body: '' }));
  const film = await room.add('campaign');
  const failing = await room.add('ortb/dspvasttag', { FixedCpm: 9, ZoneUrlUsEast: `${dsp.url}/failing` });
  const tag = await room.add('ortb/vasttag', {
    Tmax: 5000,
    DspVastTags: [failing.Id],
    Campaigns: [film.Id],
  });
  await room.served();
  for (let time = 0; time < 20; time += 1) {
    assert.equal((await played((await room.vast(zoneUrl(tag))).text)).length, 1);
  }
  assert.equal(dsp.calls('/failing').length, 10);
  const counted = await room.statistics(tag, ({ Wins }) => Number(Wins) === 20);
  assert.equal(counted.Bids, 20);
});

test('demand at private addresses is refused by name, and nobody is called', async () => {
  const guarded = await openVastRoom({ allowPrivateDemand: false });
  try {
    dsp.answer('/inside', () => ({ body: vastAd() }));
    const port = new URL(dsp.url).port;
    const hosts = ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '169.254.169.254', '10.0.0.1'];
    const DspVastTags: number[] = [];
    for (const host of hosts) {
      const ZoneUrlUsEast = `http://${host}:${port}/inside`;
      DspVastTags.push((await guarded.add('ortb/dspvasttag', { FixedCpm: 5, ZoneUrlUsEast })).Id);
    }
    const tag = await guarded.add('ortb/vasttag', { Tmax: 3000, DspVastTags });
    await guarded.served();
    assert.equal((await played((await guarded.vast(zoneUrl(tag))).text)).length, 0);
    const { Candidates } = (await guarded.auctions(tag))[0] ?? assert.fail();
    assert.deepEqual(Candidates.map(({ Rule }) => Rule), hosts.map(() => 'private_address'));
    assert.equal(dsp.calls('/inside').length, 0);
  } finally {
    await guarded.close();
  }
}); // biome-ignore format: a table
