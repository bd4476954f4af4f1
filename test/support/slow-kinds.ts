/**
 * The slow kinds of tests, and those that would disturb others, each file in a process of its own. They run last, in
 * this order: the longest first, so that no core is idle at the end. All other files share processes.
 */
export const slowKinds: readonly (readonly [kind: string, files: readonly string[]])[] = [
  ['the package, as npm packs and installs it', ['test/package.test.ts']],
  ['machines that work together, and what goes wrong around them', ['test/cluster/cluster.test.ts']],
  ['huge lists and arrays', ['test/robustness/large.test.ts', 'test/management/bodies/large-bodies.test.ts']],
  [
    'processes that are killed (kill -9)',
    [
      'test/robustness/crash.test.ts',
      'test/exchange/drained-budgets.test.ts',
      'test/statistics/kill.test.ts',
      'test/store/processes.test.ts',
      'test/management/alert-messages.test.ts',
    ],
  ],
  [
    'a database that goes away, and processes that share one',
    [
      'test/postgres/processes.test.ts',
      'test/postgres/outage.test.ts',
      'test/postgres/events.test.ts',
      'test/postgres/cut-off.test.ts',
    ],
  ],
  [
    'alerts on a clock of their own',
    [
      'test/management/alert-minutes.test.ts',
      'test/management/alert-noise.test.ts',
      'test/management/alert-no-data.test.ts',
      'test/management/alert-acknowledge.test.ts',
    ],
  ],
  ['a ledger of everything that is counted', ['test/statistics/ledger.test.ts']],
  [
    'an engine that is killed',
    ['test/clickhouse/outage.test.ts', 'test/clickhouse/at-rest.test.ts', 'test/outbox/outbox.test.ts'],
  ],
  ['random requests to every operation', ['test/fuzz/api.test.ts']],
  [
    'the program as people start and stop it',
    [
      'test/cli/demo.test.ts',
      'test/operating/rolling-upgrade.test.ts',
      'test/operating/start-steps.test.ts',
      'test/simulation/simulate.test.ts',
      'test/cli/config.test.ts',
      'test/operating/threads.test.ts',
      'test/cli/serve.test.ts',
      'test/operating/orderly-stop.test.ts',
      'test/operating/proxies.test.ts',
      'test/operating/backup.test.ts',
      'test/cli/lost-output.test.ts',
      'test/cli/people.test.ts',
      'test/readme.test.ts',
    ],
  ],
  [
    'a mocked `setTimeout`, by which the runner waits for tests, too',
    ['test/statistics/event-sink.test.ts', 'test/operating/thread-group.test.ts'],
  ],
  [
    'a real browser',
    [
      'test/console/accessible.test.ts',
      'test/console/tour.test.ts',
      'test/console/added-field.test.ts',
      'test/console/analyst.test.ts',
      'test/console/api-calls.test.ts',
      'test/simulation/player-page.test.ts',
      'test/exchange/in-browser.test.ts',
      'test/console/many-objects.test.ts',
      'test/console/no-callout.test.ts',
      'test/console/configuration.test.ts',
      'test/console/dormant-ad.test.ts',
      'test/console/first-ad.test.ts',
      'test/console/funnel-and-health.test.ts',
      'test/console/help.test.ts',
      'test/console/history.test.ts',
      'test/console/list-lines.test.ts',
      'test/console/login.test.ts',
      'test/console/object.test.ts',
      'test/console/portal.test.ts',
      'test/console/reports.test.ts',
      'test/console/search.test.ts',
      'test/console/settings.test.ts',
    ],
  ],
];
