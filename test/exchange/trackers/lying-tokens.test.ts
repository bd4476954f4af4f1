import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { pino } from 'pino';
import { createTokens, type Tokens } from '../../../src/exchange/trackers/tokens.ts';
import type { TrackedAd } from '../../../src/exchange/trackers/tracked-ad.ts';
import { dayOf } from '../../../src/statistics/days.ts';
import { openConfiguredStore } from '../../../src/store/configured-store.ts';
import type { Store } from '../../../src/store/interface.ts';
import { addUser } from '../../management/users.ts';
import { ask } from '../ask.ts';
import { type ExchangeRoom, openExchange, type Stored, type Values } from '../exchange-room.ts';

let room: ExchangeRoom;
let store: Store;
let tokens: Tokens;
const logged: string[] = [];

/** Objects by the names that cases give them: of the room's team, `other` of another one, `none` of nobody. */
const ids = new Map<string, number>([['none', 999_999]]);
const film = { Type: 2, Cpm: 4, Html: '<p>brand</p>', ClickUrl: 'https://brand.example/' };
const idOf = (name: string) => ids.get(name) ?? assert.fail(name);

/** Calls the API as a user of another team. */
async function addOfOtherTeam(token: string, path: string, wrapper: string, values: Values): Promise<number> {
  const response = await fetch(`${room.server.url}/api/${path}/add`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ [wrapper]: values }),
  });
  const answer = (await response.json()) as Record<string, Stored>;
  return answer[wrapper]?.Id ?? assert.fail(JSON.stringify(answer));
}

before(async () => {
  room = await openExchange({}, pino({ level: 'warn' }, { write: (line) => void logged.push(line) }));
  store = await openConfiguredStore(room.server.databaseUrl);
  const keys = await store.trackerKeys();
  tokens = createTokens(() => keys);
  const own = await room.add('campaign', film);
  const left = await room.add('campaign', film);
  const tag = await room.add('bannerep', { Campaigns: [own.Id, left.Id] });
  const feed = await room.add('xml/popfeed', { Campaigns: [own.Id] });
  const { token } = await addUser(room.server, { role: 0 });
  const account = { Mail: 'b@example.com', Name: 'B', Country: 'DE' };
  const publisher = await addOfOtherTeam(token, 'publisher', 'Publisher', { ...account, Username: 'pub2' });
  const advertiser = await addOfOtherTeam(token, 'advertiser', 'Advertiser', {
    ...account,
    Username: 'adv2',
  });
  const others = {
    otherTag: await addOfOtherTeam(token, 'bannerep', 'BannerEp', { PublisherId: publisher }),
    otherFilm: await addOfOtherTeam(token, 'campaign', 'Campaign', { ...film, AdvertiserId: advertiser }),
  };
  const named = { own: own.Id, left: left.Id, tag: tag.Id, feed: feed.Id, ...others };
  for (const [name, id] of Object.entries(named)) ids.set(name, id);
  // What was disconnected and switched off since an ad was served is what it was for that ad. These changes come last:
  // the room waits for what its own team wrote.
  await room.call('bannerep/update', { BannerEp: { Id: tag.Id, Campaigns: [own.Id] } });
  await room.call('campaign/deactivate', { Campaign: { Id: left.Id } });
  await room.served();
});
after(async () => {
  await store.close();
  await room.close();
});

interface Case {
  readonly name: string;
  readonly supply: string;
  readonly demand: string;
  readonly promises?: readonly string[];
  /** Its status, and whether the demand object counts an impression. */
  readonly expected: readonly [status: number, counted: boolean];
}
const cases: readonly Case[] = [
  { name: 'connected objects', supply: 'tag', demand: 'own', expected: [200, true] },
  { name: 'objects that are connected no more', supply: 'tag', demand: 'left', expected: [200, true] },
  { name: 'demand of another team', supply: 'tag', demand: 'otherFilm', expected: [200, false] },
  { name: 'supply of another team', supply: 'otherTag', demand: 'own', expected: [200, false] },
  { name: 'a promise of another team', supply: 'tag', demand: 'own', promises: ['own', 'otherFilm'], expected: [200, false] },
  { name: 'supply that is not known', supply: 'none', demand: 'own', expected: [503, false] },
  { name: 'demand that is not known', supply: 'tag', demand: 'none', expected: [503, false] },
  { name: 'a promise of nobody known', supply: 'tag', demand: 'own', promises: ['none'], expected: [503, false] },
]; // biome-ignore format: a table

