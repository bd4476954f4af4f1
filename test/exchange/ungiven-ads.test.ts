import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { macroOf } from '../../src/protocols/openrtb/macros.ts';
import { ask } from './ask.ts';
import { type Bidder, startBidder } from './bidder.ts';
import { type ExchangeRoom, openExchange, type Stored, type Values, zoneUrl } from './exchange-room.ts';
import { vastAd } from './mock-dsp.ts';
import { directUrl, feedUrl } from './pop-room.ts';
import { bannerImp, requestOf } from './rtb-room.ts';

/** What a request tells as its user agent, to have the bidder behave so. */
const [hasty, breaking] = ['Hasty/1', 'Breaking/1'];
const [hangsUpMs, answersMs] = [60, 200];

/** What a bidder sees of a request. */
interface Asked {
  readonly device: { readonly ua: string };
  readonly imp: readonly [{ readonly banner?: unknown; readonly video?: unknown }];
}

const markupOf = ({ imp: [{ banner, video }] }: Asked) => {
  if (banner !== undefined) return '<p>ad</p>';
  return video === undefined ? `https://x${macroOf('AD_ID')}.example/` : vastAd();
};

let room: ExchangeRoom;
const bidders: Bidder[] = [];

before(async () => {
  room = await openExchange();
});
after(async () => {
  for (const bidder of bidders) await bidder.close();
  await room.close();
});

/** A bidder of its own for each case, so that what it hears is of that case. */
async function addBidder() {
  const bidder = await startBidder(async (values) => {
    const asked = values as unknown as Asked;
    if (asked.device.ua === hasty) await delay(answersMs);
    const adid = asked.device.ua === breaking ? 'a b' : 'a';
    const notices = { nurl: 'DSP_URL/nurl', lurl: `DSP_URL/lurl?${macroOf('LOSS')}` };
    return { adid, adm: markupOf(asked), ...notices };
  });
  bidders.push(bidder);
  const media = { BannerEnabled: 1, VideoEnabled: 1, PopEnabled: 1 };
  const values = { ...media, ZoneUrlUsEast: `${bidder.url}/bid`, ImpressionsDailyLimit: 1 };
  return { bidder, demand: await room.add('ortb/dsprtbep', values) };
}

/** Asks and hangs up before the bidder has answered. */
function hangUp(url: string, body?: object): Promise<void> {
  return new Promise((resolve) => {
    const method = body ? 'POST' : 'GET';
    const sent = request(url, { method, headers: { 'user-agent': hasty }, agent: false });
    sent.on('error', () => undefined).on('close', resolve);
    sent.end(body && JSON.stringify(body));
    setTimeout(() => sent.destroy(), hangsUpMs);
  });
}

const from = (referer: string) => ({ referer });
const post = (url: string, ua: string) => ({ url, body: requestOf([bannerImp], { device: { ua } }) });
const posted = async (url: string) =>
  fetch(url, { method: 'POST', body: JSON.stringify(post(url, 'Browser/1').body) });

interface Case {
  readonly name: string;
  readonly path: string;
  readonly supply?: Values;
  /** A request whose ad reaches nobody. */
  readonly lost: (supply: Stored) => Promise<unknown>;
  /** One whose ad does. */
  readonly given: (supply: Stored) => Promise<{ readonly status: number }>;
  readonly status?: number;
  /** Loss code that the bidder is told; absent where it was not asked. */
  readonly loss?: number;
  readonly rule?: string;
  readonly requests?: number;
  /** Of the second request; an offer is won later. */
  readonly wins?: number;
}

const entityOf: Readonly<Record<string, string>> = {
  bannerep: 'BannerEp',
  'xml/popfeed': 'PopFeed',
  'ortb/vasttag': 'VastTag',
  'ortb/rtbep': 'RtbEp',
};

/** Longer than the bidder takes; a bid request tells its own. */
const Tmax = 2000;
const patient: Readonly<Record<string, Values>> = {
  bannerep: { Tmax },
  'xml/popfeed': { Tmax },
  'ortb/vasttag': { Tmax },
};

