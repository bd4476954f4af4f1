import { minuteOf, minutesAhead } from '../exchange/limits/promise-minutes.ts';
import { minutesFor, type PromisedTo } from '../exchange/limits/promised.ts';
import type { BilledSum, LimitAuthority, ResolvedMinutes } from '../leases/authority.ts';
import { dayKey, dayNumber, type LimitDays } from '../shared/limit-days.ts';
import type { KeptPromises, StatisticsStore } from '../store/statistics/interface.ts';
import type { LocalQuotas } from './local-quotas.ts';

/** A round's report and answer. */
export interface LeaseRoundEnd {
  readonly authority: Pick<LimitAuthority, 'gone' | 'settle' | 'forget'>;
  readonly holder: number;
  /** Resolved as the authority knows. */
  readonly resolved: ResolvedMinutes;
  readonly nowMs: number;
}

/** Asks the store about promises once all servers have delivered what they acknowledged. */
export interface Resolving {
  begin(nowMs: number): void;
  resolved(): ResolvedMinutes;
  /** Gives up promises that can come no more and were not kept; retries in the next round. */
  resolve(holder: number, nowMs: number, tell: LocalQuotas['resolve']): Promise<void>;
  /** Forgets what nobody asks for again, and settles processes that are gone. */
  settle(end: LeaseRoundEnd): Promise<void>;
}

const minuteMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 86_400_000;
/** A promise is over this long after its minute: clocks differ, and events take seconds to be durable. */
const marginMinutes = 2;
const overAfter = (to: PromisedTo) => minutesFor[to] + marginMinutes;
const kinds = ['offer', 'ad'] as const satisfies readonly PromisedTo[];
/** After a long absence. */
const minutesAtOnce = 30;
const lookEveryMs = 5000;
const settleEveryMs = 30_000;
/** A server silent for this long is no longer waited for (`SettledWithout`). */
const silentMs = hourMs;
/** A day on which the zone changes may be that long. */
const daysKept = 4;

/** Of an object as it is configured now. */
type DaysOf = (of: Pick<KeptPromises, 'kind' | 'id'>) => LimitDays | undefined;

/** By object and day. */
function billedOf(kept: readonly KeptPromises[], daysOf: DaysOf): BilledSum[] {
  const sums = new Map<string, BilledSum>();
  for (const { kind, id, minute, impressions, nanos } of kept) {
    const day = dayNumber(dayKey(daysOf({ kind, id }), minute * minuteMs));
    const name = `${kind}:${id}:${day}`;
    const { impressions: n = 0, nanos: sum = 0 } = sums.get(name) ?? {};
    sums.set(name, { kind, id, day, impressions: n + impressions, nanos: sum + nanos });
  }
  return [...sums.values()];
}

type Statistics = Pick<StatisticsStore, 'keptPromises' | 'forgetKeptPromises' | 'shippedProcesses'>;

/** Up to when all servers have delivered what they acknowledged; milliseconds since 1970. */
async function wholeUntil(statistics: Statistics, nowMs: number): Promise<number> {
  const processes = await statistics.shippedProcesses();
  const heard = processes.filter(({ notedMs }) => notedMs >= nowMs - silentMs);
  return Math.min(nowMs, ...heard.map(({ untilMs }) => untilMs));
}

export function createResolving(statistics: Statistics, daysOf: DaysOf = () => undefined): Resolving {
  const next = { ad: 0, offer: 0 };
  const forgotten = { ad: 0, offer: 0 };
  let wholeMs = 0;
  let lookedMs = Number.NEGATIVE_INFINITY;
  let settledMs = Number.NEGATIVE_INFINITY;
  /** The first minute whose promises may still come. */
  const openFrom = (to: PromisedTo) => minuteOf(wholeMs) - overAfter(to);
  const resolveKind = async (to: PromisedTo, holder: number, tell: LocalQuotas['resolve']) => {
    const [fromMinute, beforeMinute] = [next[to], Math.min(openFrom(to), next[to] + minutesAtOnce)];
    if (beforeMinute <= fromMinute) return;
    const kept = await statistics.keptPromises({ holder, to, fromMinute, beforeMinute });
    const byMinute = Map.groupBy(kept, ({ minute }) => minute);
    for (let minute = fromMinute; minute < beforeMinute; minute += 1)
      tell(to, minute, byMinute.get(minute) ?? []);
    next[to] = beforeMinute;
  };
  const forget = async (holder: number, resolved: ResolvedMinutes) => {
    for (const to of kinds) {
      if (resolved[to] <= forgotten[to]) continue;
      await statistics.forgetKeptPromises({ holder, to, fromMinute: 0, beforeMinute: resolved[to] });
      forgotten[to] = resolved[to];
    }
  };
  const settleGone = async (authority: LeaseRoundEnd['authority'], nowMs: number) => {
    for (const { holder, resolved, lastMs } of await authority.gone()) {
      if (wholeMs < lastMs + overAfter('ad') * minuteMs) continue;
      const beforeMinute = minuteOf(nowMs) + 1;
      const kept: KeptPromises[] = [];
      for (const to of kinds)
        kept.push(...(await statistics.keptPromises({ holder, to, fromMinute: resolved[to], beforeMinute })));
      await authority.settle(holder, billedOf(kept, daysOf));
      for (const to of kinds)
        await statistics.forgetKeptPromises({ holder, to, fromMinute: 0, beforeMinute });
    }
  };
  return {
    begin(nowMs) {
      for (const to of kinds) forgotten[to] = next[to] = minuteOf(nowMs) - minutesAhead;
    },
    resolved: () => ({ ...next }),
    async resolve(holder, nowMs, tell) {
      if (nowMs - lookedMs < lookEveryMs) return;
      lookedMs = nowMs;
      try {
        wholeMs = await wholeUntil(statistics, nowMs);
        for (const to of kinds) await resolveKind(to, holder, tell);
      } catch {
        // The store is away, and says so elsewhere: promises stay.
      }
    },
    async settle({ authority, holder, resolved, nowMs }) {
      if (nowMs - settledMs < settleEveryMs) return;
      settledMs = nowMs;
      try {
        await forget(holder, resolved);
        await settleGone(authority, nowMs);
        await authority.forget(Math.floor(nowMs / dayMs) - daysKept);
      } catch {
        // In half a minute again.
      }
    },
  };
}
