import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createIdentity } from '../../src/identity/identity.ts';
import { logRequests } from '../../src/management/http/request-log.ts';
import { createTokenRates, tokenRatesMemory } from '../../src/management/http/token-rates.ts';
import { createManagementServer, type ManagementOptions } from '../../src/management/server.ts';
import { collectMetrics } from '../../src/management/service/metrics.ts';
import { openStore } from '../../src/store/open-store.ts';
import { noExchange } from '../support/no-exchange.ts';
import { unhurried } from '../support/unhurried.ts';

/** What a test may have otherwise than it is by default. */
export interface Changes {
  readonly databaseUrl?: string;
  readonly now?: () => number;
  readonly perSecond?: number;
  readonly patience?: ManagementOptions['timeouts'];
  readonly endpoints?: ManagementOptions['endpoints'];
  readonly slowFromMs?: number;
}

/** The management API in this process, on a clock and with a patience of the test's own. */
export async function startManaged(changes: Changes = {}) {
  const { perSecond = 0, now = Date.now, slowFromMs } = changes;
  const folder = mkdtempSync(join(tmpdir(), 'bourse-operating-'));
  const databasePath = join(folder, 'bourse.db');
  const store = await openStore({ url: changes.databaseUrl ?? `sqlite:${databasePath}`, now });
  const identity = createIdentity({ store, now });
  const lines: Record<string, unknown>[] = [];
  const logger = pino({ level: 'info', base: null }, { write: (line) => lines.push(JSON.parse(line)) });
  const app = createManagementServer({
    store,
    identity,
    now,
    baseUrl: () => 'https://exchange.example',
    regions: () => [],
    logger,
    rateLimit: { perSecond, now, rates: createTokenRates(tokenRatesMemory()) },
    metrics: async () => [await metrics.ofThread()],
    overloadDetector: unhurried,
    exchange: noExchange,
    ...(changes.patience ? { timeouts: changes.patience } : {}),
    ...(changes.endpoints ? { endpoints: changes.endpoints } : {}),
  });
  logRequests(app, slowFromMs);
  const metrics = collectMetrics(app, store, { number: 0, servedRevision: () => 0, metrics: () => [] });
  await identity.ensureAdministrator({ mail: 'ada@example.com', password: 'correct horse battery' });
  const tokenFor = async () => (await identity.issueToken('ada@example.com')).accessToken;
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    app,
    databasePath,
    url,
    port: Number(new URL(url).port),
    tokenFor,
    /** Records of the log so far. */
    lines,
    close: async () => {
      app.server.closeAllConnections();
      await app.close();
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type Managed = Awaited<ReturnType<typeof startManaged>>;
