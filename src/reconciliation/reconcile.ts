import { entityOf } from '../entities/registry.ts';
import type { Fetcher } from '../exchange/demand/outbound/fetcher.ts';
import type { JobKind } from '../jobs/worker.ts';
import { dayMs, dayOf, hourMs } from '../statistics/days.ts';
import type { Store } from '../store/interface.ts';
import {
  type FetchOutcome,
  fetchJobKind,
  type PartnerFetch,
  type PlannedFetch,
} from '../store/reconciliation/interface.ts';
import { partnerDays } from './partner-days.ts';
import { deadlineMs, type ReadAnswer, readAnswer } from './read-answer.ts';
import { fragmentOf, requestFor } from './request.ts';

/** Partners correct late: each day is fetched three times. */
const daysFetched = 3;
/** By then most partners have closed the day before (UTC). */
const dueHour = 6;
/** Minutes over which fetches are spread, by object ID. */
const spreadMinutes = 120;
const unknownZone: Unread = {
  state: 'unreadable',
  error:
    'the time zone after # in StatsApi is not in the IANA database; name one like #zone=America/New_York',
  sample: '',
};
const ourFault: Unread = { state: 'failed', error: 'the exchange failed; see its log', sample: '' };

export interface ReconcilingOptions {
  readonly store: Pick<Store, 'find' | 'jobs' | 'reconciliation'>;
  readonly fetch: Fetcher['fetch'];
  readonly now: () => number;
  /** For errors that should not happen; the fetch has failed then. */
  readonly onFault: (error: unknown) => void;
}

function nextFetchMs({ id }: Pick<PartnerFetch, 'id'>, nowMs: number): number {
  const dueMs = dueHour * hourMs + (id % spreadMinutes) * 60_000;
  const todayMs = dayOf(nowMs) * dayMs + dueMs;
  return todayMs > nowMs ? todayMs : todayMs + dayMs;
}

type Unread = Exclude<ReadAnswer, { state: 'read' }>;

/** An unreachable partner is asked again an hour later. */
function unread(answer: Unread, fetched: PartnerFetch, lastMs: number): FetchOutcome {
  const dailyMs = nextFetchMs(fetched, lastMs);
  const nextMs = answer.state === 'failed' ? Math.min(lastMs + hourMs, dailyMs) : dailyMs;
  return { ...answer, rowCount: 0, lastMs, nextMs };
}

async function fetchOne(fetched: PartnerFetch, { fetch, now }: ReconcilingOptions): Promise<FetchOutcome> {
  const fragment = fragmentOf(fetched.url);
  const zoned = partnerDays(fragment);
  if (!zoned) return unread(unknownZone, fetched, now());
  const days = fetched.days ?? zoned.last(now(), daysFetched);
  const answer = readAnswer(await fetch(requestFor(fetched, days), deadlineMs), fragment, zoned.at);
  const lastMs = now();
  if (answer.state !== 'read') return unread(answer, fetched, lastMs);
  const reported = { ...days, days: zoned.filled(answer.days, days, lastMs) };
  const nextMs = nextFetchMs(fetched, lastMs);
  return { state: 'read', error: '', sample: '', rowCount: answer.rows, lastMs, nextMs, reported };
}

/** One process fetches at a time; of a team, one fetch. */
export function partnerFetches(options: ReconcilingOptions): JobKind {
  const { store, now, onFault } = options;
  return {
    name: fetchJobKind,
    lanes: 4,
    // It ends long after its work is done, or its process dead.
    claimMs: 6 * deadlineMs,
    isExclusive: true,
    async run(job) {
      const { object, days } = job.payload as PlannedFetch;
      const stored = await store.find(entityOf(object.kind), object.teamId, {
        id: object.id,
        activeOnly: true,
      });
      const { StatsApi: url = '', StatsApiHeaders: headers = '' } = stored?.document ?? {};
      if (url === '') return store.jobs.settle(job);
      const fetched = { ...object, days, url: String(url), headers: String(headers) };
      const outcome = await fetchOne(fetched, options).catch((error: unknown) => {
        onFault(error);
        return unread(ourFault, fetched, now());
      });
      return store.reconciliation.finish(job, outcome);
    },
  };
}
