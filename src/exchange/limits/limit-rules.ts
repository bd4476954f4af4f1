import { type LimitedKind, roleOf } from '../../entities/kinds.ts';
import type { FlightLine, FlightPart } from '../../shared/delivery-plan.ts';
import { dayKey } from '../../shared/limit-days.ts';
import type { FieldLimit } from '../limit-fields.ts';
import { type Nanos, usdOf } from '../money.ts';
import type { Reason } from '../reasons.ts';
import type { ObjectLimits } from '../snapshot/exchange-object.ts';
import type { Limited } from '../snapshot/limited.ts';
import { dayLine } from './day-line.ts';
import type { PromisedSum } from './promised-minutes.ts';
import type { QuotaMeasure } from './quotas.ts';

/** How a limit of a measure is read, and what its refusals say. */
export interface LimitRule {
  readonly measure: QuotaMeasure;
  /** 0 = unlimited. */
  readonly limit: (limits: ObjectLimits) => number;
  /** What may be used by a time; 0 = unlimited. */
  readonly line: (object: Limited, timeMs: number) => number;
  /** The key of the day; 0 for all days. */
  readonly dayOf: (object: Pick<Limited, 'days'>, timeMs: number) => number;
  readonly isOfAllDays: boolean;
  /** What an ad uses that costs so much. */
  readonly units: (nanos: Nanos) => number;
  /** What of ads it counts; undefined: not ads. */
  readonly part: keyof PromisedSum | undefined;
  readonly limitName: FieldLimit;
  readonly reason: (kind: LimitedKind) => Reason;
  /** The line, where it is one of the object's plan. */
  readonly paced?: (object: Limited, timeMs: number) => number | undefined;
  /** The limit of the present flight. */
  readonly flight?: (object: Limited, timeMs: number) => FlightLine | undefined;
  /** As in explanations. */
  readonly shown: (units: number) => number;
}

const amountReasons: Readonly<Record<ReturnType<typeof roleOf<LimitedKind>>['amountDaily'], Reason>> = {
  SpentDailyLimit: 'spent_daily_limit',
  SpendDailyLimit: 'spent_daily_limit',
  RevenueDailyLimit: 'revenue_daily_limit',
};

type LimitOf = LimitRule['limit'];

const ofCounts = { units: () => 1, shown: (units: number) => units };
const perDay = {
  dayOf: ({ days }: Pick<Limited, 'days'>, timeMs: number) => dayKey(days, timeMs),
  isOfAllDays: false,
};
const ofDay = (limit: LimitOf) => ({
  ...ofCounts,
  ...perDay,
  limit,
  line: ({ limits, days }: Limited, timeMs: number) => limit(limits) && dayLine(limit(limits), timeMs, days),
});
/** As `Pacing` says, else by `otherwise`. */
const pacedDay = (limit: LimitOf, otherwise: typeof dayLine) => ({
  ...perDay,
  limit,
  line({ limits, plan, days }: Limited, timeMs: number): number {
    const most = limit(limits);
    return most && (plan?.ofDay(most, timeMs) ?? otherwise(most, timeMs, days));
  },
  paced: ({ limits, plan }: Limited, timeMs: number) => plan?.ofDay(limit(limits), timeMs),
});
const ofAmount = {
  units: (nanos: Nanos) => nanos,
  part: 'nanos' as const,
  shown: usdOf,
};
/** So much is never used. */
const unlimited = Number.MAX_SAFE_INTEGER;

/** `part`: which limit of flights counts, too, for which the total may be 0. */
function inAll(total: LimitOf, ofFlights: LimitOf, part: FlightPart) {
  const limit: LimitOf = (limits) => total(limits) || (limits.flights && ofFlights(limits));
  const paced = ({ limits, plan }: Limited, timeMs: number) =>
    total(limits) ? plan?.inAll(total(limits), timeMs) : undefined;
  const flight = ({ limits, plan }: Limited, timeMs: number) =>
    limits.flights && ofFlights(limits) ? plan?.inFlight(part, timeMs) : undefined;
  const line = (object: Limited, timeMs: number) => {
    if (limit(object.limits) === 0) return 0;
    const whole = paced(object, timeMs) ?? (total(object.limits) || unlimited);
    return Math.min(whole, flight(object, timeMs)?.line ?? unlimited);
  };
  return { dayOf: () => 0, isOfAllDays: true, limit, line, paced, flight };
}

export const limitRules = {
  requests: {
    ...ofDay(({ requestsDaily }) => requestsDaily),
    measure: 'requests',
    part: undefined,
    limitName: 'requestsDaily',
    reason: () => 'requests_daily_limit',
  },
  bids: {
    ...ofDay(({ bidsDaily }) => bidsDaily),
    measure: 'bids',
    part: undefined,
    limitName: 'bidsDaily',
    reason: () => 'bids_daily_limit',
  },
  impressions: {
    ...ofCounts,
    ...pacedDay(({ impressionsDaily }) => impressionsDaily, dayLine),
    measure: 'impressions',
    part: 'impressions',
    limitName: 'impressionsDaily',
    reason: () => 'impressions_daily_limit',
  },
  amount: {
    ...ofAmount,
    ...pacedDay(
      ({ amountDailyNanos }) => amountDailyNanos,
      (limit) => limit,
    ),
    measure: 'amount',
    limitName: 'amountDailyNanos',
    reason: (kind) => amountReasons[roleOf(kind).amountDaily],
  },
  total: {
    ...ofAmount,
    ...inAll(
      ({ amountTotalNanos }) => amountTotalNanos,
      ({ flightNanos }) => flightNanos,
      'nanos',
    ),
    measure: 'total',
    limitName: 'amountTotalNanos',
    reason: () => 'spend_total_limit',
  },
  impressionsTotal: {
    ...ofCounts,
    ...inAll(
      ({ impressionsTotal }) => impressionsTotal,
      ({ flightImpressions }) => flightImpressions,
      'impressions',
    ),
    measure: 'impressionsTotal',
    part: 'impressions',
    limitName: 'impressionsTotal',
    reason: () => 'impressions_total_limit',
  },
} as const satisfies Readonly<Record<QuotaMeasure, LimitRule>>;

/** What an ad uses of: a bit for each in `Promised.shares`. */
export const adRules: readonly LimitRule[] = [
  limitRules.impressions,
  limitRules.amount,
  limitRules.total,
  limitRules.impressionsTotal,
];
