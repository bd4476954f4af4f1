import type { ConfigurationObject } from '../configuration.ts';
import { nanosOf } from '../money.ts';
import type { MatchFlags, ObjectLimits } from './exchange-object.ts';

type Stored = Pick<ConfigurationObject, 'document'>;

/** A number of the document; 0 where the entity has no such field. */
export function numberIn({ document }: Stored, field: string): number {
  return Number(document[field] ?? 0);
}

const defaultTmaxMs = 300;

/** `Tmax`, 300 where it is 0. */
export function tmaxMsOf(object: Stored): number {
  return numberIn(object, 'Tmax') || defaultTmaxMs;
}

const unlimited: ObjectLimits = Object.freeze({
  maxQps: 0,
  requestsDaily: 0,
  bidsDaily: 0,
  impressionsDaily: 0,
  impressionsPerIp: 0,
  amountDailyNanos: 0,
  amountTotalNanos: 0,
});

/** The limits of an object, whose daily limit of money is in the field `amountDaily`. Those without any share one. */
export function limitsOf(object: ConfigurationObject, amountDaily: string): ObjectLimits {
  const limits: ObjectLimits = {
    maxQps: numberIn(object, 'MaxQps'),
    requestsDaily: numberIn(object, 'RequestsDailyLimit'),
    bidsDaily: numberIn(object, 'BidsDailyLimit'),
    impressionsDaily: numberIn(object, 'ImpressionsDailyLimit'),
    impressionsPerIp: numberIn(object, 'ImpressionsLimitPerIp'),
    amountDailyNanos: nanosOf(numberIn(object, amountDaily)),
    amountTotalNanos: nanosOf(numberIn(object, 'SpendTotalLimit')),
  };
  return Object.values(limits).every((limit) => limit === 0) ? unlimited : limits;
}

const flagFields = ['NonEmptyReferer', 'RefererMatch', 'IpMatch', 'UaMatch'] as const;

/** Every combination of the four flags, once: the bits of its place are the flags. */
const matchFlags: readonly MatchFlags[] = Array.from({ length: 2 ** flagFields.length }, (_, bits) => ({
  nonEmptyReferer: (bits & 1) !== 0,
  refererMatch: (bits & 2) !== 0,
  ipMatch: (bits & 4) !== 0,
  uaMatch: (bits & 8) !== 0,
}));

/** The match flags of an object. */
export function matchFlagsOf(object: ConfigurationObject): MatchFlags {
  const bits = flagFields.reduce((sum, field, bit) => sum + numberIn(object, field) * 2 ** bit, 0);
  return matchFlags[bits] as MatchFlags;
}
