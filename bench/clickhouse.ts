import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClickHouse } from '../src/analytics/clickhouse.ts';
import { factRecords, newLot } from '../src/analytics/fact-record.ts';
import { createOutboxWriter } from '../src/outbox/outbox-writer.ts';
import { readClickHouseUrl } from '../src/reference/clickhouse-address.ts';
import { runReport } from '../src/statistics/asking/run-report.ts';
import { dayMs, dayOf } from '../src/statistics/days.ts';
import type { CountedPart } from '../src/statistics/events.ts';
import { createFactRecorder } from '../src/statistics/fact-recorder.ts';
import { standardKeptDays } from '../src/statistics/forgetting.ts';
import { openStore } from '../src/store/open-store.ts';
import { startClickHouse } from '../test/clickhouse/clickhouse-engine.ts';
import { isAbsent } from '../test/clickhouse/engine-folder.ts';
import { median } from './speed.ts';

/**
 * Reports on ClickHouse's engine with two threads: `npm run bench:statistics -- --clickhouse <millions of rows>`. A
 * quarter of the rows are auctions, the others demand objects in them: 500 supply objects, each with four demand objects,
 * over 30 days.
 */
const days = 30;
const runs = 5;
const targetMs = 1000;
const rowsPerInsert = 5_000_000;
const lastDay = dayOf(Date.now());
const firstMs = (lastDay - days) * dayMs;

const oneOf = (values: readonly (string | number)[], salt: number) =>
  `[${values.map((value) => (typeof value === 'string' ? `'${value}'` : value)).join()}][1 + intHash32(a + ${salt}) % ${values.length}]`;

/** Rows of auctions whose facts follow from their number; those of one auction come one after the other. */
const filling = (from: number, until: number, rows: number) => `INSERT INTO bourse_fact
  (time, team_id, publisher_id, supply_kind, supply_id, advertiser_id, demand_kind, demand_id, country, device_type, os,
   browser, medium, size, site, region, lot, requests, opportunities, calls, answers, latency50, latency100, bids, bid_nanos,
   wins, impressions, revenue_nanos, spent_nanos)
  WITH intDiv(number, 4) AS a, number % 4 AS d, 1 + intHash32(a) % 500 AS s, d > 0 AS called,
    called AND intHash32(a + 31) % 10 = 0 AND d = 1 AS shown
  SELECT fromUnixTimestamp64Milli(toInt64(${firstMs} + number * ${(days * dayMs) / rows}), 'UTC'), 1, 1 + s % 20, 'VastTag', s,
    if(called, 1 + (s + d) % 20, 0), if(called, 'Campaign', ''), if(called, 1 + (s * 4 + d) % 500, 0),
    ${oneOf(['US', 'DE', 'FR', 'GB', 'IT'], 1)}, ${oneOf([2, 4], 2)}, ${oneOf(['Android', 'iOS', 'Windows'], 3)},
    ${oneOf(['Chrome', 'Safari'], 4)}, 'video', ${oneOf(['640x360', '1280x720'], 5)},
    concat('site', toString(intHash32(a + 6) % 200), '.example'), 'us-east', ${from},
    d = 0, d = 0, called, called, called AND a % 2 = 0, called AND a % 2 = 1, called AND a % 3 = 0,
    if(called AND a % 3 = 0, 1500000 + a % 100000, 0), shown, shown, if(shown, 2000000, 0), if(shown, 1500000, 0)
  FROM numbers(${from}, ${until - from})`;

const groupings = [
  [],
  ['Day'],
  ['Hour'],
  ['Publisher'],
  ['Supply'],
  ['Demand'],
  ['Supply', 'Demand'],
  ['Day', 'Supply'],
  ['Country'],
  ['Country', 'DeviceType'],
  ['Supply', 'Country'],
  ['Demand', 'Country'],
  ['Os', 'Browser'],
  ['Site'],
  ['Publisher', 'Site'],
  ['Os', 'Country'],
  ['Os', 'Site'],
  ['Country', 'Os', 'Browser', 'Demand'],
] as const;

