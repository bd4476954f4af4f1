import { Moment } from '../../parts/moment.tsx';
import { amountText } from '../../parts/value-text.ts';
import type { Fact } from '../facts.tsx';
import type { Sample, ServedRevisions, ServerMetrics } from './metrics.ts';

/** The version of the program, which the console was built with. */
const version = String(import.meta.env.VITE_BOURSE_VERSION);

const bytesInMegabyte = 1_000_000;
/** From here on requests wait noticeably (docs/operations.md, "Health and metrics"). */
const delaySecondsBad = 0.1;
const waitingWritesBad = 1000;
const snapshotSecondsBad = 10;
const secondsPerDay = 86_400;
/** Networks move to other countries; then too many are wrong. */
const countriesDaysBad = 365;

const countText = (count: number) => amountText(count, undefined);
const msText = (seconds: number) => `${countText(Math.round(seconds * 10_000) / 10)} ms`;

/** What runs, and what it serves. */
export function programFacts(
  served: ServedRevisions | undefined,
  figures: ServerMetrics | undefined,
): readonly Fact[] {
  const startedAt = figures?.sum('process_start_time_seconds');
  const threads = served?.Threads ?? [];
  const behind = threads.filter((revision) => revision < Math.max(...threads)).length;
  return [
    { name: 'Version', value: version },
    ...(startedAt === undefined
      ? []
      : [{ name: 'Running since', value: <Moment time={startedAt * 1000} /> }]),
    {
      name: 'Threads',
      value: String(threads.length),
      help: 'Each holds auctions with the configuration in its memory',
    },
    {
      name: 'Revision',
      value: String(served?.Revision ?? '–'),
      help:
        behind === 0
          ? 'The last change of your team that every thread serves: all are up to date'
          : `The last change of your team that every thread serves; ${behind} are behind for the moment`,
      isBad: behind > 0,
    },
    ...(figures ? [{ name: 'Database', value: databaseText(figures) }] : []),
    ...(figures?.all('bourse_country_database_built_seconds') ?? []).map(countriesFact),
  ];
}

/** By which database, and how old it is. */
function countriesFact({ labels: { database = '', source }, value }: Sample): Fact {
  const days = Math.floor((Date.now() / 1000 - value) / secondsPerDay);
  const origin =
    source === 'file' ? 'Your own database (BOURSE_GEOIP_DB)' : 'The database that comes with Bourse';
  const remedy = source === 'file' ? '' : ' To use another one, set BOURSE_GEOIP_DB on the server.';
  return {
    name: 'Countries',
    value: (
      <>
        {database}, of <Moment time={value * 1000} form="day" /> ({countText(days)} days old)
      </>
    ),
    help: `${origin}, by which countries of IP addresses are known.${remedy}`,
    isBad: days > countriesDaysBad,
  };
}

function databaseText(figures: ServerMetrics): string {
  const inUse = figures.sum('bourse_database_connections', { state: 'in_use' });
  if (inUse === undefined) return 'SQLite';
  const idle = figures.sum('bourse_database_connections', { state: 'idle' }) ?? 0;
  const waiting = figures.sum('bourse_database_connections', { state: 'waiting' }) ?? 0;
  return `PostgreSQL: ${inUse} connections in use, ${idle} idle, ${waiting} steps waiting for one`;
}

export function loadFacts({ sum }: ServerMetrics): readonly Fact[] {
  const delay = sum('bourse_event_loop_delay_seconds', { stat: 'p99' }) ?? 0;
  const waiting = sum('bourse_writes_waiting') ?? 0;
  const age = sum('bourse_snapshot_age_seconds') ?? 0;
  const memory = sum('process_resident_memory_bytes') ?? 0;
  return [
    {
      name: 'Event loop delay',
      value: msText(delay),
      help: '99th percentile, of the slowest thread; above 100 ms the server needs more threads or machines',
      isBad: delay > delaySecondsBad,
    },
    {
      name: 'Writes waiting',
      value: countText(waiting),
      help: 'Above 1,000 for a long time: the disk or the database is slow',
      isBad: waiting > waitingWritesBad,
    },
    {
      name: 'Configuration known since',
      value: `${countText(Math.round(age * 10) / 10)} s`,
      help: 'When the slowest thread last looked for changes; above 10 s the database is unavailable',
      isBad: age > snapshotSecondsBad,
    },
    {
      name: 'Memory',
      value: `${countText(Math.round(memory / bytesInMegabyte))} MB`,
      help: 'All threads together',
    },
  ];
}

const share = (part: number, whole: number) => (whole === 0 ? '–' : amountText((100 * part) / whole, '%'));

export function marketFacts({ sum }: ServerMetrics): readonly Fact[] {
  const auctions = sum('bourse_auctions_total') ?? 0;
  const won = sum('bourse_auctions_total', { outcome: 'won' }) ?? 0;
  const calls = sum('bourse_demand_calls_total') ?? 0;
  const answered = sum('bourse_demand_calls_total', { outcome: 'answered' }) ?? 0;
  const paused = sum('bourse_demand_paused') ?? 0;
  const failedNotices = sum('bourse_notices_total', { outcome: 'failed' }) ?? 0;
  return [
    { name: 'Auctions', value: countText(auctions), help: `${share(won, auctions)} of them were won` },
    {
      name: 'Calls to demand partners',
      value: countText(calls),
      help: `${share(answered, calls)} of them were answered`,
    },
    {
      name: 'Partners paused',
      value: countText(paused),
      help: 'Partners that failed too often are called again after a pause',
      isBad: paused > 0,
    },
    {
      name: 'Notices that failed',
      value: countText(failedNotices),
      help: 'Win, loss and billing notices to partners',
    },
  ];
}
