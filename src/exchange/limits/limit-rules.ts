import { roleOf, type ServedKind } from '../../entities/kinds.ts';
import { type Nanos, usdOf } from '../money.ts';
import type { Reason } from '../reasons.ts';
import type { ObjectLimits } from '../snapshot/exchange-object.ts';
import { dayLine, dayOf } from './day-line.ts';
import type { QuotaMeasure } from './quotas.ts';

/** How a limit of a measure is read, and what its refusals say. */
export interface LimitRule {
  readonly measure: QuotaMeasure;
  /** 0 = unlimited. */
  readonly limit: (limits: ObjectLimits) => number;
  /** What may be used by a time. */
  readonly line: (limit: number, timeMs: number) => number;
  readonly dayOf: (timeMs: number) => number;
  /** What an ad uses that costs so much. */
  readonly units: (nanos: Nanos) => number;
  readonly field: (kind: ServedKind) => string;
  readonly reason: (kind: ServedKind) => Reason;
  /** As in explanations. */
  readonly shown: (units: number) => number;
}

const amountReasons: Readonly<Record<ReturnType<typeof roleOf<ServedKind>>['amountDaily'], Reason>> = {
  SpentDailyLimit: 'spent_daily_limit',
  SpendDailyLimit: 'spent_daily_limit',
  RevenueDailyLimit: 'revenue_daily_limit',
};

const ofCounts = { line: dayLine, dayOf, units: () => 1, shown: (units: number) => units };
const ofAmounts = { line: (limit: number) => limit, units: (nanos: Nanos) => nanos, shown: usdOf };

export const limitRules = {
  requests: {
    ...ofCounts,
    measure: 'requests',
    limit: ({ requestsDaily }) => requestsDaily,
    field: () => 'RequestsDailyLimit',
    reason: () => 'requests_daily_limit',
  },
  bids: {
    ...ofCounts,
    measure: 'bids',
    limit: ({ bidsDaily }) => bidsDaily,
    field: () => 'BidsDailyLimit',
    reason: () => 'bids_daily_limit',
  },
  impressions: {
    ...ofCounts,
    measure: 'impressions',
    limit: ({ impressionsDaily }) => impressionsDaily,
    field: () => 'ImpressionsDailyLimit',
    reason: () => 'impressions_daily_limit',
  },
  amount: {
    ...ofAmounts,
    measure: 'amount',
    limit: ({ amountDailyNanos }) => amountDailyNanos,
    dayOf,
    field: (kind) => roleOf(kind).amountDaily,
    reason: (kind) => amountReasons[roleOf(kind).amountDaily],
  },
  total: {
    ...ofAmounts,
    measure: 'total',
    limit: ({ amountTotalNanos }) => amountTotalNanos,
    dayOf: () => 0,
    field: () => 'SpendTotalLimit',
    reason: () => 'spend_total_limit',
  },
} as const satisfies Readonly<Record<QuotaMeasure, LimitRule>>;

/** What an ad uses of: a bit for each in `Promised.shares`. */
export const adRules: readonly LimitRule[] = [limitRules.impressions, limitRules.amount, limitRules.total];
