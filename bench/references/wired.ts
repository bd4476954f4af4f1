import { createLogger } from '../../src/cli/log.ts';
import { createIdentity } from '../../src/identity/identity.ts';
import { logRequests } from '../../src/management/http/request-log.ts';
import { createTokenRates, tokenRatesMemory } from '../../src/management/http/token-rates.ts';
import { createManagementServer } from '../../src/management/server.ts';
import { collectMetrics } from '../../src/management/service/metrics.ts';
import { openSqlite } from '../../src/store/dialects/sqlite.ts';
import { migrate } from '../../src/store/migrations/migrate.ts';
import { storeOn } from '../../src/store/open-store.ts';
import { noExchange } from '../../test/support/no-exchange.ts';
import { withoutHistory } from '../data/without-history.ts';
import { printUrl } from './print-url.ts';

/** Bourse as `main.ts` wires it, in one thread. `node wired.ts <database file> <mail> <password> [bookkeeping]` */
const [, , path = '', mail = '', password = '', bookkeeping = ''] = process.argv;
const now = Date.now;
const database = await openSqlite(path);
await migrate(database, now);
const store = storeOn(bookkeeping === '' ? withoutHistory(database) : database, { now });
const identity = createIdentity({ store, now });
const url = 'http://127.0.0.1';
const app = createManagementServer({
  store,
  identity,
  now,
  baseUrl: () => url,
  regions: () => [{ name: 'us-east', url }],
  logger: createLogger('info'),
  rateLimit: { perSecond: 0, rates: createTokenRates(tokenRatesMemory()), now },
  metrics: () => Promise.resolve([]),
  exchange: noExchange,
});
logRequests(app);
if (bookkeeping !== '') collectMetrics(app, store, { number: 0, servedRevision: () => 0, metrics: () => [] });
await app.listen({ host: '127.0.0.1', port: 0 });
await identity.ensureAdministrator({ mail, password });
printUrl(app.server);
