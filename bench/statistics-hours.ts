import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { unknownTraffic } from '../src/reference/cubes.ts';
import { seededRandom } from '../src/simulation/random.ts';
import type { CountedName } from '../src/statistics/counter-rows.ts';
import { dayMs, dayOf } from '../src/statistics/days.ts';
import type { CountedPart, Pair } from '../src/statistics/events.ts';
import { inTurn, median } from './speed.ts';

/**
 * What counts by quarter hour and country, device, size and site cost: `node bench/statistics-hours.ts`. First rows and
 * bytes on SQLite of one supply object with four demand objects, by the size of its traffic; then, with `--against
 * <folder>` of another checkout with its `node_modules`, the processor time of counting and of storing in turns.
 */
const { values } = parseArgs({
  options: { against: { type: 'string' }, rounds: { type: 'string', default: '7' } },
});
const own = join(import.meta.dirname, '..');
const midnightMs = dayOf(Date.now()) * dayMs - dayMs;
const quartersPerDay = 96;
const keptDays = 31;
const met = 4;

/** A team's auctions: a long tail of countries and sites, most of them in the evening. */
const countries = Array.from({ length: 60 }, (_, at) =>
  String.fromCharCode(65 + Math.floor(at / 26), 65 + (at % 26)),
);
const sites = Array.from({ length: 400 }, (_, at) => `site${at}.example`);
const sizes = ['300x250', '320x50', '728x90', '160x600', '640x360'];
/** Phones, computers, tablets and TVs, of a hundred. */
const devices = [...Array(62).fill(4), ...Array(30).fill(2), ...Array(5).fill(5), ...Array(3).fill(3)];
const random = seededRandom(1);
const tail = <T>(from: readonly T[], steepness: number): T =>
  from[Math.floor(from.length * random() ** steepness)] as T;

const traffic = () => ({
  ...unknownTraffic,
  country: tail(countries, 5),
  deviceType: tail(devices as readonly number[], 1),
  os: tail(['Android', 'iOS', 'Windows'], 1),
  browser: tail(['Chrome', 'Safari'], 1),
  medium: 'banner',
  size: tail(sizes, 2),
  site: tail(sites, 5),
  region: 'us-east',
  consent: 'given' as const,
});

function partsOf(supply: number): readonly CountedPart<CountedName>[] {
  const demands = Array.from({ length: met }, (_, at) => ({ kind: 'Campaign', id: supply * met + at }));
  return [
    {
      demand: undefined,
      counts: [
        ['requests', 1],
        ['opportunities', 1],
      ],
    },
    ...demands.map((demand): CountedPart<CountedName> => {
      const isShown = random() < 0.1;
      const counts: CountedPart<CountedName>['counts'] = [
        ['requests', 1],
        ['calls', 1],
        ['answers', 1],
        ...(random() < 0.4 ? ([['bids', 1]] as const) : []),
        ...(isShown ? ([['impressions', 1] as const, ['revenueNanos', 2_000_000] as const] as const) : []),
      ];
      return { demand, counts };
    }),
  ];
}

async function loadFrom(checkout: string) {
  const at = (path: string) => import(join(checkout, 'src', path));
  const [counters, top, pending, records, stores]: [
    typeof import('../src/statistics/counters.ts'),
    typeof import('../src/statistics/top-values.ts'),
    typeof import('../src/statistics/pending-counts.ts'),
    typeof import('../src/statistics/event-records.ts'),
    typeof import('../src/store/open-store.ts'),
  ] = await Promise.all([
    at('statistics/counters.ts'),
    at('statistics/top-values.ts'),
    at('statistics/pending-counts.ts'),
    at('statistics/event-records.ts'),
    at('store/open-store.ts'),
  ]);
  return { ...counters, ...top, ...pending, ...records, ...stores };
}

/** Counts as a server does, and stores what a flush takes when it is told to. */
async function openCounting(checkout: string, folder: string) {
  const code = await loadFrom(checkout);
  const path = join(folder, 'bourse.db');
  const store = await code.openStore({ url: `sqlite:${path}`, now: () => midnightMs });
  const counters = code.createCounters(code.createTopValues());
  const spent = { countUs: 0, storeUs: 0 };
  const timed = async (what: keyof typeof spent, run: () => unknown) => {
    const start = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(start);
    spent[what] += user + system;
  };
  return {
    path,
    spent,
    store,
    auctions: (
      auctions: readonly (readonly [
        Omit<Pair, 'demand' | 'ad'>,
        readonly CountedPart<CountedName>[],
        number,
      ])[],
    ) =>
      timed('countUs', () => {
        for (const [of, parts, timeMs] of auctions) counters.count(of, parts, timeMs);
      }),
    flush: () =>
      timed('storeUs', async () => {
        for (const lot of code.splitCounts(counters.take(0))) {
          const recorded = code.readEventRecord(code.batchRecord(lot));
          if (recorded.kind === 'lot') await store.statistics.add([{ ...recorded.lot, timeMs: midnightMs }]);
        }
      }),
  };
}

