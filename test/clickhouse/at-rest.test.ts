import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { pino } from 'pino';
import { ConfigurationError } from '../../src/config.ts';
import { Refusal } from '../../src/fields/fault.ts';
import { unknownTraffic } from '../../src/reference/cubes.ts';
import { createFactRecorder } from '../../src/statistics/fact-recorder.ts';
import { installationName } from '../../src/store/installation-name.ts';
import type { Store } from '../../src/store/interface.ts';
import { impression, pairOf, startMs } from '../statistics/counting.ts';
import { keptNow } from '../statistics/ledger.ts';
import { loggedSink, storeSink } from '../statistics/store-sink.ts';
import type { TestDatabase } from '../store/engine.ts';
import { sqlite } from '../store/sqlite-engine.ts';
import { newActor, roomOf } from '../store/team-room.ts';
import { pause } from '../support/pause.ts';
import { startClickHouse, type TestClickHouse } from './clickhouse-engine.ts';
import { isAbsent } from './engine-folder.ts';
import { analyticsConfig, type KeptStore, keptOn } from './kept-singly.ts';

const now = () => keptNow.nowMs;
const logged: string[] = [];
const logger = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) });

/** An installation: a database of its own, and an outbox that others may share. */
interface Installation {
  readonly database: TestDatabase;
  readonly opened: Store;
  readonly pair: ReturnType<typeof pairOf>;
  readonly name: string;
}

let folder: string;
const installations: Installation[] = [];
const open = new Set<KeptStore>();

async function install(): Promise<Installation> {
  const database = await sqlite.fresh();
  const opened = await database.open(now);
  const room = roomOf(database, opened, await newActor(opened));
  const owner = await room.add('Publisher', { Name: 'o' });
  const id = await room.add('VastTag', { PublisherId: owner });
  const advertiser = await room.add('Advertiser', { Name: 'o' });
  const demand = await room.add('Campaign', { AdvertiserId: advertiser });
  const pair = pairOf({ kind: 'VastTag', id }, { kind: 'Campaign', id: demand });
  const installation = { database, opened, pair, name: await installationName(opened, 'outbox') };
  installations.push(installation);
  return installation;
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bourse-outbox-'));
});
afterEach(async () => {
  for (const { kept } of open) await kept.close();
  open.clear();
  for (const { opened, database } of installations.splice(0)) {
    await opened.close();
    await database.remove();
  }
  rmSync(folder, { recursive: true, force: true });
  logged.length = 0;
});

