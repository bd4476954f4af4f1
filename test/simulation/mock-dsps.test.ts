import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { readBehaviour } from '../../src/simulation/mock-dsps/behaviour.ts';
import { faults } from '../../src/simulation/mock-dsps/faults.ts';
import { createMockDsps, type MockDsps } from '../../src/simulation/mock-dsps/mock-dsps.ts';
import { seededRandom } from '../../src/simulation/random.ts';
import { ask } from '../exchange/ask.ts';
import { type ExchangeRoom, openExchange, type Stored, zoneUrl } from '../exchange/exchange-room.ts';
import { played } from '../protocols/vast/vast-player.ts';
import { type Loopback, listenOnLoopback } from '../support/loopback.ts';
import { pause } from '../support/pause.ts';

const campaignCpm = 1;
const mockCpm = 3;
/** For what never answers; all else has time enough on a busy machine too. */
const shortMs = 400;
const amplyMs = 5000;

let room: ExchangeRoom;
let dsps: Loopback;
let mocks: MockDsps;
let film: Stored;

const kinds = [
  { kind: 'vast', path: 'ortb/dspvasttag', connection: 'DspVastTags', flags: {} },
  {
    kind: 'rtb',
    path: 'ortb/dsprtbep',
    connection: 'DspRtbEps',
    flags: { VideoEnabled: 1, Gzip: 1 },
  },
] as const;

/** A tag that a campaign always fills, and a mock DSP that would pay more. */
async function tagWith(
  { kind, path, connection, flags }: (typeof kinds)[number],
  settings: string,
  Tmax = amplyMs,
) {
  const demand = await room.add(path, {
    ...flags,
    ZoneUrlUsEast: `${dsps.url}/dsp/k/${kind}/price=${mockCpm},${settings}`,
  });
  const values = { Tmax, Bidfloor: 0.5, Campaigns: [film.Id], [connection]: [demand.Id] };
  const tag = await room.add('ortb/vasttag', values);
  await room.served();
  return { tag, url: zoneUrl(tag) };
}

interface Held {
  readonly Outcome: string;
  readonly Candidates: readonly {
    readonly Entity: string;
    readonly Outcome: string;
    readonly Rule: string;
  }[];
}

async function heldFor(tagId: number): Promise<Held | undefined> {
  return ((await room.call(`exchange/auctions?VastTag=${tagId}`)) as unknown as readonly Held[])[0];
}

before(async () => {
  room = await openExchange();
  mocks = createMockDsps({
    mount: '/dsp',
    keys: () => ['k'],
    random: seededRandom(1),
    baseUrl: () => dsps.url,
    media: '/film.mp4',
    mediaType: 'video/mp4',
    landing: '/landing',
  });
  const server = createServer((request, response) => {
    if (!mocks.handle(request, response)) response.writeHead(404).end();
  });
  dsps = await listenOnLoopback(server);
  film = await room.add('campaign', {
    Name: 'Film',
    Cpm: campaignCpm,
    MediaUrl: 'https://cdn.example/film.mp4',
    Duration: 15,
    ClickUrl: 'https://brand.example/',
  });
});

after(async () => {
  await room.close();
  await dsps.close();
});

