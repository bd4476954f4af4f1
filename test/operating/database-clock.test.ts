import assert from 'node:assert/strict';
import { after, before, describe, mock, test } from 'node:test';
import { pino } from 'pino';
import { watchDatabaseClock } from '../../src/database-clock.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { startTestServer } from '../support/server.ts';

const collect = () => {
  const lines: Record<string, unknown>[] = [];
  const logger = pino({ level: 'info', base: null }, { write: (line) => lines.push(JSON.parse(line)) });
  return { logger, warnings: () => lines.filter(({ level }) => Number(level) >= 40).map(({ msg }) => msg) };
};

describe("a server's clock beside that of PostgreSQL", () => {
  let postgres: PostgresServer;
  before(async () => {
    postgres = await startPostgres();
  });
  after(() => postgres.remove());

  for (const [seconds, ready, warned] of [
    [0, true, undefined],
    [2, true, /^the clock is 2\.\d s ahead of the database's; set both by NTP$/],
    [-59, true, /^the clock is (58\.9|59\.0) s behind the database's; set both by NTP$/],
    [-61, false, /^the clock is (60\.9|61\.0) s behind the database's; set both by NTP$/],
    [61, false, /^the clock is 61\.\d s ahead of the database's; set both by NTP$/],
  ] as const) {
    test(`that is ${seconds} s ahead: ${ready ? 'ready' : 'not ready'}${warned ? ', with a warning' : ''}`, async (t) => {
      const { logger, warnings } = collect();
      const databaseUrl = await postgres.freshDatabase();
      const now = () => Date.now() + seconds * 1000;
      const server = await startTestServer({ databaseUrl }, logger, { now });
      t.after(() => server.close());
      const answer = await fetch(`${server.url}/readyz`);
      const { Error: error = '' } = (await answer.json()) as { Error?: string };
      assert.deepEqual([answer.status, error === ''], ready ? [200, true] : [503, false]);
      if (!ready)
        assert.match(
          error,
          /^The clock of this server is 6[01]\.\d s (ahead of|behind) the database's; set both by NTP$/,
        );
      const clockWarnings = warnings().filter((text) => String(text).includes('clock'));
      assert.equal(clockWarnings.length, warned ? 1 : 0);
      if (warned) assert.match(String(clockWarnings[0]), warned);
      const metrics = await (await fetch(`${server.url}/metrics`)).text();
      const offset = /^bourse_clock_offset_seconds (\S+)$/m.exec(metrics)?.[1];
      assert.ok(Math.abs(Number(offset) - seconds) < 0.5, `${offset} s`);
    });
  }
});

test('a clock that goes wrong is warned of once, and told of once it is right; slow answers tell nothing', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const { logger, warnings } = collect();
  const told: string[] = [];
  logger.info = (_: unknown, text?: string) => void told.push(text ?? '');
  let [ownMs, roundTripMs] = [0, 0];
  const clock = await watchDatabaseClock({
    store: {
      async clock() {
        ownMs += roundTripMs;
        return 0;
      },
    },
    threadGroup: { number: 0, channel: { publish: () => undefined } as never },
    logger,
    now: () => ownMs,
  });
  const next = async (aheadMs: number, tookMs: number) => {
    [ownMs, roundTripMs] = [aheadMs - tookMs / 2, tookMs];
    mock.timers.tick(1000);
    await new Promise(setImmediate);
    return [warnings().length, told.length, clock.trouble() === undefined];
  };
  const seen: unknown[] = [];
  for (const [aheadMs, tookMs] of [
    [999, 0],
    [-1001, 0],
    [-1500, 0],
    [0, 600],
    [2_000_000, 501],
    [61_000, 400],
    [999, 0],
    [1001, 0],
  ] as const)
    seen.push(await next(aheadMs, tookMs));
  assert.deepEqual(seen, [
    [0, 0, true],
    [1, 0, true],
    [1, 0, true],
    [1, 0, true],
    [1, 0, true],
    [1, 0, false],
    [1, 1, true],
    [2, 1, true],
  ]);
  await clock.close();
  mock.timers.reset();
});