/** What a token says of an ad that nobody was served. */
function adOf({ supply, demand, promises = [] }: Case, kind: 'BannerEp' | 'PopFeed'): TrackedAd {
  const nowMs = Date.now();
  return {
    auctionId: randomUUID(),
    supply: { kind, id: kind === 'PopFeed' && supply === 'tag' ? idOf('feed') : idOf(supply) },
    demand: { kind: 'Campaign', id: idOf(demand) },
    clearingCpmMicros: 4_000_000,
    payoutCpmMicros: 2_000_000,
    multiplierMillionths: 1_000_000,
    auctionMs: nowMs,
    expiresMs: nowMs + 600_000,
    standsUntilMs: 0,
    subId: '',
    place: 'news.example',
    isApp: false,
    ip: '',
    userAgentHash: 0,
    traffic: {
      country: '',
      deviceType: 0,
      os: '',
      browser: '',
      medium: 'banner',
      size: '',
      region: '',
      consent: '',
    },
    facts: { seat: '', adDomain: '', creative: '', deal: '' },
    billingNotice: '',
    winNotice: '',
    lossNotice: '',
    offer: '',
    landing: kind === 'PopFeed' ? 'https://brand.example/' : '',
    isRefererChecked: false,
    isFallback: false,
    promises: promises.map((name) => ({ kind: 'Campaign', id: idOf(name), nanos: 1, isAtAddress: false })),
    localRates: [],
    floors: [],
  };
}

async function impressionsOf(kind: string, id: number): Promise<number> {
  await room.server.flush();
  const today = dayOf(Date.now());
  const rows = await store.statistics.days(kind, [id], { fromDay: today - 1, toDay: today });
  return rows.reduce((sum, { counts }) => sum + counts.impressions, 0);
}

describe('a token that we have made, but never for an ad, counts only what could have been served:', () => {
  for (const one of cases) {
    const [status, counted] = one.expected;
    test(`${one.name}, by its pixel`, async () => {
      const ad = adOf(one, 'BannerEp');
      const before = await impressionsOf('Campaign', ad.demand.id);
      const url = `${room.server.url}/track/impression?t=${tokens.sign('markup', ad)}`;
      assert.equal((await ask(url)).status, status);
      assert.equal((await impressionsOf('Campaign', ad.demand.id)) - before, Number(counted));
    });

    if (one.supply === 'otherTag') continue;
    test(`${one.name}, by a pop's click`, async () => {
      const ad = adOf(one, 'PopFeed');
      const before = await impressionsOf('Campaign', ad.demand.id);
      const answer = await ask(`${room.server.url}/click/${tokens.sign('click', ad)}`);
      assert.equal(answer.headers.location, counted ? ad.landing : undefined);
      assert.equal((await impressionsOf('Campaign', ad.demand.id)) - before, Number(counted));
    });
  }

  test('which the log tells of', () => {
    assert.ok(logged.some((line) => line.includes('joins objects of several teams')));
  });
});

test('an ad counts in other currencies at the rates that its token carries, whatever is known now', async () => {
  const localRates = [
    { side: 'supply', currency: 'EUR', usdPerUnit: 2 },
    { side: 'demand', currency: 'JPY', usdPerUnit: 0.005 },
  ] as const;
  const sold: Case = { name: 'sold', supply: 'tag', demand: 'own', expected: [200, true] };
  const ad = { ...adOf(sold, 'BannerEp'), localRates };
  await ask(`${room.server.url}/track/impression?t=${tokens.sign('markup', ad)}`);
  await room.server.flush();
  const { Rows } = await room.call('statistics/report', {
    ...({ Period: 'Today', GroupBy: ['Currency'] } as const),
    Measures: ['Cost', 'LocalCost', 'Revenue', 'LocalRevenue'],
  });
  const figures = new Map((Rows as Values[]).map(({ Currency, ...row }) => [Currency, row]));
  const [Cost, Revenue] = [ad.payoutCpmMicros / 1e9, ad.clearingCpmMicros / 1e9];
  assert.ok(Cost > 0 && Revenue > 0);
  assert.deepEqual(figures.get('EUR'), { Cost, LocalCost: Cost / 2, Revenue: 0, LocalRevenue: 0 });
  assert.deepEqual(figures.get('JPY'), { Cost: 0, LocalCost: 0, Revenue, LocalRevenue: Revenue * 200 });
});

const unreadable: readonly (readonly [name: string, change: (token: string) => string, status: number])[] = [
  ['of the version after the newest that is known', (token) => `CQ${token.slice(2)}`, 503],
  ['of a version that nobody can have written', (token) => `_w${token.slice(2)}`, 200],
];
for (const [name, change, status] of unreadable) {
  test(`a token ${name} is answered with ${status}, and the same token goes on counting`, async () => {
    const ad = adOf({ name, supply: 'tag', demand: 'own', expected: [status, false] }, 'BannerEp');
    const before = await impressionsOf('Campaign', ad.demand.id);
    const token = tokens.sign('markup', ad);
    const url = `${room.server.url}/track/impression?t=`;
    assert.equal((await ask(url + change(token))).status, status);
    assert.equal((await ask(url + token)).status, 200);
    assert.equal((await impressionsOf('Campaign', ad.demand.id)) - before, 1);
  });
}