const auctionOf = (supply: number, timeMs: number) =>
  [
    { supply: { kind: 'BannerTag', id: supply }, subId: '', traffic: traffic() },
    partsOf(supply),
    timeMs,
  ] as const;

/** More of them in the evening than at night. */
const shareOf = (quarter: number) =>
  (1 - 0.7 * Math.cos((2 * Math.PI * quarter) / quartersPerDay)) / quartersPerDay;

const tables = [
  'team_audience',
  'supply_country',
  'supply_device',
  'size',
  'supply_site',
  'demand_country',
  'demand_device',
];

async function countSizes(auctionsPerDay: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-bench-'));
  const counting = await openCounting(own, folder);
  for (let quarter = 0; quarter < quartersPerDay; quarter += 1) {
    const timeMs = midnightMs + (quarter * dayMs) / quartersPerDay;
    const auctions = Math.round(auctionsPerDay * shareOf(quarter));
    await counting.auctions(Array.from({ length: auctions }, () => auctionOf(1, timeMs)));
    await counting.flush();
  }
  await counting.store.close();
  const database = new DatabaseSync(counting.path);
  const has = database.prepare('select 1 from sqlite_master where name = ?');
  console.log(
    `\na supply object with ${auctionsPerDay.toLocaleString('en')} auctions a day, ${met} demand objects`,
  );
  for (const name of tables) {
    for (const grain of ['quarter', 'day']) {
      const table = `cube_${name}_${grain}`;
      if (!has.get(table)) continue;
      const rows = Number(database.prepare(`select count(*) as n from ${table}`).get()?.n);
      const bytes = Number(
        database.prepare('select sum(pgsize) as n from dbstat where name = ?').get(table)?.n ?? 0,
      );
      const { n: hours } = database
        .prepare(
          `select count(*) as n from (select distinct slot / 4, ${keysOf(database, table)} from ${table})`,
        )
        .get() ?? { n: 0 };
      const byHour = grain === 'quarter' ? `; by the hour it would be ${hours} rows` : '';
      console.log(
        `${table}: ${rows} rows a day, ${(bytes / 1000).toFixed(0)} KB, ${(bytes / rows).toFixed(0)} bytes a row; ${((bytes * keptDays) / 1e6).toFixed(1)} MB in ${keptDays} days${byHour}`,
      );
    }
  }
  database.close();
  rmSync(folder, { recursive: true, force: true });
}

const keysOf = (database: DatabaseSync, table: string) =>
  database
    .prepare(`select name from pragma_table_info('${table}') where pk > 0 and name <> 'slot'`)
    .all()
    .map(({ name }) => name)
    .join();

const supplies = 100;
const perFlush = 1000;
const flushes = 10;

async function compareCosts(against: string, rounds: number): Promise<void> {
  const folders = [own, against].map(() => mkdtempSync(join(tmpdir(), 'bourse-bench-')));
  const [mine, other] = await Promise.all(
    [own, against].map((checkout, at) => openCounting(checkout, folders[at] as string)),
  );
  if (!mine || !other) return;
  let second = 0;
  const round = (counting: typeof mine) => async () => {
    Object.assign(counting.spent, { countUs: 0, storeUs: 0 });
    for (let flush = 0; flush < flushes; flush += 1) {
      // Each of a new minute, so that quarter hours begin now and then.
      second += 60;
      const timeMs = midnightMs + 1000 * second;
      await counting.auctions(
        Array.from({ length: perFlush }, () => auctionOf(1 + Math.floor(random() * supplies), timeMs)),
      );
      await counting.flush();
    }
    return { ...counting.spent };
  };
  const results = await inTurn({ mine: round(mine), other: round(other) }, rounds);
  for (const [name, what] of [
    ['counting an auction in memory', 'countUs'],
    ['storing what was counted', 'storeUs'],
  ] as const) {
    const ratios = results.mine.map((one, at) => one[what] / (results.other[at]?.[what] ?? Number.NaN));
    const us = (of: readonly (typeof mine.spent)[]) =>
      (median(of.map((one) => one[what])) / (flushes * perFlush)).toFixed(1);
    console.log(
      `${name}: ${us(results.mine)} µs an auction, ${us(results.other)} there; ${median(ratios).toFixed(2)} times (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`,
    );
  }
  await Promise.all([mine, other].map(({ store }) => store.close()));
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

if (values.against === undefined) for (const auctions of [1000, 50_000, 500_000]) await countSizes(auctions);
else await compareCosts(values.against, Number(values.rounds));
