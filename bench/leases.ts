import { startPostgres } from '../test/support/postgres.ts';
import { measureCandidates } from './leases/candidates.ts';
import { measureReports } from './leases/reports.ts';
import { measureTurns } from './leases/turns.ts';

/**
 * What it costs to share out limits on PostgreSQL: a candidate of an auction, with shares and without, a turn of a
 * process, and the report of many: `npm run bench:leases`.
 */
console.table(await measureCandidates());
const server = await startPostgres();
try {
  console.table(await measureTurns(server.url));
  console.table(await measureReports(server.url));
} finally {
  await server.remove();
}
