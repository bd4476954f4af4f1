/**
 * Tests of the API that `npm test` runs on PostgreSQL, too: what they ask is answered by statements of its own. The
 * others of the second half are left to `npm run test:long`.
 */
export const withOwnSql: ReadonlySet<string> = new Set([
  'test/management/alert-acknowledge.test.ts',
  'test/management/alerts.test.ts',
  'test/management/as-of-fetch.test.ts',
  'test/management/batch.test.ts',
  'test/management/config-writes.test.ts',
  'test/management/connected.test.ts',
  'test/management/deal-pushes.test.ts',
  'test/management/connections.test.ts',
  'test/management/derived.test.ts',
  'test/management/figures.test.ts',
  'test/management/floors.test.ts',
  'test/management/history.test.ts',
  'test/management/history-pages.test.ts',
  'test/management/list-uploads.test.ts',
  'test/management/listing.test.ts',
  'test/management/lists.test.ts',
  'test/management/moved-names.test.ts',
  'test/management/own-reports.test.ts',
  'test/management/people-history.test.ts',
  'test/management/reconciliation.test.ts',
  'test/management/repeats.test.ts',
  'test/management/report-csv.test.ts',
  'test/management/report-sendings.test.ts',
  'test/management/reports.test.ts',
  'test/management/search.test.ts',
  'test/management/statistics.test.ts',
  'test/management/team-settings.test.ts',
  'test/management/users.test.ts',
]);
