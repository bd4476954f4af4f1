import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Logger, pino } from 'pino';
import { type AnalyticsConfig, type KeptSingly, keepSingly } from '../../src/analytics/keep-singly.ts';
import type { Store } from '../../src/store/interface.ts';
import { type StoreSink, storeSink } from '../statistics/store-sink.ts';
import type { Engine } from '../store/engine.ts';
import { sqlite } from '../store/sqlite-engine.ts';
import { addressOf, startClickHouse } from './clickhouse-engine.ts';

/** Settings of what keeps single events; simulated days are older every year. */
export const analyticsConfig = (url: string, outboxFolder: string): AnalyticsConfig => ({
  analyticsUrl: addressOf(url),
  analyticsSample: 1,
  analyticsKeptDays: 3660,
  outboxFolder,
  outboxMegabytes: 64,
});

/** A store whose reports ClickHouse answers alone. */
export interface KeptStore {
  readonly store: Store;
  readonly kept: KeptSingly;
  /** A sink whose `close` resolves once everything can be asked for. */
  sink(now: () => number): StoreSink;
}

/** Keeps what is counted in a store for a ClickHouse; of the store's cubes, nothing is answered. */
export async function keptOn(
  opened: Store,
  config: AnalyticsConfig,
  now: () => number,
  logger: Logger = pino({ level: 'silent' }),
): Promise<KeptStore> {
  const threadGroup = { number: 0, threadsMax: 1 };
  const kept = await keepSingly({ config, store: opened, threadGroup, logger, now });
  if (!kept) throw new Error('nothing is kept singly');
  const ask = () => {
    throw new Error('the cubes were asked');
  };
  const store: Store = {
    ...opened,
    statistics: { ...opened.statistics, ask, analytics: kept.analytics },
    async close() {
      await kept.close();
      await opened.close();
    },
  };
  return {
    store,
    kept,
    sink(now) {
      const sink = storeSink({ store: opened, now, facts: kept.facts, leaveTo: kept.part.id });
      return {
        ...sink,
        async close() {
          await sink.close();
          await kept.sendAll();
        },
      };
    },
  };
}

/** An engine whose reports equal a ledger. */
export interface LedgerEngine extends Engine {
  /** A sink whose `close` resolves once everything can be asked for. */
  sinkOn(store: Store, now: () => number): StoreSink;
}

/** SQLite with ClickHouse beside it. */
export function clickHouse(): LedgerEngine {
  const keptStores = new WeakMap<Store, KeptStore>();
  return {
    name: 'ClickHouse',
    async fresh() {
      const database = await sqlite.fresh();
      const folder = mkdtempSync(join(tmpdir(), 'bourse-outbox-'));
      const engine = await startClickHouse();
      return {
        ...database,
        async open(now = Date.now) {
          const kept = await keptOn(await database.open(now), analyticsConfig(engine.url(), folder), now);
          keptStores.set(kept.store, kept);
          return kept.store;
        },
        async remove() {
          await engine.remove();
          await database.remove();
          rmSync(folder, { recursive: true, force: true });
        },
      };
    },
    sinkOn: (store, now) => keptStores.get(store)?.sink(now) ?? storeSink({ store, now }),
  };
}
