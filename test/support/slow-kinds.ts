import { drawsCases } from './draws-cases.ts';
import { withOwnSql } from './with-own-sql.ts';
import { withoutSql } from './without-sql.ts';

/** Test files of one kind that need more than the others. */
export interface SlowKind {
  readonly kind: string;
  /** Whether `npm test` leaves them to `npm run test:long`. */
  readonly isLong: boolean;
  /** Whether each has a process of its own. */
  readonly isAlone: boolean;
  readonly files: readonly string[];
}

/**
 * The slow kinds of tests, and those that would disturb others. They run in this order: the longest first, so that no
 * core is idle at the end. All other files belong to `npm test` and share processes.
 */
export const slowKinds: readonly SlowKind[] = [
  {
    kind: 'machines that work together, and what goes wrong around them',
    isLong: true,
    isAlone: true,
    files: ['test/cluster/cluster.test.ts'],
  },
  {
    kind: 'programs of others that are built first',
    isLong: true,
    isAlone: true,
    files: ['test/integrations/prebid-server.test.ts'],
  },
  {
    kind: 'the package, as npm packs and installs it',
    isLong: true,
    isAlone: true,
    files: ['test/package.test.ts'],
  },
  {
    kind: 'a database that goes away, and processes that share one',
    isLong: true,
    isAlone: true,
    files: [
      'test/postgres/outage.test.ts',
      'test/postgres/events.test.ts',
      'test/postgres/cut-off.test.ts',
      'test/postgres/processes.test.ts',
      'test/exchange/notices-machines.test.ts',
      'test/exchange/vast-machines.test.ts',
    ],
  },
  {
    kind: 'screens by the dozen, in a real browser',
    isLong: true,
    isAlone: true,
    files: [
      'test/console/accessible.test.ts',
      'test/console/tour.test.ts',
      'test/console/no-callout.test.ts',
      'test/console/api-calls.test.ts',
      'test/console/added-field.test.ts',
      'test/console/links.test.ts',
    ],
  },
  {
    kind: 'huge lists and arrays, and limits of very many objects',
    isLong: true,
    isAlone: true,
    files: [
      'test/robustness/large.test.ts',
      'test/management/bodies/large-bodies.test.ts',
      'test/leases/many-limits.test.ts',
    ],
  },
  {
    kind: 'processes that are killed (kill -9)',
    isLong: true,
    isAlone: true,
    files: [
      'test/robustness/crash.test.ts',
      'test/statistics/kill.test.ts',
      'test/exchange/drained-budgets.test.ts',
      'test/operating/two-versions.test.ts',
      'test/store/processes.test.ts',
      'test/management/alert-messages.test.ts',
    ],
  },
  {
    kind: 'alerts on a clock of their own',
    isLong: true,
    isAlone: true,
    files: [
      'test/management/alert-minutes.test.ts',
      'test/management/alert-noise.test.ts',
      'test/management/alert-no-data.test.ts',
    ],
  },
  {
    kind: 'an engine that is killed',
    isLong: true,
    isAlone: true,
    files: [
      'test/clickhouse/outage.test.ts',
      'test/clickhouse/at-rest.test.ts',
      'test/outbox/outbox.test.ts',
    ],
  },
  {
    kind: 'the program as people start and stop it, in every way',
    isLong: true,
    isAlone: true,
    files: [
      'test/cli/demo.test.ts',
      'test/simulation/simulate.test.ts',
      'test/cli/config.test.ts',
      'test/cli/lost-output.test.ts',
      'test/operating/start-steps.test.ts',
      'test/operating/rolling-upgrade.test.ts',
      'test/operating/backup.test.ts',
      'test/operating/threads.test.ts',
      'test/operating/orderly-stop.test.ts',
      'test/operating/proxies.test.ts',
    ],
  },
  {
    kind: 'tens of thousands of drawn cases',
    isLong: true,
    isAlone: true,
    files: ['test/protocols/consent/many-strings.test.ts'],
  },
  {
    kind: 'suites most of whose time is drawn cases',
    isLong: true,
    isAlone: false,
    files: [
      'test/store/postgres.test.ts',
      'test/exchange/worth.test.ts',
      'test/management/config-round-trip.test.ts',
      'test/history/as-of.test.ts',
      'test/leases/sharing.test.ts',
    ],
  },
  {
    kind: 'a Redis server',
    isLong: true,
    isAlone: false,
    files: [
      'test/valkey/claims.test.ts',
      'test/valkey/connection.test.ts',
      'test/valkey/region.test.ts',
      'test/valkey/start.test.ts',
    ],
  },
  {
    kind: 'the program with files of others, its tools, and what npm says of its dependencies',
    isLong: true,
    isAlone: false,
    files: ['test/entities/added.test.ts', 'test/run-tests.test.ts', 'test/operating/audit.test.ts'],
  },
  {
    kind: 'a ledger of everything that is counted',
    isLong: false,
    isAlone: true,
    files: ['test/statistics/ledger.test.ts'],
  },
  {
    kind: 'random requests to every operation',
    isLong: false,
    isAlone: true,
    files: ['test/fuzz/api.test.ts'],
  },
  {
    kind: 'the program as people start it',
    isLong: false,
    isAlone: true,
    files: ['test/cli/serve.test.ts', 'test/readme.test.ts', 'test/cli/people.test.ts'],
  },
  {
    kind: 'a mocked `setTimeout`, by which the runner waits for tests, too',
    isLong: false,
    isAlone: true,
    files: ['test/statistics/event-sink.test.ts', 'test/operating/thread-group.test.ts'],
  },
];

const long: ReadonlySet<string> = new Set(slowKinds.flatMap(({ isLong, files }) => (isLong ? files : [])));

/** Tests of the form alone, which `npm run check:static` runs. */
const isOfForm = (name: string) => /^test\/tidy[./]/.test(name);

/** What a run is asked for. */
export interface Run {
  readonly isOnPostgres: boolean;
  /** `short` as `npm test`, `long` as `npm run test:long`; without it all files. */
  readonly only: string | undefined;
}

/** Whether a test file belongs to a run. */
export function isOfRun(name: string, { isOnPostgres, only }: Run): boolean {
  if (isOnPostgres && withoutSql.has(name)) return false;
  if (only !== undefined && isOfForm(name)) return false;
  const isLong = long.has(name) || (isOnPostgres && !withOwnSql.has(name));
  if (only === 'short') return !isLong;
  return only !== 'long' || isLong || drawsCases(name);
}
