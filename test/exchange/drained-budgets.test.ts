import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type SpawnedServer, spawnServer } from '../spawned-server.ts';
import { freshDatabaseAt } from '../support/postgres.ts';
import { tokenOf } from '../support/server.ts';
import { type ExchangeRoom, furnish, type Stored, todays, type Values, zoneUrl } from './exchange-room.ts';
import { type MockDsp, startMockDsp, vastAd } from './mock-dsp.ts';
import { bannerImp, requestOf } from './rtb-room.ts';
import { film } from './vast-room.ts';

const bourse = fileURLToPath(new URL('../../bin/bourse.js', import.meta.url));
const mail = 'ada@example.com';
const password = 'correct horse battery';
/** A CPM at which an ad costs 1 USD, both the advertiser and for the publisher, who is paid the floor. */
const Cpm = 1000;
const Bidfloor = Cpm;
const adsUsually = 150;
const atOnce = 200;

interface Case {
  readonly name: string;
  readonly supply: readonly [path: string, values: Values];
  readonly demand: readonly [path: string, values: Values];
  /** Under which alone the demand may buy. */
  readonly deal?: Values;
  /** How many ads are collected, before a kill -9 and after it. */
  readonly ads?: number;
  /** Ads that may be billed. */
  readonly billed: number;
}
const banner = { ...film, Type: 2, Html: '<p>Hi</p>', Width: 300, Height: 250, Cpm };
const open = { Bidfloor, Tmax: 5000 };
/** Out of reach but under a deal. */
const dear = { ...open, Bidfloor: 2 * Cpm };
const cases: readonly Case[] = [
  {
    name: 'SpendDailyLimit of a campaign',
    supply: ['ortb/vasttag', open],
    demand: ['campaign', { ...film, Cpm, SpendDailyLimit: 20 }],
    ads: 750,
    billed: 20,
  },
  {
    name: 'SpendTotalLimit of a campaign',
    supply: ['ortb/vasttag', open],
    demand: ['campaign', { ...film, Cpm, SpendTotalLimit: 20.5 }],
    billed: 20,
  },
  {
    name: 'RevenueDailyLimit of a DSP VAST Tag',
    supply: ['ortb/vasttag', open],
    demand: ['ortb/dspvasttag', { FixedCpm: Cpm, RevenueDailyLimit: 20 }],
    billed: 20,
  },
  {
    name: 'ImpressionsTotalLimit of a DSP VAST Tag',
    supply: ['ortb/vasttag', open],
    demand: ['ortb/dspvasttag', { FixedCpm: Cpm, ImpressionsTotalLimit: 20 }],
    billed: 20,
  },
  {
    name: 'SpentDailyLimit of a VAST Tag',
    supply: ['ortb/vasttag', { ...open, SpentDailyLimit: 20 }],
    demand: ['campaign', { ...film, Cpm }],
    billed: 20,
  },
  {
    name: 'SpendDailyLimit of a campaign that is offered',
    supply: ['ortb/rtbep', { BannerEnabled: 1 }],
    demand: ['campaign', { ...banner, SpendDailyLimit: 20 }],
    billed: 20,
  },
  {
    name: 'SpentDailyLimit of an RTB EP',
    supply: ['ortb/rtbep', { BannerEnabled: 1, SpentDailyLimit: 20 }],
    demand: ['campaign', banner],
    billed: 20,
  },
  {
    name: 'ImpressionsLimitPerIp of a campaign',
    supply: ['ortb/vasttag', open],
    demand: ['campaign', { ...film, Cpm, ImpressionsLimitPerIp: 3 }],
    billed: 3,
  },
  {
    name: 'ImpressionsLimitPerIp of a VAST Tag',
    supply: ['ortb/vasttag', { ...open, ImpressionsLimitPerIp: 3 }],
    demand: ['campaign', { ...film, Cpm }],
    billed: 3,
  },
  {
    name: 'FrequencyCap of a campaign',
    supply: ['ortb/vasttag', open],
    demand: ['campaign', { ...film, Cpm, FrequencyCap: 3, FrequencyHours: 1, FrequencyKey: 2 }],
    billed: 3,
  },
  {
    name: 'FrequencyCap of an RTB EP whose campaign has one, too',
    supply: ['ortb/rtbep', { BannerEnabled: 1, FrequencyCap: 4, FrequencyKey: 2 }],
    demand: ['campaign', { ...banner, FrequencyCap: 3, FrequencyHours: 48, FrequencyKey: 2 }],
    billed: 3,
  },
  {
    name: 'FrequencyMinMinutes of a VAST Tag',
    supply: ['ortb/vasttag', { ...open, FrequencyMinMinutes: 60, FrequencyKey: 2 }],
    demand: ['campaign', { ...film, Cpm }],
    billed: 1,
  },
  ...[
    { name: 'FrequencyCap of a deal', deal: { FrequencyCap: 3, FrequencyKey: 2 }, billed: 3 },
    { name: 'Units of a deal', deal: { Units: 20 }, billed: 20 },
    { name: 'TotalCost of a guaranteed deal', deal: { Type: 4, TotalCost: 20.5 }, billed: 20 },
    { name: 'RevenueDailyLimit of a deal', deal: { RevenueDailyLimit: 20 }, billed: 20 },
    { name: 'ImpressionsLimitPerIp of a deal', deal: { ImpressionsLimitPerIp: 3 }, billed: 3 },
  ].map((row): Case => ({ ...row, supply: ['ortb/vasttag', dear], demand: ['campaign', { ...film, Cpm }] })),
];