/** Fills the engine, and tells how long reports take. */
export async function benchClickHouse(millions: number): Promise<void> {
  if (isAbsent) return console.log(isAbsent);
  const engine = await startClickHouse();
  const address = readClickHouseUrl(engine.url());
  if (!address) throw new Error('there is no address');
  const options = {
    address,
    keptDays: 400,
    installation: 'bench',
    now: Date.now,
    hasCounted: async () => false,
    setAside: () => undefined,
  };
  const clickHouse = createClickHouse(options);
  try {
    await clickHouse.prepare();
    const rows = millions * 1_000_000;
    const beganMs = performance.now();
    for (let from = 0; from < rows; from += rowsPerInsert) {
      await engine.row(filling(from, Math.min(rows, from + rowsPerInsert), rows));
    }
    await clickHouse.noteSent('bench', Date.now());
    const seconds = (performance.now() - beganMs) / 1000;
    const [bytes] = await engine.row(
      "SELECT toFloat64(sum(bytes_on_disk)) FROM system.parts WHERE active AND table = 'bourse_fact'",
    );
    const perRow = Number(bytes) / rows;
    console.log(
      `${millions} million rows in ${seconds.toFixed(0)} s, ${perRow.toFixed(1)} bytes each with their sums`,
    );
    const ask = () => {
      throw new Error('the cubes were asked');
    };
    const now = { nowMs: Date.now(), keptDays: standardKeptDays, starts: new Map() };
    for (const groups of groupings) {
      const times: number[] = [];
      for (let run = 0; run < runs; run += 1) {
        const startedMs = performance.now();
        await runReport({ ask, analytics: clickHouse.analytics }, questionOf(groups), now);
        times.push(performance.now() - startedMs);
      }
      const name = groups.join(' × ') || 'nothing';
      console.log(`${days} days by ${name}: ${median(times).toFixed(0)} ms (target ${targetMs} ms)`);
    }
  } finally {
    await clickHouse.close();
    await engine.remove();
  }
}

const questionOf = (groups: (typeof groupings)[number]) => ({
  teamId: 1,
  fromMs: firstMs,
  untilMs: lastDay * dayMs,
  zone: 'UTC',
  groups,
  filters: [],
  orderBy: [],
  measures: ['Requests', 'Calls', 'Impressions', 'Revenue'] as const,
  limit: undefined,
  hasTotal: true,
  compareTo: undefined,
});

const ofAll = {
  country: 'DE',
  deviceType: 2,
  os: 'iOS',
  browser: 'Safari',
  medium: 'video',
  size: '640x360',
  region: 'us-east',
  consent: 'not_required' as const,
};
const ofSupply: CountedPart['counts'] = [
  ['requests', 1],
  ['opportunities', 1],
];
const ofDemand: CountedPart['counts'] = [
  ['calls', 1],
  ['answers', 1],
  ['latency50', 1],
  ['bids', 1],
  ['bidNanos', 1_500_000],
];
const auctionsPerTurn = 20_000;
const turns = 12;
const candidates = 10;

/** What keeping auctions singly costs one of ten demand objects, turn by turn with and without it. */
export async function benchOutbox(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-bench-'));
  const store = await openStore({ url: `sqlite:${join(folder, 'bourse.db')}`, now: Date.now });
  const writer = createOutboxWriter({ folder: join(folder, 'outbox'), bytesMax: 2 ** 33 });
  const facts = createFactRecorder({
    statistics: store.statistics,
    sampleOneIn: 1,
    random: Math.random,
    async write(rows) {
      const lotOf = () => newLot(Date.now());
      return (await Promise.all([...factRecords(rows, { lotOf })].map(writer.append))).every(Boolean);
    },
    onFailure: (error) => console.error(error),
  });
  const supply = { kind: 'VastTag', id: 1 };
  const play = (kept: typeof facts | undefined): number => {
    const note = kept ? kept.note : () => undefined;
    const startedMs = performance.now();
    for (let auction = 0; auction < auctionsPerTurn; auction += 1) {
      const traffic = { ...ofAll, site: `site${auction % 200}.example` };
      const timeMs = Date.now();
      const parts: CountedPart[] = [{ demand: undefined, counts: ofSupply }];
      for (let id = 1; id <= candidates; id += 1)
        parts.push({ demand: { kind: 'DspRtbEp', id }, counts: ofDemand });
      note({ supply, subId: '', traffic }, parts, timeMs);
    }
    return performance.now() - startedMs;
  };
  const times = { without: [] as number[], with: [] as number[], written: [] as number[] };
  for (let turn = 0; turn < turns; turn += 1) {
    times.without.push(play(undefined));
    times.with.push(play(facts));
    const startedMs = performance.now();
    await facts.flush();
    times.written.push(performance.now() - startedMs);
  }
  const micros = (ms: readonly number[]) => (1000 * median(ms)) / auctionsPerTurn;
  const noting = micros(times.with) - micros(times.without);
  console.log(
    `an auction of ${candidates} demand objects: ${noting.toFixed(2)} µs to note it, and a second later ${micros(times.written).toFixed(1)} µs in slices to write its ${candidates + 1} rows; without the setting nothing`,
  );
  await writer.close();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
}
