/** Series of one process or of two, as promtool writes them: a value, and how it goes on by the minute. */
type Series = Readonly<Record<string, string>>;

/** What makes an alert fire after so many minutes, and what is so little different that it does not. */
export interface AlertCase {
  readonly alert: string;
  readonly minutes: number;
  readonly fires: Series;
  readonly quiet: Series;
}

const at = 'job="bourse",instance="a"';
const rises = (byMinute: number, from = 0) => `${from}+${byMinute}x3000`;
const stays = (value: number) => `${value}x3000`;
/** A value until a minute, and another one after it. */
const turns = (value: number, minute: number, other: number) => `${value}x${minute} ${other}x3000`;
const series = (name: string, labels = '') => `${name}{${at}${labels && `,${labels}`}}`;

/** Alerts on one figure alone, that fire beyond a value. */
const beyond: readonly (readonly [alert: string, series: string, least: number, minutes: number])[] = [
  ['BourseEventLoopBusy', series('bourse_event_loop_delay_seconds', 'stat="p99"'), 0.1, 12],
  ['BourseWritesWait', series('bourse_writes_waiting'), 1000, 4],
  ['BourseDatabaseBusy', series('bourse_database_connections', 'state="waiting"'), 0, 7],
  ['BourseConfigurationOld', series('bourse_snapshot_age_seconds'), 10, 3],
  ['BourseDemandPaused', series('bourse_demand_paused'), 0, 35],
  ['BourseClockOff', series('bourse_clock_offset_seconds'), 1, 7],
  ['BourseEventsWait', series('bourse_events_oldest_seconds'), 60, 7],
];

/** Alerts on two rates, that fire beyond a share: of the first figure in both together. */
const shares: readonly (readonly [
  alert: string,
  part: string,
  rest: string,
  percent: number,
  minutes: number,
])[] = [
  [
    'BourseAnswersFail',
    series('bourse_requests_total', 'status="503"'),
    series('bourse_requests_total', 'status="200"'),
    1,
    12,
  ],
  [
    'BourseDemandAway',
    series('bourse_demand_calls_total', 'outcome="timed_out"'),
    series('bourse_demand_calls_total', 'outcome="answered"'),
    50,
    25,
  ],
  [
    'BourseNoticesFail',
    series('bourse_notices_total', 'outcome="dropped"'),
    series('bourse_notices_total', 'outcome="sent"'),
    10,
    25,
  ],
  [
    'BourseCrawlsNothing',
    series('bourse_crawled_total', 'kind="site",finding="unknown"'),
    series('bourse_crawled_total', 'kind="site",finding="live"'),
    90,
    100,
  ],
];

/** Counters of what must never happen. */
const never: readonly (readonly [alert: string, series: string])[] = [
  [
    'BourseBillableEventsLost',
    series('bourse_billable_events_total', 'event="impressions",outcome="unavailable"'),
  ],
  ['BourseCountsSetAside', series('bourse_events_set_aside_total')],
  ['BourseCountsSetAside', series('bourse_facts_set_aside_total')],
  ['BourseFactsDropped', series('bourse_facts_dropped_total')],
  ['BourseEventsRefused', series('bourse_events_unkept_total')],
  ['BourseEventsUnreadable', series('bourse_events_lost_bytes_total')],
];

/** Alerts of what answers or does not. */
const up = [
  ['BourseValkeyAway', 'bourse_valkey_up', 7],
  ['BourseLimitsNotShared', 'bourse_limit_authority_up', 3],
] as const;

const auctions = (outcome: string) =>
  series('bourse_auctions_total', `supply="VastTag",outcome="${outcome}"`);
const started = series('process_start_time_seconds');
const memory = series('process_resident_memory_bytes');
const refused = series('bourse_trackers_refused_total');
const impressions = series('bourse_billable_events_total', 'event="impressions",outcome="counted"');
const apiBucket = (le: string) => series('bourse_request_duration_seconds_bucket', `le="${le}"`);
const threeDays = 3 * 24 * 60;

