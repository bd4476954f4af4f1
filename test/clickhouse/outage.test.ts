import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { pino } from 'pino';
import { createClickHouse } from '../../src/analytics/clickhouse.ts';
import { ConfigurationError } from '../../src/config.ts';
import { Refusal } from '../../src/fields/fault.ts';
import { runReport } from '../../src/statistics/asking/run-report.ts';
import type { Store } from '../../src/store/interface.ts';
import { dayMs, impression, startMs } from '../statistics/counting.ts';
import { keptNow, type Market, questionOf } from '../statistics/ledger.ts';
import { storeSink } from '../statistics/store-sink.ts';
import type { TestDatabase } from '../store/engine.ts';
import { sqlite } from '../store/sqlite-engine.ts';
import { newActor, roomOf } from '../store/team-room.ts';
import { pause } from '../support/pause.ts';
import { addressOf, startClickHouse, type TestClickHouse } from './clickhouse-engine.ts';
import { isAbsent } from './engine-folder.ts';
import { analyticsConfig, type KeptStore, keptOn } from './kept-singly.ts';

const now = () => keptNow.nowMs;
const traffic = {
  country: 'DE',
  deviceType: 2,
  os: 'iOS',
  browser: 'Safari',
  medium: 'video',
  size: '',
  site: 'news.example',
  region: 'us-east',
  consent: 'given' as const,
};

