import { randomUUID } from 'node:crypto';
import type { Fetcher } from '../exchange/demand/outbound/fetcher.ts';
import { dayMs, dayOf, hourMs } from '../statistics/days.ts';
import type { FetchOutcome, PartnerFetch, ReconciliationStore } from '../store/reconciliation/interface.ts';
import { partnerDays } from './partner-days.ts';
import { deadlineMs, readAnswer } from './read-answer.ts';
import { fragmentOf, requestFor } from './request.ts';

/** Partners correct late: each day is fetched three times. */
const daysFetched = 3;
/** By then most partners have closed the day before (UTC). */
const dueHour = 6;
/** Minutes over which fetches are spread, by object ID. */
const spreadMinutes = 120;
/** A claim ends long after its work is done, or its process dead. */
const claimMs = 6 * deadlineMs;
/** Fetches under way, each of another team, so that slow partners hold up few. */
const lanes = 4;

export interface ReconcilingOptions {
  readonly store: ReconciliationStore;
  readonly fetch: Fetcher['fetch'];
  readonly now: () => number;
  /** Whether to look for objects without a plan, which reads all demand; by default yes. */
  readonly plans?: boolean;
  /** For errors that should not happen; the fetch has failed then. */
  readonly onFault: (error: unknown) => void;
  /** Once aborted, nothing more is begun. */
  readonly signal?: AbortSignal;
}

function nextFetchMs({ id }: Pick<PartnerFetch, 'id'>, nowMs: number): number {
  const dueMs = dueHour * hourMs + (id % spreadMinutes) * 60_000;
  const todayMs = dayOf(nowMs) * dayMs + dueMs;
  return todayMs > nowMs ? todayMs : todayMs + dayMs;
}

/** For an unknown zone. */
const unreadable = (fetched: PartnerFetch, lastMs: number): FetchOutcome => ({
  state: 'unreadable',
  sample: '',
  rowCount: 0,
  lastMs,
  nextMs: nextFetchMs(fetched, lastMs),
  error:
    'the time zone after # in StatsApi is not in the IANA database; name one like #zone=America/New_York',
});

/** An unreachable partner is asked again an hour later. */
async function fetchOne(fetched: PartnerFetch, { fetch, now }: ReconcilingOptions): Promise<FetchOutcome> {
  const fragment = fragmentOf(fetched.url);
  const zoned = partnerDays(fragment);
  if (!zoned) return unreadable(fetched, now());
  const days = fetched.days ?? zoned.last(now(), daysFetched);
  const answer = readAnswer(await fetch(requestFor(fetched, days), deadlineMs), fragment, zoned.at);
  const lastMs = now();
  const dailyMs = nextFetchMs(fetched, lastMs);
  if (answer.state !== 'read') {
    const nextMs = answer.state === 'failed' ? Math.min(lastMs + hourMs, dailyMs) : dailyMs;
    return { ...answer, rowCount: 0, lastMs, nextMs };
  }
  const reported = { ...days, days: zoned.filled(answer.days, days, lastMs) };
  return { state: 'read', error: '', sample: '', rowCount: answer.rows, lastMs, nextMs: dailyMs, reported };
}

/** For a fault of ours. */
const failure = (fetched: PartnerFetch, lastMs: number): FetchOutcome => ({
  state: 'failed',
  error: 'the exchange failed; see its log',
  sample: '',
  rowCount: 0,
  lastMs,
  nextMs: nextFetchMs(fetched, lastMs),
});

/** Every process may call this: one fetches at a time. If it dies, another goes on after some minutes. */
export async function reconcile(options: ReconcilingOptions): Promise<void> {
  const { store, now, plans = true, signal, onFault } = options;
  const by = randomUUID();
  if (plans) await store.plan(now());
  const busyTeams = new Set<number>();
  // One after the other, so that no two lanes take the same team.
  let turn: Promise<unknown> = Promise.resolve();
  const take = () => {
    const taken = turn.then(async () => {
      const nowMs = now();
      const fetched = await store.claim(by, nowMs, {
        untilMs: nowMs + claimMs,
        busyTeams: [...busyTeams],
      });
      if (fetched) busyTeams.add(fetched.teamId);
      return fetched;
    });
    turn = taken.catch(() => undefined);
    return taken;
  };
  const lane = async () => {
    while (!signal?.aborted) {
      const fetched = await take();
      if (!fetched) return;
      try {
        const outcome = await fetchOne(fetched, options).catch((error: unknown) => {
          onFault(error);
          return failure(fetched, now());
        });
        await store.finish(fetched, by, outcome);
      } finally {
        busyTeams.delete(fetched.teamId);
      }
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
