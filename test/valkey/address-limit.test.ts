import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type ExchangeRoom, furnish, type Values } from '../exchange/exchange-room.ts';
import { film } from '../exchange/vast-room.ts';
import { skipWithout } from '../support/debian-tools.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const limit = 2;
const servedBy = 3;
/** Each round, a new address asks each server so many times at once: the first, 201 times in all. */
const rounds = [67, ...Array.from({ length: 10 }, () => 3)];

interface Case {
  readonly name: string;
  readonly supply?: Values;
  readonly demand?: Values;
  /** Of a second campaign, which has no limit and bids less. */
  readonly hasNext?: boolean;
}

const cases: readonly Case[] = [
  { name: 'a campaign', demand: { ImpressionsLimitPerIp: limit } },
  {
    name: 'a campaign by its FrequencyCap',
    demand: { FrequencyCap: limit, FrequencyHours: 24, FrequencyKey: 2 },
  },
  { name: 'a tag', supply: { ImpressionsLimitPerIp: limit } },
  {
    name: 'a campaign and its tag',
    supply: { ImpressionsLimitPerIp: limit },
    demand: { ImpressionsLimitPerIp: limit },
  },
  { name: 'a campaign before another', demand: { ImpressionsLimitPerIp: limit }, hasNext: true },
  {
    name: 'a campaign with a fallback',
    supply: { Waterfall: 1 },
    demand: { ImpressionsLimitPerIp: limit },
    hasNext: true,
  },
];

describe('impressions of an address at three servers of a region, asked at once', {
  skip: skipWithout('redis-server'),
}, () => {
  let postgres: PostgresServer;
  let redis: TestRedis;
  const servers: TestServer[] = [];
  let room: ExchangeRoom;
  let addresses = 0;
  before(async () => {
    [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
    const databaseUrl = await postgres.freshDatabase();
    for (let count = 0; count < servedBy; count += 1) {
      const changes = { databaseUrl, valkeyUrl: redis.address, trustedProxies: 1, allowPrivateDemand: true };
      servers.push(await startTestServer(changes));
    }
    room = await furnish(servers[0] as TestServer);
  });
  after(async () => {
    for (const server of servers) await server.close();
    await redis.remove();
    await postgres.remove();
  });

  /** Which ad each of them hands out to a player at the address, all asked at once. */
  const askAll = async (path: string, address: string, asked: number) => {
    const answers = servers.flatMap(({ url }) =>
      Array.from({ length: asked }, async () => {
        const answer = await fetch(url + path, { headers: { 'x-forwarded-for': address } });
        const text = await answer.text();
        const [tracker = ''] = /\/track\/impression\?t=[\w.:~-]+/.exec(text) ?? [];
        return { tracker, isLimited: text.includes('/limited.mp4') };
      }),
    );
    return Promise.all(answers);
  };
  const show = async (trackers: readonly string[], round: number) => {
    const shown = trackers.map((tracker, index) =>
      fetch(`${servers[(round + index) % servers.length]?.url}${tracker}`),
    );
    for (const { status } of await Promise.all(shown)) assert.equal(status, 200);
  };

  for (const { name, supply, demand, hasNext = false } of cases) {
    test(`${name}: never more than it allows, and exactly that in the end`, async () => {
      const first = await room.add('campaign', {
        ...film,
        MediaUrl: 'https://cdn.example/limited.mp4',
        ...demand,
      });
      const next = hasNext ? [await room.add('campaign', { ...film, Cpm: film.Cpm - 1 })] : [];
      const Campaigns = [first, ...next].map(({ Id }) => Id);
      const tag = await room.add('ortb/vasttag', { Bidfloor: 1, Tmax: 1000, Campaigns, ...supply });
      const [{ ZoneUrl = '' } = {}] = tag.ZoneUrls as readonly { readonly ZoneUrl?: string }[];
      const { pathname, search } = new URL(ZoneUrl);
      await room.served();
      const revision = (await room.call('exchange/status')).Threads as readonly number[];
      const headers = { authorization: `Bearer ${room.server.token}` };
      for (const { url } of servers)
        await fetch(`${url}/api/exchange/status?Revision=${revision[0]}`, { headers });
      const seen: number[] = [];
      for (const [round, asked] of rounds.entries()) {
        addresses += 1;
        const address = `198.51.100.${addresses}`;
        const ads = await askAll(pathname + search, address, asked);
        const limited = ads.filter(({ isLimited }) => isLimited);
        seen.push(limited.length);
        if (hasNext)
          assert.ok(
            ads.every(({ tracker }) => tracker !== ''),
            'the next one wins',
          );
        else assert.equal(ads.filter(({ tracker }) => tracker !== '').length, limited.length);
        await show(
          limited.map(({ tracker }) => tracker),
          round,
        );
        const again = await askAll(pathname + search, address, asked);
        assert.equal(again.filter(({ isLimited }) => isLimited).length, 0);
      }
      assert.deepEqual(
        seen,
        rounds.map(() => limit),
      );
    });
  }
});