describe('an honest mock DSP', () => {
  for (const kind of kinds) {
    test(`${kind.kind}: wins with its price, and its ad plays`, async () => {
      const { tag, url } = await tagWith(kind, 'latency=5-20,domain=shoes.example');
      const text = await (await fetch(url)).text();
      const [ad] = await played(text);
      assert.deepEqual(ad?.media, [`${dsps.url}/film.mp4`]);
      const [winner] = (await heldFor(tag.Id))?.Candidates.filter(({ Outcome }) => Outcome === 'won') ?? [];
      assert.notEqual(winner?.Entity, 'Campaign');
    });
  }

  test('is told of its win and its billable impression', async () => {
    const { url } = await tagWith(kinds[1], '');
    const { win = 0, billing = 0 } = mocks.counts();
    const text = await (await fetch(url)).text();
    const [impression = ''] = /http:[^\]]*\/track\/impression[^\]]*/.exec(text) ?? [];
    await fetch(impression);
    // Notices of earlier tests may come meanwhile.
    const isTold = (counts: Readonly<Record<string, number>>) =>
      (counts.win ?? 0) > win && (counts.billing ?? 0) > billing;
    while (!isTold(mocks.counts())) await pause();
  });

  test('bids on the share of requests that its path says', async () => {
    const url = `${dsps.url}/dsp/k/vast/fill=0.25`;
    const texts = await Promise.all(Array.from({ length: 200 }, async () => (await fetch(url)).text()));
    const filled = texts.filter((text) => text.includes('<Ad ')).length;
    assert.ok(filled > 25 && filled < 75, `${filled} of 200`);
  });

  test('does not bid below the floor', async () => {
    const ask = (bidfloor: number) =>
      fetch(`${dsps.url}/dsp/k/rtb/price=3`, {
        method: 'POST',
        body: JSON.stringify({ id: '1', imp: [{ id: '1', bidfloor, video: {} }] }),
      });
    assert.deepEqual([(await ask(3)).status, (await ask(3.1)).status], [200, 204]);
  });

  const deals = [{ id: 'news', bidfloor: 3 }];
  const bids: readonly (readonly [what: string, settings: string, imp: object, bids: readonly object[]])[] = [
    ['each medium that an impression takes', '', { video: {}, banner: {} }, [{ mtype: 2 }, { mtype: 1 }]],
    ['its deal, whose floor replaces the other', 'deal=news', { bidfloor: 9, video: {}, pmp: { deals } }, [{ dealid: 'news' }]],
    ['nothing below the floor of its deal', 'deal=news', { video: {}, pmp: { deals: [{ id: 'news', bidfloor: 4 }] } }, []],
    ['openly where its deal is not offered', 'deal=other', { video: {}, pmp: { deals } }, [{ dealid: undefined }]],
    ['in its currency where the floor is in it', 'currency=EUR', { bidfloorcur: 'EUR', video: {} }, [{ cur: 'EUR' }]],
    ['in USD otherwise', 'currency=EUR', { bidfloorcur: 'USD', video: {} }, [{ cur: 'USD' }]],
  ]; // biome-ignore format: a table
  for (const [what, settings, imp, expected] of bids) {
    test(`bids ${what}`, async () => {
      const answer = await fetch(`${dsps.url}/dsp/k/rtb/price=3.5,${settings}`, {
        method: 'POST',
        body: JSON.stringify({ id: '1', imp: [{ id: '1', ...imp }] }),
      });
      const text = await answer.text();
      const { cur, seatbid } = text === '' ? { cur: '', seatbid: [] } : JSON.parse(text);
      const found = (seatbid[0]?.bid ?? []).map((bid: object) => ({ cur, dealid: undefined, ...bid }));
      assert.equal(found.length, expected.length);
      assert.partialDeepStrictEqual(found, expected);
    });
  }
});

/** What the exchange makes of each fault. */
const outcomes: Readonly<Record<string, { readonly vast: string; readonly rtb: string }>> = {
  error: { vast: 'invalid_response', rtb: 'invalid_response' },
  hang: { vast: 'timed_out', rtb: 'timed_out' },
  reset: { vast: 'unreachable', rtb: 'unreachable' },
  drip: { vast: 'timed_out', rtb: 'timed_out' },
  endless: { vast: 'invalid_response', rtb: 'invalid_response' },
  empty: { vast: 'no_bid', rtb: 'no_bid' },
  garbage: { vast: 'invalid_response', rtb: 'invalid_response' },
  truncated: { vast: 'invalid_response', rtb: 'invalid_response' },
  bomb: { vast: 'invalid_response', rtb: 'invalid_response' },
  redirect: { vast: 'unreachable', rtb: 'invalid_response' },
  negative: { vast: 'invalid_price', rtb: 'invalid_price' },
  nan: { vast: 'invalid_price', rtb: 'invalid_response' },
  huge: { vast: 'invalid_price', rtb: 'invalid_price' },
  zero: { vast: 'invalid_price', rtb: 'invalid_price' },
  euro: { vast: 'currency_not_accepted', rtb: 'currency_not_accepted' },
  stranger: { vast: '', rtb: 'invalid_response' },
  markup: { vast: 'invalid_response', rtb: 'invalid_creative' },
};

