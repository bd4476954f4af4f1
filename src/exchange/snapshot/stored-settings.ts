import type { ConfigurationObject } from '../configuration.ts';
import { nanosOf } from '../money.ts';
import { numberOf } from '../stored-values.ts';
import type { MatchFlags, ObjectLimits } from './exchange-object.ts';

type Stored = Pick<ConfigurationObject, 'document'>;

const defaultTmaxMs = 300;

/** `Tmax`, 300 where it is 0. */
export function tmaxMsOf({ document }: Stored): number {
  return numberOf(document, 'Tmax') || defaultTmaxMs;
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

/**
 * The limits of an object; the field `amountDaily` holds its daily limit of money. Objects without limits share one
 * value.
 */
export function limitsOf({ document }: ConfigurationObject, amountDaily: string): ObjectLimits {
  const limits: ObjectLimits = {
    maxQps: numberOf(document, 'MaxQps'),
    requestsDaily: numberOf(document, 'RequestsDailyLimit'),
    bidsDaily: numberOf(document, 'BidsDailyLimit'),
    impressionsDaily: numberOf(document, 'ImpressionsDailyLimit'),
    impressionsPerIp: numberOf(document, 'ImpressionsLimitPerIp'),
    amountDailyNanos: nanosOf(numberOf(document, amountDaily)),
    amountTotalNanos: nanosOf(numberOf(document, 'SpendTotalLimit')),
  };
  return Object.values(limits).every((limit) => limit === 0) ? unlimited : limits;
}

const flagFields = ['NonEmptyReferer', 'RefererMatch', 'IpMatch', 'UaMatch'] as const;

/** Every combination of the four flags, once. The bits of its index are the flags, in the order of `flagFields`. */
const matchFlags: readonly MatchFlags[] = Array.from({ length: 2 ** flagFields.length }, (_, bits) => ({
  nonEmptyReferer: (bits & 1) !== 0,
  refererMatch: (bits & 2) !== 0,
  ipMatch: (bits & 4) !== 0,
  uaMatch: (bits & 8) !== 0,
}));

/** The match flags of an object. */
export function matchFlagsOf({ document }: ConfigurationObject): MatchFlags {
  const bits = flagFields.reduce((sum, field, bit) => sum + numberOf(document, field) * 2 ** bit, 0);
  return matchFlags[bits] as MatchFlags;
}
