import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, describe, test } from 'node:test';
import type { CounterName } from '../../src/reference/counters.ts';
import type { MeasureName } from '../../src/reference/measures.ts';
import { runReport } from '../../src/statistics/asking/run-report.ts';
import type { Store } from '../../src/store/interface.ts';
import { openStore } from '../../src/store/open-store.ts';
import { startClickHouse } from '../clickhouse/clickhouse-engine.ts';
import { isAbsent } from '../clickhouse/engine-folder.ts';
import { analyticsConfig, keptOn } from '../clickhouse/kept-singly.ts';
import { killChildren, startChild } from '../store/child.ts';
import { integrityOf, temporaryPath } from '../store/sqlite-engine.ts';
import { newActor, roomOf } from '../store/team-room.ts';
import { type SharedPostgres, sharedPostgres } from '../support/postgres.ts';
import { randomFrom, randomStream, seed } from '../support/seed.ts';
import { day, impression, pairOf, startMs } from './counting.ts';
import {
  assertReported,
  auctionFacts,
  billedMeasures,
  type Fact,
  isDurable,
  keptNow,
  type Market,
  play,
  questionOf,
} from './ledger.ts';
import { loggedSink } from './store-sink.ts';

const rounds = 4;
const processes = 2;
const biller = new URL('./biller-process.ts', import.meta.url);
const pair = pairOf({ kind: 'VastTag', id: 1 }, { kind: 'Campaign', id: 1 });

let postgres: SharedPostgres | undefined;
after(() => postgres?.remove());
afterEach(killChildren);

/** How often each auction was acknowledged. */
type Told = Map<number, number>;

/** Lets a process bill until it has so many answers and is killed; what it said before is told. */
async function billAndKill(
  url: string,
  outbox: string,
  from: number,
  answersMax: number,
  told: Told,
): Promise<void> {
  const child = startChild(biller, [url, String(from), outbox]);
  for (let answers = 0; ; answers += 1) {
    if (answers === answersMax) child.process.kill('SIGKILL');
    const line = await child.line().catch(() => undefined);
    if (line === undefined) break;
    // A line that was cut off by the end of the process tells nothing.
    const [, auction] = /^(\d+) ([01])$/.exec(line) ?? [];
    if (auction !== undefined) told.set(Number(auction), (told.get(Number(auction)) ?? 0) + 1);
  }
  await child.ended;
}

async function killAgainAndAgain(url: string): Promise<void> {
  const outbox = mkdtempSync(join(tmpdir(), 'bourse-outbox-'));
  const random = randomStream();
  const told: Told = new Map();
  let from = 0;
  for (let round = 0; round < rounds; round += 1) {
    // Each begins some auctions before where those of the last round were: what is in doubt comes again.
    const answersMax = 10 + Math.floor(random() * 60);
    const starts = Array.from({ length: processes }, () => billAndKill(url, outbox, from, answersMax, told));
    await Promise.all(starts);
    from = Math.max(0, Math.max(...told.keys()) - 10);
  }
  const store = await openStore({ url, now: Date.now });
  const sink = await loggedSink({ store, outboxFolder: outbox, now: () => startMs });
  const counted = async () => {
    await sink.flush();
    const [row] = await store.statistics.days('VastTag', [1], { fromDay: day, toDay: day });
    return row?.counts.impressions ?? 0;
  };
  const before = await counted();
  assert.ok(before >= told.size, `${told.size} were acknowledged, but ${before} are counted`);
  const again = [...told.keys()].map((auction) => sink.bill(impression(`auction ${auction}`, pair)));
  assert.deepEqual((await Promise.all(again)).filter(Boolean), [], 'an event that was acknowledged was lost');
  // Those that were in doubt: each is brought once more, so that every auction has counted, once.
  const all = Array.from({ length: Math.max(...told.keys()) + 40 }, (_, auction) => auction);
  await Promise.all(all.map((auction) => sink.bill(impression(`auction ${auction}`, pair))));
  await counted();
  const range = { fromDay: day, toDay: day };
  const [row] = await store.statistics.days('VastTag', [1], range);
  const [hour] = await store.statistics.hours(pair.supply, range);
  assert.ok(told.size > rounds * 5);
  for (const counts of [row?.counts, hour?.counts]) {
    assert.equal(counts?.impressions, all.length);
    assert.equal(counts?.revenueNanos, 2000 * all.length);
  }
  await sink.close();
  await store.close();
  rmSync(outbox, { recursive: true });
}

const ledgerProcess = new URL('./ledger-process.ts', import.meta.url);

const flushesMax = 2;

/** Plays auctions in a process until it has flushed twice and is killed; answers how far it came. */
async function playAndKill(url: string, from: number, market: Market, folders: readonly string[]) {
  const child = startChild(ledgerProcess, [
    url,
    String(seed),
    String(from),
    JSON.stringify(market),
    ...folders,
  ]);
  let begun = from;
  let flushed = from;
  for (let left = flushesMax; ; ) {
    const line = await child.line().catch(() => undefined);
    if (line === undefined) break;
    const [, isFlush, auction] = /^(flushed )?(\d+)$/.exec(line) ?? [];
    if (auction === undefined) continue;
    if (!isFlush) begun = Math.max(begun, Number(auction));
    else {
      flushed = Math.max(flushed, Number(auction));
      left -= 1;
    }
    // In the middle of what begins now.
    if (left === 0 && !isFlush) child.process.kill('SIGKILL');
  }
  await child.ended;
  return { begun, flushed };
}

const groupings = [
  ['Day', 'Supply', 'Demand'],
  ['Country', 'Demand'],
  ['Site'],
  ['Os', 'Browser'],
  ['Creative'],
  ['QuarterHour'],
] as const;

