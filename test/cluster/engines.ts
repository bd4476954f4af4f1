import { startClickHouse, type TestClickHouse } from '../clickhouse/clickhouse-engine.ts';
import { isAbsent } from '../clickhouse/engine-folder.ts';
import { skipWithout } from '../support/debian-tools.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';

/** Where machines stand: two in each region. */
export const regions = ['us-east', 'us-east', 'eu', 'eu'] as const;

/** An engine that machines use: the setting that names it, and where it is. */
export interface Engine {
  readonly setting: string;
  readonly url: string;
  /** In which region it stands; from others it is 80 ms away. */
  readonly region: string;
  /** Whether machines of its region alone use it. */
  readonly isRegional: boolean;
}

/** What the machines stand on. */
export interface Engines {
  readonly databaseUrl: string;
  readonly used: readonly Engine[];
  readonly hasValkeys: boolean;
  /** Stops the database's server in order, and starts it again. */
  restartDatabase(): Promise<void>;
  /** Ends every Valkey at once (kill -9), and starts it again; all but the one that shares out limits lose all they had. */
  killValkeys(): Promise<void>;
  /** Ends ClickHouse at once, and starts it again on its data. */
  killClickHouse(): Promise<void>;
  /** How many impressions ClickHouse has; undefined where there is none. */
  impressionsKept(): Promise<number | undefined>;
  close(): Promise<void>;
}

/** Says in one line what is missing here; in CI that fails. */
function present(without: string | false): boolean {
  if (without !== false) console.log(`# ${without}`);
  return without === false;
}

function enginesOf(databaseUrl: string, valkeys: ReadonlyMap<string, TestRedis>): Engine[] {
  const [home] = regions;
  const engines = [{ setting: 'BOURSE_DATABASE_URL', url: databaseUrl, region: home, isRegional: false }];
  for (const [region, { url }] of valkeys)
    engines.push({ setting: 'BOURSE_VALKEY_URL', url, region: region as typeof home, isRegional: true });
  return engines;
}

/** Starts PostgreSQL, a Redis in each region, and ClickHouse, as far as they are there. */
export async function startEngines(): Promise<Engines> {
  const [home] = regions;
  const postgres: PostgresServer = await startPostgres();
  const databaseUrl = await postgres.freshDatabase();
  const valkeys = new Map<string, TestRedis>();
  if (present(skipWithout('redis-server')))
    for (const region of new Set(regions)) valkeys.set(region, await startRedis());
  const clickHouse: TestClickHouse | undefined = present(isAbsent) ? await startClickHouse() : undefined;
  const used: Engine[] = enginesOf(databaseUrl, valkeys);
  if (clickHouse)
    used.push({ setting: 'BOURSE_ANALYTICS_URL', url: clickHouse.url(), region: home, isRegional: false });
  return {
    databaseUrl,
    used,
    hasValkeys: valkeys.size > 0,
    async restartDatabase() {
      await postgres.stop();
      await postgres.start();
    },
    async killValkeys() {
      await Promise.all([...valkeys.values()].map((valkey) => valkey.kill()));
      await Promise.all([...valkeys.values()].map((valkey) => valkey.start()));
    },
    async killClickHouse() {
      await clickHouse?.kill();
      await clickHouse?.start();
    },
    async impressionsKept() {
      if (!clickHouse) return undefined;
      const [count] = await clickHouse.row('SELECT toUInt32(sum(impressions)) FROM bourse_fact');
      return Number(count);
    },
    async close() {
      await Promise.all([...valkeys.values()].map((valkey) => valkey.remove()));
      await clickHouse?.remove();
      await postgres.remove();
    },
  };
}
