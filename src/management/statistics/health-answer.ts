import type { ShownRefusal } from '../../answers/explanation.ts';
import type { Health, HealthReason, Lack, ObjectHealth } from '../../answers/object-health.ts';
import type { HealthState } from '../../reference/health-states.ts';
import type { MeasureValues } from '../../reference/measures.ts';
import { helpOfReason } from '../../reference/reason-help.ts';

const refusalsMax = 20;
const unfilledMax = 50;
/** From how many on shares mean something, and when they stand out. */
const enough = { calls: 20, requests: 100, shown: 20 } as const;
const failuresMost = 1 / 3;
const invalidMost = 1 / 10;

const isoOf = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;

const reasonOf = (name: string): HealthReason => ({ Reason: name, Help: helpOfReason(name) });
const reasonOfLack = ({ Field, Message }: Lack): HealthReason => ({
  Reason: 'not_ready',
  Help: `${Field} ${Message}.`,
});
const withRule = ({ Rule, Help, Field, Wanted, Met }: ShownRefusal) => ({
  Reason: Rule,
  Help,
  Field,
  Wanted,
  Met,
});
const namesOf = (refusals: readonly ShownRefusal[]) =>
  refusals.map(({ Rule, Help }) => ({ Reason: Rule, Help }));

/** Of most objects threads know nothing. */
const unknown = {
  lastRequestMs: undefined,
  lastFault: undefined,
  pauses: [],
  limits: [],
  inactive: [],
} as const;

function together(known: readonly ObjectHealth[]) {
  if (known.length === 0) return unknown;
  const latest = (times: readonly (number | undefined)[]) =>
    times.reduce((last, ms) => (ms !== undefined && ms > (last ?? 0) ? ms : last), undefined);
  const faults = known.flatMap(({ lastFault }) => lastFault ?? []);
  return {
    lastRequestMs: latest(known.map(({ lastRequestMs }) => lastRequestMs)),
    lastFault: faults.toSorted((one, other) => other.timeMs - one.timeMs)[0],
    pauses: known.flatMap(({ pause }) => pause ?? []),
    limits: known[0]?.limits ?? [],
    inactive: known[0]?.inactive ?? [],
  };
}

/** By reason, in the last hour. */
export interface CountedRefusal {
  readonly reason: string;
  readonly figures: MeasureValues;
}

/** In memory, by thread, and in the database. */
export interface KnownHealth {
  readonly id: number;
  readonly name: string;
  readonly isActive: boolean;
  readonly isDemand: boolean;
  readonly sinceMs: number;
  readonly missing: readonly Lack[];
  readonly threads: readonly ObjectHealth[];
  readonly threadsOf: number;
  readonly figures: MeasureValues;
  readonly refusals: readonly CountedRefusal[];
  /** Start of the last hour with requests, of the last day. */
  readonly lastHourMs: number | undefined;
}

type StateFacts = Pick<KnownHealth, 'isActive' | 'isDemand' | 'missing' | 'threads' | 'figures' | 'refusals'>;

/** No fault of a bid: it was outbid, or there was none. */
const isOfBids = (reason: string, figures: MeasureValues) =>
  reason !== 'lost' && (figures.LostValue ?? 0) > 0;

function demandWarnings({ figures, refusals }: StateFacts): HealthReason[] {
  const of = (name: keyof MeasureValues) => figures[name] ?? 0;
  const isMost = (part: number, all: number) => all >= enough.calls && part > all * failuresMost;
  const refused = refusals.filter(({ reason, figures: counted }) => isOfBids(reason, counted));
  return [
    ...(isMost(of('Timeouts'), of('Calls')) ? [reasonOf('timed_out')] : []),
    ...(isMost(of('Errors'), of('Calls')) ? [reasonOf('error')] : []),
    ...(isMost(of('PausedCalls'), of('CallAttempts')) ? [reasonOf('paused_after_failures')] : []),
    ...refused.flatMap(({ reason, figures: counted }) =>
      isMost(counted.Refusals ?? 0, of('Bids')) ? [reasonOf(reason)] : [],
    ),
  ];
}

/** Of what `Invalid` is a part: requests that could not be read are none of `Requests`. */
const judgedIn = ({ Invalid, Requests, Impressions, Clicks }: MeasureValues): number =>
  Math.max(Invalid ?? 0, (Requests ?? 0) + (Impressions ?? 0) + (Clicks ?? 0));

function supplyWarnings({ figures, refusals }: StateFacts): HealthReason[] {
  const of = (name: keyof MeasureValues) => figures[name] ?? 0;
  const isUnfilled = of('Requests') >= enough.requests && of('Impressions') === 0;
  const all = judgedIn(figures);
  const isInvalid = all >= enough.shown && of('Invalid') > all * invalidMost;
  const [most] = refusals;
  const invalidBy = refusals.find(({ figures: { Invalid = 0 } }) => Invalid * 2 >= of('Invalid'));
  return [
    ...(isUnfilled ? [reasonOf(most?.reason ?? 'no_demand')] : []),
    ...(isInvalid ? [reasonOf(invalidBy?.reason ?? 'invalid_traffic')] : []),
  ];
}

