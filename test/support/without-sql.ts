/**
 * Tests of the API that need not run on PostgreSQL, too: what they ask is answered, or refused, before the database is
 * asked, or is none of its business.
 */
export const withoutSql: ReadonlySet<string> = new Set([
  'test/management/alert-minutes.test.ts',
  'test/management/alert-noise.test.ts',
  'test/management/answer-cache.test.ts',
  'test/management/bodies/body-gate.test.ts',
  'test/management/bodies/large-bodies.test.ts',
  'test/management/bodies/large-json.test.ts',
  'test/management/bounded-faults.test.ts',
  'test/management/config-credentials.test.ts',
  'test/management/config-faults.test.ts',
  'test/management/new-endpoint.test.ts',
  'test/management/reference.test.ts',
  'test/management/wire-edges.test.ts',
  'test/management/wire.test.ts',
  'test/management/with-timeout.test.ts',
  'test/sdk/client.test.ts',
]);