/** Asserts that reports have the refusals that the store's cubes have. */
async function assertSameRefusals(
  reported: Store['statistics'],
  cubes: Store['statistics'],
  market: Market,
): Promise<void> {
  const asked = questionOf(market, {
    groups: ['Hour', 'Supply', 'Demand', 'Reason'],
    measures: ['Refusals', 'LostValue'],
  });
  const { rows } = await runReport(cubes, asked, keptNow);
  assert.ok(rows.length > 0);
  assert.deepEqual((await runReport(reported, asked, keptNow)).rows, rows);
}

/** With the URL of a ClickHouse and the folder of an outbox, it answers the reports. */
async function reportsAfterKills(url: string, analyticsUrl?: string): Promise<void> {
  const outbox = mkdtempSync(join(tmpdir(), 'bourse-outbox-'));
  let setUp = await openStore({ url, now: () => startMs });
  const room = roomOf({} as never, setUp, await newActor(setUp));
  const objects = async (kind: string, account: string, field: string) => {
    const owner = await room.add(account, { Name: 'o' });
    return { kind, id: await room.add(kind, { [field]: owner }), owner };
  };
  const market: Market = {
    teamId: room.actor.teamId,
    supplies: [await objects('VastTag', 'Publisher', 'PublisherId')],
    demands: [await objects('Campaign', 'Advertiser', 'AdvertiserId')],
  };
  const factsOf = (auction: number) => auctionFacts(randomFrom(seed + auction), market);
  const sure: Fact[] = [];
  const doubtful: Fact[] = [];
  let from = 0;
  for (let round = 0; round < 3; round += 1) {
    const { begun, flushed } = await playAndKill(
      url,
      from,
      market,
      analyticsUrl === undefined ? [outbox] : [outbox, analyticsUrl],
    );
    for (let auction = from; auction < begun; auction += 1) {
      const counted = factsOf(auction).filter((fact) => !isDurable(fact));
      (auction < flushed ? sure : doubtful).push(...counted);
    }
    from = begun;
  }
  // What was in doubt comes once more: every billable event of every auction that had begun has counted, once.
  const ownCubes = setUp.statistics;
  const now = () => startMs;
  const kept =
    analyticsUrl === undefined
      ? undefined
      : await keptOn(setUp, analyticsConfig(analyticsUrl, outbox), () => keptNow.nowMs);
  const { facts, part } = kept?.kept ?? {};
  const sink = await loggedSink({ store: setUp, outboxFolder: outbox, now, facts, leaveTo: part?.id });
  if (kept) setUp = kept.store;
  const billed = Array.from({ length: from }, (_, auction) => factsOf(auction).filter(isDurable));
  await Promise.all(billed.map((facts, auction) => play(facts, sink, undefined, `auction ${auction}`)));
  await sink.close();
  await kept?.kept.sendAll();
  const measures = billedMeasures;
  for (const groups of groupings) {
    const rows = await assertReported(setUp, market, billed.flat(), questionOf(market, { groups, measures }));
    assert.ok(rows > 0);
  }
  const figuresOf = async (asked: readonly MeasureName[]) => {
    const question = questionOf(market, { groups: [], measures: asked, hasTotal: true });
    return (await runReport(setUp.statistics, question, keptNow)).total?.figures;
  };
  await assertSameRefusals(setUp.statistics, ownCubes, market);
  const figures = { ...(await figuresOf(['Requests', 'Calls', 'Bids'])), ...(await figuresOf(['Refusals'])) };
  const sum = (facts: readonly Fact[], name: CounterName) =>
    facts.reduce((all, { counts }) => all + (counts[name] ?? 0), 0);
  for (const [measure, counter] of [
    ['Requests', 'requests'],
    ['Calls', 'calls'],
    ['Bids', 'bids'],
    ['Refusals', 'refusals'],
  ] as const) {
    const told = figures[measure] ?? 0;
    const least = sum(sure, counter);
    assert.ok(
      told >= least && told <= least + sum(doubtful, counter),
      `${measure}: ${told}, at least ${least}`,
    );
  }
  await setUp.close();
  rmSync(outbox, { recursive: true });
}

describe('kill -9 in the middle of counting: reports have all billable events and money, of other counts all but the last', () => {
  test(`on SQLite (seed ${seed})`, async () => {
    const { path, remove } = temporaryPath();
    await reportsAfterKills(`sqlite:${path}`);
    assert.equal(integrityOf(path), 'ok');
    remove();
  });

  test(`on ClickHouse (seed ${seed})`, { skip: isAbsent }, async () => {
    const { path, remove } = temporaryPath();
    const engine = await startClickHouse();
    await reportsAfterKills(`sqlite:${path}`, engine.url());
    await engine.remove();
    remove();
  });

  test(`on PostgreSQL (seed ${seed})`, async () => {
    postgres ??= await sharedPostgres();
    await reportsAfterKills(await postgres.freshDatabase());
  });
});

describe(`kill -9 of ${processes} processes during a stream of billable events, ${rounds} times`, () => {
  test(`on SQLite: no acknowledged event is lost, none counts twice (seed ${seed})`, async () => {
    const { path, remove } = temporaryPath();
    await killAgainAndAgain(`sqlite:${path}`);
    assert.equal(integrityOf(path), 'ok');
    remove();
  });

  test(`on PostgreSQL: no acknowledged event is lost, none counts twice (seed ${seed})`, async () => {
    postgres ??= await sharedPostgres();
    await killAgainAndAgain(await postgres.freshDatabase());
  });
});
