import { type LimitedKind, limitedKindNames, roleOf } from '../entities/kinds.ts';
import type { ObjectLimits } from './snapshot/exchange-object.ts';

/** Limits that follow from those with a field. */
type Derived = 'pacing' | 'flightImpressions' | 'flightNanos' | 'zoned';

const everyKind = {
  maxQps: 'MaxQps',
  requestsDaily: 'RequestsDailyLimit',
  bidsDaily: 'BidsDailyLimit',
  impressionsDaily: 'ImpressionsDailyLimit',
  impressionsPerIp: 'ImpressionsLimitPerIp',
  frequencyCap: 'FrequencyCap',
  frequencyHours: 'FrequencyHours',
  frequencyMinMinutes: 'FrequencyMinMinutes',
  frequencyKey: 'FrequencyKey',
  frequencyUnknown: 'FrequencyUnknown',
  flights: 'Flights',
} as const;

function fieldsOf(kind: LimitedKind) {
  const { amountDaily, amountTotal, impressionsTotal } = roleOf(kind);
  return {
    ...everyKind,
    amountDailyNanos: amountDaily,
    amountTotalNanos: amountTotal,
    impressionsTotal,
  } satisfies Record<Exclude<keyof ObjectLimits, Derived>, string | undefined>;
}

const byKind = new Map(limitedKindNames.map((kind) => [kind, fieldsOf(kind)]));

/** The field of each limit; undefined: objects of the kind have no such limit. */
export const limitFields = (kind: LimitedKind) => byKind.get(kind) ?? fieldsOf(kind);

export type FieldLimit = keyof ReturnType<typeof limitFields>;

export type LimitField = Exclude<ReturnType<typeof limitFields>[FieldLimit], undefined | 'Flights'>;

export function limitOfField(kind: LimitedKind, field: string): FieldLimit | undefined {
  const found = Object.entries(limitFields(kind)).find(([, name]) => name === field);
  return found?.[0] as FieldLimit | undefined;
}