describe('ClickHouse', { skip: isAbsent }, () => {
  let engine: TestClickHouse;
  before(async () => {
    engine = await startClickHouse();
  });
  after(() => engine.remove());
  beforeEach(async () => {
    for (const table of ['fact', 'start', 'sent']) await engine.row(`DROP TABLE IF EXISTS bourse_${table}`);
  });

  const keep = async ({ opened }: Installation, more: object = {}) => {
    const kept = await keptOn(opened, { ...analyticsConfig(engine.url(), folder), ...more }, now, logger);
    open.add(kept);
    return kept;
  };
  const end = async (one: KeptStore) => {
    open.delete(one);
    await one.kept.close();
  };
  const refusedIn = async () => {
    const [refusals] = await engine.row('SELECT toUInt32(sum(refusals)) FROM bourse_fact');
    return Number(refusals ?? 0);
  };
  const sumIn = async (column: string) =>
    Number((await engine.row(`SELECT toUInt32(sum(${column})) FROM bourse_fact`))[0]);

  test('has the last refusals without any more traffic', async () => {
    const one = await install();
    const { kept } = await keep(one);
    const sink = await loggedSink({
      store: one.opened,
      outboxFolder: join(folder, 'log'),
      now: () => startMs,
      facts: kept.facts,
      leaveTo: kept.part.id,
    });
    const refused = { count: 1, lostNanos: 7 };
    sink.refuse(one.pair, 'lost', startMs, refused);
    // Others tell what they hold when counts are taken.
    let held = 3;
    sink.onTake(() => {
      if (held > 0) sink.refuse(one.pair, 'timed_out', startMs, { count: held, lostNanos: 0 });
      held = 0;
      return false;
    });
    while ((await refusedIn()) < 4) await pause();
    assert.deepEqual([await refusedIn(), await sumIn('lost_nanos')], [4, 7]);
    await sink.close();
  });

  test('after a kill has the refusals that the store has, and no others', async () => {
    const one = await install();
    const first = await keep(one);
    const sink = storeSink({
      store: one.opened,
      now: () => startMs,
      facts: first.kept.facts,
      leaveTo: first.kept.part.id,
    });
    sink.refuse(one.pair, 'lost', startMs, { count: 5, lostNanos: 9 });
    await sink.flush();
    // In memory alone: lost on both sides.
    sink.refuse(one.pair, 'lost', startMs, { count: 100, lostNanos: 100 });
    const left = await one.opened.statistics.leftFacts(first.kept.part.id, 10);
    assert.equal(left.flatMap(({ facts }) => facts).length, 1);
    // Nobody has fetched them yet: the next process does, once.
    for (const kept of [first, await keep(one)]) await kept.kept.sendAll();
    assert.equal(await refusedIn(), 5);
  });

  test('that is full loses refusals, and says so; billable events wait in the database', async () => {
    const one = await install();
    const { kept } = await keep(one, { outboxMegabytes: 0.0001 });
    const sink = storeSink({
      store: one.opened,
      now: () => startMs,
      facts: kept.facts,
      leaveTo: kept.part.id,
    });
    sink.refuse(one.pair, 'lost', startMs, { count: 5, lostNanos: 9 });
    await sink.flush();
    await kept.sendAll();
    assert.match(logged.join(''), /the outbox accepts no more refusals/);
    assert.deepEqual(await one.opened.statistics.leftFacts(kept.part.id, 10), []);
    const dropped = kept.metrics().find(({ name }) => name === 'bourse_facts_dropped_total');
    assert.equal(dropped?.values[0]?.value, 1);
    await sink.bill(impression('a', one.pair));
    await kept.sendAll();
    assert.equal((await one.opened.statistics.leftFacts(kept.part.id, 10)).length, 1);
  });

  test('takes rows of one installation: a second one is refused by name at its start', async () => {
    const [one, other] = [await install(), await install()];
    const { kept } = await keep(one);
    const sink = storeSink({
      store: one.opened,
      now: () => startMs,
      facts: kept.facts,
      leaveTo: kept.part.id,
    });
    sink.count(one.pair, 'bids', startMs);
    await sink.flush();
    await kept.facts.flush();
    await kept.sendAll();
    assert.deepEqual(
      await engine.row('SELECT installation, toUInt32(sum(bids)) FROM bourse_fact GROUP BY 1'),
      [one.name, 1],
    );
    await assert.rejects(keep(other), (error) => {
      assert.ok(error instanceof ConfigurationError);
      assert.match(error.message, /^BOURSE_ANALYTICS_URL: .*"default" belongs to another installation/);
      assert.ok(error.message.includes(one.name) && error.message.includes(other.name), error.message);
      return true;
    });
    // The first one goes on, also after a restart.
    await keep(one);
  });

  test('that is away at the start refuses a second installation with its first delivery', async () => {
    const [one, other] = [await install(), await install()];
    await end(await keep(one));
    await engine.kill();
    const { kept } = await keep(other);
    const sink = storeSink({
      store: other.opened,
      now: () => startMs,
      facts: kept.facts,
      leaveTo: kept.part.id,
    });
    sink.refuse(other.pair, 'lost', startMs, { count: 5, lostNanos: 9 });
    await sink.flush();
    await engine.start();
    await assert.rejects(kept.sendAll(), /"default" belongs to another installation/);
    while (!logged.join('').includes(`another installation (${one.name}`)) await pause();
    assert.equal(await refusedIn(), 0);
    const sources = await engine.row('SELECT toUInt32(count()) FROM bourse_sent FINAL');
    assert.deepEqual(sources, [1]);
  });

  test('with rows of an older program belongs to who updates first', async () => {
    const [one, other] = [await install(), await install()];
    await end(await keep(one));
    await engine.row('ALTER TABLE bourse_fact DROP COLUMN installation');
    await engine.row(
      "INSERT INTO bourse_fact (time, bids) SELECT toDateTime64('2026-09-01 00:00:00', 3, 'UTC'), 3",
    );
    await keep(one);
    assert.deepEqual(
      await engine.row('SELECT installation, toUInt32(sum(bids)) FROM bourse_fact GROUP BY 1'),
      [one.name, 3],
    );
    await assert.rejects(keep(other), ConfigurationError);
  });

  test('with rows of an older program gets what it lacks: a dimension, and the sums by it', async () => {
    const one = await install();
    await end(await keep(one));
    await engine.row('ALTER TABLE bourse_fact DROP PROJECTION by_consent');
    await engine.row('ALTER TABLE bourse_fact DROP COLUMN consent');
    await engine.row('INSERT INTO bourse_fact (time, bids) SELECT now64(3), 3');
    const { kept } = await keep(one);
    const sink = storeSink({ store: one.opened, now, facts: kept.facts, leaveTo: kept.part.id });
    const traffic = { ...unknownTraffic, consent: 'given' } as const;
    sink.count({ ...one.pair, traffic }, 'bids', startMs);
    await sink.close();
    await kept.sendAll();
    const byConsent =
      'SELECT consent, toUInt32(sum(bids)) FROM bourse_fact GROUP BY 1 ORDER BY 1 LIMIT 1 OFFSET';
    assert.deepEqual(await engine.row(`${byConsent} 0`), ['', 3]);
    assert.deepEqual(await engine.row(`${byConsent} 1`), ['given', 1]);
    const projections = "SELECT toUInt32(count()) FROM system.projections WHERE name = 'by_consent'";
    assert.deepEqual(await engine.row(projections), [1]);
  });

  test('is sent what an older program has left in the outbox, and nothing of another installation', async () => {
    const [one, other] = [await install(), await install()];
    const first = await keep(one);
    const sink = storeSink({
      store: one.opened,
      now: () => startMs,
      facts: first.kept.facts,
      leaveTo: first.kept.part.id,
    });
    sink.count(one.pair, 'bids', startMs);
    await engine.kill();
    await first.kept.facts.flush();
    await end(first);
    const own = join(folder, `facts-${one.name}`);
    assert.ok(existsSync(join(own, '0')));
    // Older programs have parts in the outbox itself.
    renameSync(join(own, '0'), join(folder, '7'));
    // What another installation has left in the same outbox is its own.
    mkdirSync(join(folder, `facts-${other.name}`, '0', 'thread-0'), { recursive: true });
    await engine.start();
    const { kept } = await keep(one);
    await kept.sendAll();
    assert.equal(await sumIn('bids'), 1);
    assert.ok(!existsSync(join(folder, `facts-${other.name}`, '0', 'id')), 'nobody has taken it');
  });
});

test('rows that wait for a database that is away are written once it is back, without any more traffic', async () => {
  const { opened, pair } = await install();
  let isAway = true;
  const written: unknown[] = [];
  const facts = createFactRecorder({
    statistics: {
      withOwners: (rows) =>
        isAway ? Promise.reject(new Refusal('unavailable', 'away')) : opened.statistics.withOwners(rows),
    },
    sampleOneIn: 1,
    random: Math.random,
    onFailure: assert.ifError,
    async write(rows) {
      written.push(...rows);
      return true;
    },
  });
  const sink = storeSink({ store: opened, now: () => startMs, facts });
  sink.count(pair, 'bids', startMs);
  while (!facts.isWaiting()) await pause();
  isAway = false;
  while (written.length === 0) await pause();
  assert.equal(written.length, 1);
  await sink.close();
});