describe('a faulty mock DSP harms nobody: the campaign is shown in time', { concurrency: 4 }, () => {
  test('every fault is tried', () => assert.deepEqual(Object.keys(outcomes).sort(), [...faults].sort()));

  for (const [fault, rules] of Object.entries(outcomes)) {
    for (const kind of kinds) {
      const rule = rules[kind.kind];
      // A DSP VAST Tag is asked for no auction by name.
      if (rule === '') continue;
      test(`${kind.kind}: ${fault} is ${rule}`, async () => {
        const tmaxMs = rule === 'timed_out' ? shortMs : amplyMs;
        const { tag, url } = await tagWith(kind, `fault=${fault}`, tmaxMs);
        const text = await (await fetch(url)).text();
        assert.match(text, /cdn\.example\/film\.mp4/);
        const candidates = (await heldFor(tag.Id))?.Candidates ?? [];
        const faulty = candidates.find(({ Entity }) => Entity !== 'Campaign');
        assert.deepEqual([faulty?.Outcome, faulty?.Rule], ['refused', rule], JSON.stringify(faulty));
      });
    }
  }
});

describe('settings of a path', () => {
  const wrong: readonly (readonly [string, RegExp])[] = [
    ['prize=2', /"prize" is not a setting; the settings are fill, price/],
    ['price=', /"" is not valid for price/],
    ['price=6-2', /"6-2" is not valid for price/],
    ['price=1-2-3', /is not valid for price/],
    ['price=-1', /is not valid for price/],
    ['fill=1.1', /is not valid for fill/],
    ['latency=10001', /is not valid for latency/],
    ['fault=sulk', /"sulk" is not valid for fault/],
    ['constructor=1', /is not a setting/],
    ['category=IAB', /is not valid for category/],
  ];
  for (const kind of ['none', 'valueOf', 'constructor', '__proto__']) {
    test(`${kind} is no kind of DSP`, async () => {
      const answer = await fetch(`${dsps.url}/dsp/k/${kind}/fill=1`);
      assert.deepEqual(
        [answer.status, (await answer.text()).startsWith('A mock DSP is at vast or')],
        [404, true],
      );
    });
  }

  for (const [settings, says] of wrong) {
    test(`${settings} is told to be wrong`, async () => {
      const answer = await fetch(`${dsps.url}/dsp/k/vast/${settings}`);
      assert.equal(answer.status, 404);
      assert.match(await answer.text(), says);
    });
  }

  test('are read, and what is left out is honest', () => {
    assert.partialDeepStrictEqual(readBehaviour('price=2-6.5,fill=0.8,fault=hang,faulty=0.1'), {
      price: { min: 2, max: 6.5 },
      fill: 0.8,
      latency: { min: 0, max: 0 },
      fault: 'hang',
      faulty: 0.1,
    });
  });

  const unreadable: readonly (readonly [name: string, path: string, init: RequestInit])[] = [
    ['a path that is no text', 'vast/%ff', {}],
    [
      'a body that is not compressed as it says',
      'rtb/',
      { headers: { 'content-encoding': 'gzip' }, body: 'plain' },
    ],
    ['a body that is no OpenRTB', 'rtb/', { body: '{"id":1}' }],
    ['a body that is too long', 'rtb/', { body: ' '.repeat(2 * 1024 * 1024) }],
  ];
  for (const [name, path, init] of unreadable) {
    test(`${name} is 400`, async () => {
      const method = init.body === undefined ? 'GET' : 'POST';
      assert.equal((await fetch(`${dsps.url}/dsp/k/${path}`, { ...init, method })).status, 400);
    });
  }

  test('another kind is explained', async () => {
    for (const kind of ['radio', 'constructor', '__proto__', 'valueOf']) {
      const answer = await ask(`${dsps.url}/dsp/k/${kind}/price=2`);
      assert.equal(answer.status, 404);
      assert.match(answer.text, /vast or rtb/);
    }
  });
});