/** Every alert of `deploy/prometheus/alerts.yml`. */
export const alertCases: readonly AlertCase[] = [
  ...up.map(([alert, name, minutes]) => ({
    alert,
    minutes,
    fires: { [series(name)]: stays(0) },
    quiet: { [series(name)]: stays(1) },
  })),
  ...beyond.map(([alert, name, least, minutes]) => ({
    alert,
    minutes,
    fires: { [name]: stays(least + 1) },
    quiet: { [name]: stays(least) },
  })),
  ...shares.map(([alert, part, rest, percent, minutes]) => ({
    alert,
    minutes,
    fires: { [part]: rises(10 * percent + 20), [rest]: rises(980 - 10 * percent) },
    quiet: { [part]: rises(10 * percent - 5), [rest]: rises(1005 - 10 * percent) },
  })),
  ...never.map(([alert, name]) => ({
    alert,
    minutes: 12,
    fires: { [name]: turns(0, 10, 1) },
    quiet: { [name]: stays(0) },
  })),
  { alert: 'BourseDown', minutes: 3, fires: { [`up{${at}}`]: '0x9' }, quiet: { [`up{${at}}`]: '1x9' } },
  {
    alert: 'BourseRestarts',
    minutes: 25,
    fires: { [started]: '1x5 2x5 3x5 4x50' },
    quiet: { [started]: '1x5 2x5 3x50' },
  },
  {
    alert: 'BourseThreadMissing',
    minutes: 20,
    fires: { [series('bourse_threads')]: turns(4, 10, 3) },
    quiet: { [series('bourse_threads')]: turns(3, 10, 4) },
  },
  {
    alert: 'BourseMemoryGrows',
    minutes: threeDays,
    fires: { [memory]: `1000x${threeDays - 120} 2100x200`, [started]: `0x${threeDays + 9}` },
    quiet: { [memory]: `1000x${threeDays - 120} 1900x200`, [started]: `0x${threeDays + 9}` },
  },
  {
    alert: 'BourseApiSlow',
    minutes: 20,
    fires: { [apiBucket('0.5')]: rises(98), [apiBucket('1')]: rises(100), [apiBucket('+Inf')]: rises(100) },
    quiet: {
      [apiBucket('0.5')]: rises(999),
      [apiBucket('1')]: rises(1000),
      [apiBucket('+Inf')]: rises(1000),
    },
  },
  {
    alert: 'BourseServesOldRevision',
    minutes: 10,
    fires: {
      [series('bourse_revision')]: stays(9),
      [series('bourse_served_revision', 'thread="1"')]: stays(8),
    },
    // A minute behind, at a revision a minute.
    quiet: {
      [series('bourse_revision')]: rises(1, 9),
      [series('bourse_served_revision', 'thread="1"')]: rises(1, 8),
    },
  },
  {
    alert: 'BourseNoAuctions',
    minutes: 150,
    fires: { [auctions('won')]: '0+120x120 14400x100' },
    quiet: { [auctions('won')]: rises(120) },
  },
  {
    alert: 'BourseNothingWon',
    minutes: 25,
    fires: { [auctions('no_bid')]: rises(120) },
    quiet: { [auctions('no_bid')]: rises(120), [auctions('won')]: rises(1) },
  },
  {
    alert: 'BourseRevenueFalls',
    minutes: 1440 + 300,
    fires: { [series('bourse_revenue_usd_total')]: '0+100x1500 150000+20x300' },
    quiet: { [series('bourse_revenue_usd_total')]: '0+100x1500 150000+40x300' },
  },
  {
    alert: 'BourseTrackersRefused',
    minutes: 30,
    fires: { [refused]: rises(600), [impressions]: rises(2400) },
    quiet: { [refused]: rises(500), [impressions]: rises(2400) },
  },
  {
    alert: 'BourseOutboxGrows',
    minutes: 60,
    fires: { [series('bourse_outbox_bytes')]: rises(1e6, 1e8) },
    quiet: { [series('bourse_outbox_bytes')]: '100000000-10000x3000' },
  },
];