const page = 'https://news.example/page';
const foreign = from('https://other.example/');
const cases: readonly Case[] = [
  {
    name: 'a banner for a foreign page',
    path: 'bannerep',
    supply: { RefererMatch: 1, SiteDomain: 'news.example' },
    lost: (supply) => ask(zoneUrl(supply), foreign),
    given: (supply) => ask(zoneUrl(supply), from(page)),
    loss: 1,
    rule: 'visitor_refused',
  },
  {
    name: 'a direct link from nowhere',
    path: 'xml/popfeed',
    supply: { NonEmptyReferer: 1 },
    lost: (supply) => ask(directUrl(supply)),
    given: (supply) => ask(directUrl(supply), from(page)),
    status: 302,
    loss: 1,
    rule: 'visitor_refused',
  },
  {
    name: 'a direct link whose visitor hangs up',
    path: 'xml/popfeed',
    lost: (supply) => hangUp(directUrl(supply)),
    given: (supply) => ask(directUrl(supply)),
    status: 302,
    loss: 2,
    rule: 'caller_gone',
  },
  {
    name: 'a pop that leads nowhere once its macros are filled',
    path: 'xml/popfeed',
    lost: (supply) => ask(feedUrl(supply, { ua: breaking })),
    given: (supply) => ask(feedUrl(supply)),
    loss: 200,
    rule: 'invalid_creative',
  },
  {
    name: 'a player that only looks',
    path: 'ortb/vasttag',
    lost: (supply) => ask(zoneUrl(supply), {}, 'HEAD'),
    given: (supply) => ask(zoneUrl(supply)),
    requests: 1,
  },
  {
    name: 'a player that hangs up',
    path: 'ortb/vasttag',
    lost: (supply) => hangUp(zoneUrl(supply)),
    given: (supply) => ask(zoneUrl(supply)),
    loss: 2,
    rule: 'caller_gone',
  },
  {
    name: 'an exchange that hangs up',
    path: 'ortb/rtbep',
    supply: { BannerEnabled: 1, PublisherProfitShare: 100 },
    lost: (supply) => hangUp(zoneUrl(supply), post(zoneUrl(supply), hasty).body),
    given: (supply) => posted(zoneUrl(supply)),
    loss: 2,
    rule: 'caller_gone',
    wins: 0,
  },
];

describe('an ad that nobody was given is not won, and its bid and impression are left to the next', () => {
  const held: { readonly of: Case; readonly supply: Stored }[] = [];
  for (const one of cases) {
    test(one.name, async () => {
      const { bidder, demand } = await addBidder();
      const supply = await room.add(one.path, {
        ...patient[one.path],
        BidsDailyLimit: 1,
        ...one.supply,
        DspRtbEps: [demand.Id],
      });
      await room.served();
      await one.lost(supply);
      if (one.loss !== undefined) assert.equal(await bidder.noticed('/lurl'), `/lurl?${one.loss}`);
      assert.deepEqual(
        bidder.notices.filter((notice) => notice.startsWith('/nurl')),
        [],
      );
      const Entity = entityOf[one.path];
      const auctions = (await room.call(`exchange/auctions?${Entity}=${supply.Id}`)) as unknown as Values[];
      assert.deepEqual(
        auctions.map(({ Outcome }) => Outcome),
        one.rule === undefined ? [] : [one.rule],
      );
      assert.equal((await one.given(supply)).status, one.status ?? 200);
      if (one.wins !== 0) await bidder.noticed('/nurl');
      held.push({ of: one, supply });
    });
  }

  test('is what statistics say', async () => {
    for (const { of, supply } of held) {
      const requests = of.requests ?? 2;
      const row = await room.statistics(supply, ({ Requests }) => Number(Requests) >= requests);
      assert.deepEqual([row.Requests, row.Bids, row.Wins], [requests, requests, of.wins ?? 1], of.name);
    }
  });
});
