import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type BourseProcess, bourseProcess, stopped } from '../cli/bourse-process.ts';
import { type ExchangeRoom, furnish, type Stored, zoneUrl } from '../exchange/exchange-room.ts';
import { bidResponse, type MockDsp, startMockDsp, vastAd } from '../exchange/mock-dsp.ts';
import { film } from '../exchange/vast-room.ts';
import type { SpawnedServer } from '../spawned-server.ts';
import { programAt } from '../support/altered-server.ts';
import { eventually } from '../support/eventually.ts';
import { type SharedPostgres, sharedPostgres } from '../support/postgres.ts';
import { tokenOf } from '../support/server.ts';

/** The version that is upgraded from: with a release, its tag. */
const versionBefore = 'e03802715351e50d90dbc67a9de9ed1e3c989471';

const [mail, password] = ['ada@example.com', 'correct horse battery'];
const adsEach = 6;
const cpm = 4;
const folder = programAt(versionBefore);

type Versions = Readonly<Record<'before' | 'now', SpawnedServer>>;

async function killed(server: SpawnedServer): Promise<void> {
  server.process.kill('SIGKILL');
  await server.ended;
}

const at = (url: string, { url: base }: SpawnedServer) => base + url.slice(new URL(url).origin.length);
const trackerIn = (text: string, event: string) =>
  new RegExp(`https?://[\\w.:]+/track/${event}\\?t=[\\w.:~-]+`).exec(text)?.[0];

/** Limits are shared out with the first auctions, which show nothing. */
async function adOf(tag: Stored, server: SpawnedServer): Promise<string> {
  let text = '';
  await eventually(async () => {
    text = await (await fetch(at(zoneUrl(tag), server))).text();
    assert.ok(trackerIn(text, 'impression'), text);
  }, 'there is an ad');
  return text;
}

/** Asks one for ads, and calls each one's trackers at the other, some of them again at the first. */
async function play(tag: Stored, asked: SpawnedServer, called: SpawnedServer): Promise<void> {
  for (let ad = 0; ad < adsEach; ad += 1) {
    const text = await adOf(tag, asked);
    for (const event of ['impression', 'start', 'clicktracking']) {
      const tracker = trackerIn(text, event);
      const servers = ad % 2 === 0 ? [called] : [called, asked, called];
      for (const server of tracker === undefined ? [] : servers)
        assert.equal((await fetch(at(tracker ?? '', server))).status, 200);
    }
  }
}

interface Market {
  readonly room: ExchangeRoom;
  /** Filled by a campaign, and by a DSP. */
  readonly tags: readonly Stored[];
}

async function openMarket(room: ExchangeRoom, dsp: MockDsp): Promise<Market> {
  dsp.answer('/bid', (call) => bidResponse(call, { price: cpm, adm: vastAd(), burl: `${dsp.url}/burl` }));
  const limits = { ImpressionsDailyLimit: 10_000, ImpressionsLimitPerIp: 10_000 };
  const campaign = await room.add('campaign', { ...film, Cpm: cpm, ...limits });
  const bidder = await room.add('ortb/dsprtbep', {
    ZoneUrlUsEast: `${dsp.url}/bid`,
    VideoEnabled: 1,
    ...limits,
  });
  const sold = { PublisherProfitShare: 50, ...limits };
  const tags = [
    await room.add('ortb/vasttag', { Campaigns: [campaign.Id], ...sold }),
    await room.add('ortb/vasttag', { Tmax: 5000, DspRtbEps: [bidder.Id], ...sold }),
  ];
  await room.served();
  return { room, tags };
}

describe('the version before and this one on one database', { skip: !folder && 'no history is here' }, () => {
  const programs = { before: bourseProcess(folder), now: bourseProcess() };
  let postgres: SharedPostgres | undefined;
  before(async () => {
    postgres = await sharedPostgres();
  });
  after(() => postgres?.remove());
  const engines: readonly (readonly [name: string, url: () => Promise<string>])[] = [
    ['SQLite', async () => `sqlite:${programs.before.databasePath}`],
    ['PostgreSQL', async () => (await postgres?.freshDatabase()) ?? assert.fail()],
  ];
  for (const [name, urlOf] of engines) {
    test(`count each acknowledged event once, whoever made its token, and is killed: ${name}`, async (t) => {
      const environment = {
        BOURSE_ADMIN_MAIL: mail,
        BOURSE_ADMIN_PASSWORD: password,
        BOURSE_DATABASE_URL: await urlOf(),
        BOURSE_ALLOW_PRIVATE_DEMAND: '1',
      };
      const serve = (program: BourseProcess, more: NodeJS.ProcessEnv = {}) =>
        program.serve({ ...environment, ...more });
      const again = async (version: keyof Versions) => {
        const { url } = servers[version];
        await killed(servers[version]);
        return { ...servers, [version]: await serve(programs[version], { BOURSE_PORT: new URL(url).port }) };
      };
      const dsp = await startMockDsp();
      t.after(() => dsp.close());
      const first = await serve(programs.before);
      const { url } = first;
      const token = await tokenOf(url, mail, password);
      const close = async () => undefined;
      const databaseUrl = environment.BOURSE_DATABASE_URL;
      const room = await furnish({ url, token, mail, password, databaseUrl, close });
      const { tags } = await openMarket(room, dsp);
      let servers: Versions = { before: first, now: await serve(programs.now) };
      t.after(() => Promise.all(Object.values(servers).map(stopped)));

      let ads = 0;
      const playAll = async () => {
        for (const tag of tags)
          for (const asked of Object.values(servers))
            for (const called of Object.values(servers)) await play(tag, asked, called);
        ads += 4 * adsEach;
      };
      const settle = async () => {
        for (const tag of tags) {
          const row = await room.statistics(tag, ({ Bills }) => Bills === ads);
          assert.deepEqual([row.NetImpressions, row.Bills, row.Spent], [ads, ads, (ads * cpm) / 2 / 1000]);
        }
      };
      await playAll();
      await settle();
      await playAll();
      servers = await again('now');
      await settle();
      await playAll();
      servers = await again('before');
      await settle();
    });
  }
});