/** What serves is ready enough, whatever it lacks. */
export const isServing = ({ Wins, Impressions }: MeasureValues): boolean => Boolean(Wins || Impressions);

/** The worst one that applies. */
export function stateOf(known: StateFacts): { State: HealthState; Reasons: readonly HealthReason[] } {
  const { inactive, pauses, limits } = together(known.threads);
  if (!known.isActive) return { State: 'inactive', Reasons: [reasonOf('inactive')] };
  if (inactive.length > 0) return { State: 'inactive', Reasons: namesOf(inactive) };
  if (known.missing.length > 0 && !isServing(known.figures))
    return { State: 'not_ready', Reasons: known.missing.map(reasonOfLack) };
  if (pauses.length > 0)
    return { State: 'paused', Reasons: namesOf(pauses.flatMap(({ refusal }) => refusal ?? [])) };
  if (limits.length > 0) return { State: 'limited', Reasons: namesOf(limits) };
  const Reasons = known.isDemand ? demandWarnings(known) : supplyWarnings(known);
  if (Reasons.length > 0) return { State: 'warning', Reasons };
  // Campaigns bid without a call.
  const { Requests = 0, CallAttempts = 0, Bids = 0 } = known.figures;
  return { State: Requests + CallAttempts + Bids > 0 ? 'ok' : 'idle', Reasons };
}

function shownRefusals(refusals: readonly CountedRefusal[]) {
  const some = refusals.filter(({ figures }) => figures.Refusals !== 0).slice(0, refusalsMax);
  return some.map(({ reason, figures: { Refusals = 0, LostValue = 0 } }) => ({
    ...reasonOf(reason),
    Refusals,
    LostValue,
  }));
}

/** Calls, the partner's pause, and its last faulty answer. */
function ofDemand({ figures, threads, threadsOf }: KnownHealth) {
  const { pauses, lastFault } = together(threads);
  const [last] = pauses.toSorted((one, other) => other.untilMs - one.untilMs);
  const { LatencyP50 = null, LatencyP95 = null, LatencyP99 = null } = figures;
  return {
    LatencyP50,
    LatencyP95,
    LatencyP99,
    Paused: last
      ? {
          Until: isoOf(last.untilMs),
          ...(last.refusal ? withRule(last.refusal) : reasonOf('paused_after_failures')),
          Threads: pauses.length,
          OfThreads: threadsOf,
        }
      : null,
    LastFault: lastFault
      ? {
          Time: isoOf(lastFault.timeMs),
          ...withRule(lastFault),
          HttpStatus: lastFault.httpStatus,
          Markup: lastFault.markup,
          IsCut: lastFault.isCut ? 1 : 0,
          IsTolerated: lastFault.isTolerated ? 1 : 0,
        }
      : null,
  };
}

const percentOf = (part: number, all: number) => Math.round((1e8 * part) / all) / 1e6;

function shownUnfilled(threads: readonly ObjectHealth[]) {
  const counts = threads.flatMap(({ unfilled }) => unfilled ?? []);
  const requests = counts.reduce((sum, one) => sum + one.requests, 0);
  const byName = Map.groupBy(
    counts.flatMap((one) => one.byName),
    ([name]) => name,
  );
  return [...byName]
    .map(([Parameter, rows]) => {
      const Requests = rows.reduce((sum, [, count]) => sum + count, 0);
      return { Parameter, Requests, Percent: percentOf(Requests, requests) };
    })
    .toSorted((one, other) => other.Requests - one.Requests)
    .slice(0, unfilledMax);
}

function ofSupply({ figures, threads }: KnownHealth) {
  const all = judgedIn(figures);
  return {
    InvalidRate: all === 0 ? null : percentOf(figures.Invalid ?? 0, all),
    Unfilled: shownUnfilled(threads),
  };
}

/** `figures`: those of its side. */
export function healthAnswer(known: KnownHealth): Health {
  const { lastRequestMs, limits } = together(known.threads);
  const last = lastRequestMs ?? known.lastHourMs;
  return {
    Id: known.id,
    Name: known.name,
    ...stateOf(known),
    Missing: known.missing,
    Since: isoOf(known.sinceMs),
    LastRequest: last === undefined ? null : isoOf(last),
    ...known.figures,
    ...(known.isDemand ? ofDemand(known) : ofSupply(known)),
    Refusals: shownRefusals(known.refusals),
    Limits: limits.map(withRule),
  };
}