/** Does something for each value, some at once. */
async function forEach<T>(values: readonly T[], step: (value: T) => Promise<void>): Promise<void> {
  const left = [...values];
  const work = async () => {
    while (left.length > 0) await step(left.pop() as T);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

const bidRequest = JSON.stringify(requestOf([{ ...bannerImp, bidfloor: Bidfloor }]));
/** Whatever bills an ad that a supply object answers: the impression's tracker of VAST, the `nurl` of a bid. */
async function billingUrls(supply: Stored, server: string): Promise<readonly string[]> {
  const { pathname, search } = new URL(zoneUrl(supply));
  const url = `${server}${pathname}${search}`;
  if (pathname === '/vast') {
    const text = await (await fetch(url, { headers: { connection: 'close' } })).text();
    return text.match(/\/track\/impression\?t=[\w.:~-]+/g) ?? [];
  }
  const answer = await fetch(url, { method: 'POST', body: bidRequest });
  const text = await answer.text();
  return text.match(/\/track\/win\?t=[\w.:~-]+/g) ?? [];
}

for (const threads of [1, 2]) {
  describe(`whoever collects ads and then calls their pixels, at --threads ${threads}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'bourse-budgets-'));
    let databaseUrl = `sqlite:${join(folder, 'bourse.db')}`;
    let spawned: SpawnedServer;
    let room: ExchangeRoom;
    let dsp: MockDsp;
    const supplies: Stored[] = [];
    const collected: string[] = [];

    const start = () => {
      const env = {
        ...process.env,
        BOURSE_DATABASE_URL: databaseUrl,
        BOURSE_ADMIN_MAIL: mail,
        BOURSE_ADMIN_PASSWORD: password,
        BOURSE_OUTBOX: join(folder, 'outbox'),
        BOURSE_PORT: '0',
        BOURSE_HOST: '127.0.0.1',
        BOURSE_ALLOW_PRIVATE_DEMAND: '1',
      };
      return spawnServer(process.execPath, [bourse, 'serve', '--threads', String(threads)], { env });
    };
    const kill = async () => {
      spawned.process.kill('SIGKILL');
      await spawned.ended;
    };
    const collect = async () => {
      for (const [index, { ads = adsUsually }] of cases.entries()) {
        const supply = supplies[index] ?? assert.fail();
        await forEach(Array.from({ length: ads }), async () => {
          collected.push(...(await billingUrls(supply, spawned.url)));
        });
      }
    };
    const counted = (index: number, times: number) => {
      const { port } = new URL(spawned.url);
      const StatsByDateJson = todays(supplies[index]?.StatsByDateJson).replace(/:\d+/, `:${port}`);
      const requests = times * (cases[index]?.ads ?? adsUsually);
      return room.statistics({ StatsByDateJson }, ({ Requests }) => Requests === requests);
    };

    before(async () => {
      const postgres = process.env.BOURSE_TEST_POSTGRES;
      if (postgres !== undefined) databaseUrl = await freshDatabaseAt(postgres);
      dsp = await startMockDsp();
      dsp.answer('/ad', () => ({ body: vastAd() }));
      spawned = await start();
      const { url } = spawned;
      const token = await tokenOf(url, mail, password);
      room = await furnish({ url, token, mail, password, databaseUrl, close: async () => undefined });
      for (const { supply, demand, deal, name } of cases) {
        const zone = demand[0] === 'ortb/dspvasttag' ? { ZoneUrlUsEast: `${dsp.url}/ad` } : {};
        const { Id } = await room.add(demand[0], { ...demand[1], ...zone });
        const connected = demand[0] === 'campaign' ? { Campaigns: [Id] } : { DspVastTags: [Id] };
        const added = await room.add(supply[0], { ...supply[1], ...connected });
        supplies.push(added);
        if (deal) await room.add('deal', { ...deal, Code: name, VastTags: [added.Id], Campaigns: [Id] });
      }
      await room.served();
    });
    after(async () => {
      await kill();
      await dsp.close();
      rmSync(folder, { recursive: true, force: true });
    });

    test('some of them before a kill -9 and some after', async () => {
      await collect();
      // What was promised is stored with the requests, within a second or two.
      for (const index of cases.keys()) await counted(index, 1);
      await kill();
      spawned = await start();
      await collect();
      await forEach(collected, async (path) => {
        assert.equal((await fetch(`${spawned.url}${path}`)).status, 200);
      });
      // A stop in order counts all.
      spawned.process.kill('SIGTERM');
      await spawned.ended;
      spawned = await start();
    });

    for (const [index, { name, billed }] of cases.entries()) {
      test(`${name}: ${billed} are billed, and no more`, async () => {
        const { Bills, Spent } = await counted(index, 2);
        assert.deepEqual([Bills, Spent], [billed, billed]);
      });
    }
  });
}