describe('ClickHouse', { skip: isAbsent }, () => {
  let engine: TestClickHouse;
  let folder: string;
  let database: TestDatabase;
  let opened: Store;
  let market: Market;
  const logged: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) });
  before(async () => {
    engine = await startClickHouse();
  });
  after(() => engine.remove());
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'bourse-outbox-'));
    database = await sqlite.fresh();
    opened = await database.open(now);
    const room = roomOf(database, opened, await newActor(opened));
    const owner = await room.add('Publisher', { Name: 'o' });
    const id = await room.add('VastTag', { PublisherId: owner });
    market = { teamId: room.actor.teamId, supplies: [{ kind: 'VastTag', id, owner }], demands: [] };
    await engine.row('DROP TABLE IF EXISTS bourse_fact').catch(() => undefined);
    await engine.row('DROP TABLE IF EXISTS bourse_start').catch(() => undefined);
    await engine.row('DROP TABLE IF EXISTS bourse_sent').catch(() => undefined);
  });
  afterEach(async () => {
    for (const kept of open) await close(kept);
    await opened.close();
    await database.remove();
    rmSync(folder, { recursive: true, force: true });
    logged.length = 0;
  });

  const config = (more: object = {}) => ({ ...analyticsConfig(engine.url(), folder), ...more });
  const open = new Set<KeptStore>();
  const keep = async (more: object = {}) => {
    const kept = await keptOn(opened, config(more), now, logger);
    open.add(kept);
    return kept;
  };
  const close = async (kept: KeptStore) => {
    open.delete(kept);
    await kept.kept.close();
  };
  const pair = () => {
    const [{ kind = '', id = 0 } = {}] = market.supplies;
    return { supply: { kind, id }, demand: undefined, subId: '', traffic };
  };
  let auctions = 0;
  /** Counts auctions, each with an impression, that `sink` is told. */
  async function count(sink: ReturnType<KeptStore['sink']>, times: number): Promise<void> {
    const billed = Array.from({ length: times }, async () => {
      auctions += 1;
      sink.count(pair(), 'requests', startMs + (auctions % dayMs));
      assert.equal(await sink.bill(impression(`a${auctions}`, pair())), true);
    });
    await Promise.all(billed);
    await sink.flush();
  }
  const ask = async (store: Store, groups: readonly ('Os' | 'Site' | 'Supply')[] = ['Os', 'Site']) => {
    const question = questionOf(market, { groups, measures: ['Requests', 'Impressions', 'Revenue'] });
    const { rows, isSampled } = await runReport(store.statistics, question, keptNow);
    return { figures: rows[0]?.figures, isSampled };
  };
  /** Sends until ClickHouse has taken all. */
  async function send({ kept }: KeptStore): Promise<void> {
    while (
      !(await kept.sendAll().then(
        () => true,
        () => false,
      ))
    )
      await pause();
  }

  test('has everything once when the answers of insertions are lost', async () => {
    const kept = await keep();
    const sink = kept.sink(() => startMs);
    await count(sink, 20);
    await engine.loseAnswers(3);
    await send(kept);
    assert.deepEqual((await ask(kept.store)).figures, { Requests: 20, Impressions: 20, Revenue: 0.00004 });
    await close(kept);
  });

  test('is killed and away for an hour: nothing is lost or doubled, nobody waits, the store answers meanwhile', async () => {
    const first = await keep();
    const sink = first.sink(() => startMs);
    await count(sink, 10);
    await send(first);
    await engine.kill();
    await count(sink, 30);
    await assert.rejects(first.kept.sendAll());
    // The process ends, and another begins while it is away: it says so, and serves.
    await sink.flush();
    await first.kept.facts.flush();
    await close(first);
    const second = await keep();
    assert.match(logged.join(''), /is unavailable; auctions and events wait for it/);
    const later = second.sink(() => startMs);
    await count(later, 5);
    const store = { ...opened, statistics: { ...opened.statistics, analytics: second.kept.analytics } };
    assert.deepEqual((await ask(store, ['Supply'])).figures, {
      Requests: 45,
      Impressions: 45,
      Revenue: 0.00009,
    });
    await assert.rejects(ask(store), (error) => error instanceof Refusal && error.code === 'unavailable');
    await engine.start();
    await send(second);
    const figures = { Requests: 45, Impressions: 45, Revenue: 0.00009 };
    assert.deepEqual((await ask(second.store)).figures, figures);
    await close(second);
  });

  test('takes one auction of ten where it is told to, and its answers say so; billable events are exact', async () => {
    const kept = await keep({ analyticsSample: 10 });
    const sink = kept.sink(() => startMs);
    for (let time = 0; time < 3000; time += 1)
      sink.count({ ...pair(), traffic: { ...traffic } }, 'requests', startMs);
    await count(sink, 20);
    await sink.close();
    const { figures, isSampled } = await ask(kept.store);
    assert.equal(isSampled, true);
    assert.equal(figures?.Impressions, 20);
    // 302 of 3,020 on average, with a deviation of 16.5: eight of them.
    const requests = figures?.Requests ?? 0;
    assert.ok(requests % 10 === 0 && Math.abs(requests - 3020) < 1320, String(requests));
    const exact = questionOf(market, { groups: ['Os', 'Site'], measures: ['Impressions'] });
    assert.equal((await runReport(kept.store.statistics, exact, keptNow)).isSampled, false);
    await close(kept);
  });

  test('loses no billable event where the outbox is full, and says what it loses', async () => {
    const kept = await keep({ outboxMegabytes: 0.0001 });
    const sink = kept.sink(() => startMs);
    await count(sink, 10);
    await kept.kept.facts.flush();
    await kept.kept.sendAll();
    assert.match(logged.join(''), /the outbox accepts no more auctions/);
    assert.ok(kept.kept.facts.dropped() > 0);
    await close(kept);
    const roomy = await keep();
    await roomy.kept.sendAll();
    assert.equal((await ask(roomy.store)).figures?.Impressions, 10);
    await close(roomy);
  });

  test('that begins late leaves what was before to the store', async () => {
    const before = storeSink({ store: opened, now: () => startMs });
    before.count(pair(), 'requests', startMs);
    await before.close();
    const kept = await keep();
    const sink = kept.sink(() => startMs);
    await count(sink, 3);
    await sink.close();
    const store = { ...opened, statistics: { ...opened.statistics, analytics: kept.kept.analytics } };
    assert.equal((await ask(store, ['Supply'])).figures?.Requests, 4);
    await assert.rejects(ask(store), /not counted together/);
    await close(kept);
  });

  test('refuses a row for its values: it is set aside, and those beside it are taken', async () => {
    const aside: string[] = [];
    const clickHouse = createClickHouse({
      address: addressOf(engine.url()),
      keptDays: 3660,
      installation: 'a',
      now,
      hasCounted: async () => false,
      setAside: (row) => aside.push(row),
    });
    const row = (id: string) =>
      `{"time":"1788220800.000","supply_kind":"VastTag","supply_id":${id},"requests":1,"lot":7}\n`;
    const record = Buffer.from(`202609 7 0\n${row('1')}${row('"x"')}${row('3')}`);
    await clickHouse.receiver.receive({
      key: 'k',
      source: 's',
      records: [record],
      places: [1],
      isRepeated: false,
    });
    assert.deepEqual(aside, [row('"x"')]);
    assert.deepEqual(
      await engine.row('SELECT toUInt32(count()), toUInt32(sum(requests)) FROM bourse_fact'),
      [2, 2],
    );
    await clickHouse.close();
  });

  test('stops the start where the setting is wrong, by its name', async () => {
    const wrong = engine.url().replace('p%25w', 'secret-but-wrong');
    await assert.rejects(keptOn(opened, analyticsConfig(wrong, folder), now), (error) => {
      assert.ok(error instanceof ConfigurationError);
      assert.match(
        error.message,
        /^BOURSE_ANALYTICS_URL: http:\/\/127\.0\.0\.1:\d+ cannot be used: .*AUTHENTICATION|no such user/,
      );
      assert.doesNotMatch(error.message, /secret-but-wrong/);
      return true;
    });
    const nowhere = keptOn(opened, { ...config(), outboxFolder: '/dev/null/x' }, now);
    await assert.rejects(nowhere, /BOURSE_OUTBOX: \/dev\/null\/x cannot be used: /);
  });
});
