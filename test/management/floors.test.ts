import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Store } from '../../src/store/interface.ts';
import { openStore } from '../../src/store/open-store.ts';
import { ratesRead, today, writeRates } from '../support/rates.ts';
import { startApi, type Values } from './api.ts';
import { assertRefused } from './refusals.ts';

const { server, api } = await startApi();
const dayMs = 86_400_000;
const yesterday = Math.floor(Date.now() / dayMs) - 1;
const date = new Date(yesterday * dayMs).toISOString().slice(0, 10);
let store: Store;

const tag = await api.add('VastTag', { Name: 'much', Bidfloor: 0.5, AuctionType: 2 });
const quiet = await api.add('VastTag', { Name: 'little' });

before(async () => {
  store = await openStore({ url: server.databaseUrl, now: Date.now });
  // At second price each auction earns its floor: others bid nearly nothing.
  const sampleOf = (id: number, hour: number, country: string, price: number) => ({
    kind: 'VastTag',
    id,
    hour: yesterday * 24 + hour,
    country,
    auctions: 1000,
    sampled: Array.from({ length: 16 }, (_, at) => [0, price + at * 10_000, 100]),
  });
  await store.statistics.keepBidSamples('one', [
    ...Array.from({ length: 20 }, (_, hour) => sampleOf(tag.Id, hour, 'US', 2_000_000)),
    ...Array.from({ length: 15 }, (_, hour) => sampleOf(tag.Id, hour, 'DE', 4_000_000)),
    sampleOf(quiet.Id, 3, '', 1_000_000),
  ]);
});
after(() => store.close());

interface Floor {
  readonly Floor: number;
  readonly Revenue: number;
  readonly Low: number;
  readonly High: number;
}
interface Curve {
  readonly AuctionType: number;
  readonly Now: Floor;
  readonly Best: Floor;
  readonly Gain: Floor;
  readonly IsSure: number;
  readonly Summary: string;
  readonly Floors: readonly Floor[];
}
const floors = async (query: string) => {
  const { status, body, text } = await api.get(`/api/figures/floors?${query}`);
  assert.equal(status, 200, text);
  return body as Values & { readonly Prices: readonly Curve[]; readonly Countries: readonly Values[] };
};

test('yesterday by floor: first as the object makes prices, with the best one, its bounds and a sentence', async () => {
  const { Day, Auctions, Sampled, IsEnough, Countries, Prices } = await floors(`Entity=VastTag&Id=${tag.Id}`);
  assert.deepEqual([Day, Auctions, Sampled, IsEnough], [date, 35_000, 560, 1]);
  assert.deepEqual(Countries, [
    { Country: 'US', Auctions: 20_000, Sampled: 320 },
    { Country: 'DE', Auctions: 15_000, Sampled: 240 },
  ]);
  const [second, first] = Prices;
  assert.deepEqual([second?.AuctionType, first?.AuctionType], [2, 1]);
  assert.equal(second?.Now.Floor, 0.5);
  assert.equal(second?.Now.Revenue, 17.5);
  assert.equal(second?.Best.Floor, 2);
  assert.equal(second?.IsSure, 1);
  assert.ok(second && second.Gain.Low > 0 && second.Best.Low <= second.Best.Revenue);
  assert.match(
    second.Summary,
    /^At second price, the current floor, 0\.50 USD CPM, would have earned about \$17\.50/,
  );
  assert.equal(first?.IsSure, 0);
  assert.deepEqual(
    second.Floors.map(({ Floor }) => Floor),
    second.Floors.map(({ Floor }) => Floor).toSorted((one, other) => one - other),
  );
});

test('a country by itself, another day, and too little', async () => {
  const { Auctions, Prices } = await floors(`Entity=VastTag&Id=${tag.Id}&Country=DE&Day=${date}`);
  assert.deepEqual([Auctions, Prices[0]?.Best.Floor], [15_000, 4]);
  for (const query of [`Id=${quiet.Id}`, `Id=${tag.Id}&Country=FR`, `Id=${tag.Id}&Day=2026-01-01`]) {
    const none = await floors(`Entity=VastTag&${query}`);
    assert.deepEqual([none.IsEnough, none.Prices], [0, []], query);
  }
});

test('what cannot be asked says why', async () => {
  const cases: readonly (readonly [query: string, path: string])[] = [
    [`Id=${tag.Id}`, 'Entity'],
    ['Entity=VastTag', 'Id'],
    [`Entity=Campaign&Id=${tag.Id}`, 'Entity'],
    ['Entity=VastTag&Id=999999', 'Id'],
    [`Entity=VastTag&Id=${tag.Id}&Country=de`, 'Country'],
    [`Entity=VastTag&Id=${tag.Id}&Day=yesterday`, 'Day'],
  ];
  for (const [query, path] of cases) {
    const { status, body } = await api.get(`/api/figures/floors?${query}`);
    const { Errors } = body as { Errors: readonly { Path: string }[] };
    assert.deepEqual([status, Errors.map(({ Path }) => Path)], [406, [path]], query);
  }
});

test('a floor in another currency is compared at its current rate', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-rates-'));
  const { server: own, api: other } = await startApi({ ratesFile: writeRates(folder, today()) });
  await ratesRead(own.url);
  const ask = (id: number) => other.get(`/api/figures/floors?Entity=VastTag&Id=${id}`);
  const euro = await other.add('VastTag', { Currency: 'EUR', Bidfloor: 2 });
  assert.equal((await ask(euro.Id)).body.Rate, 1.0857);
  const pound = await other.add('VastTag', { Currency: 'GBP', Bidfloor: 2 });
  assertRefused(await ask(pound.Id), {
    status: 406,
    paths: ['Id'],
    says: [/GBP, which has no current rate/],
  });
  rmSync(folder, { recursive: true });
});
