import type { LimitedKind, SettingsOf, SupplyKind } from '../../entities/kinds.ts';
import { flightsOf, type PlanSettings, pacingOf } from '../../shared/delivery-plan.ts';
import type { ConfigurationObject, ServedObject } from '../configuration.ts';
import { type LimitField, limitFields } from '../limit-fields.ts';
import { nanosOf } from '../money.ts';
import type { MatchFlags, ObjectLimits } from './exchange-object.ts';

const defaultTmaxMs = 300;

/** 300 if it is 0. */
export function tmaxMsOf({ Tmax = 0 }: Pick<SettingsOf<SupplyKind>, 'Tmax'>): number {
  return Tmax || defaultTmaxMs;
}

export const noLimits: ObjectLimits = Object.freeze({
  maxQps: 0,
  requestsDaily: 0,
  bidsDaily: 0,
  impressionsDaily: 0,
  impressionsPerIp: 0,
  frequencyCap: 0,
  frequencyHours: 0,
  frequencyMinMinutes: 0,
  frequencyKey: 0,
  frequencyUnknown: 0,
  amountDailyNanos: 0,
  amountTotalNanos: 0,
  impressionsTotal: 0,
  pacing: 0,
  flights: 0,
  flightImpressions: 0,
  flightNanos: 0,
  zoned: 0,
});

const noFlights = { flights: 0, flightImpressions: 0, flightNanos: 0 };

function flightLimits(settings: PlanSettings) {
  if (!settings.Flights?.length) return noFlights;
  const flights = flightsOf(settings);
  return {
    flights: flights.length,
    flightImpressions: Math.max(0, ...flights.map(({ impressions }) => impressions)),
    flightNanos: Math.max(0, ...flights.map(({ nanos }) => nanos)),
  };
}

/** How impressions count is nothing without a cap or a time between two. */
const noFrequency = { frequencyHours: 0, frequencyKey: 0, frequencyUnknown: 0 };

export function limitsOf({
  entity,
  settings,
  formerZones,
}: Pick<ConfigurationObject<LimitedKind>, 'entity' | 'settings' | 'formerZones'>): ObjectLimits {
  const read = Object.entries(limitFields(entity)).map(([limit, field]) => {
    const value = (field && settings[field as LimitField]) || 0;
    return [limit, limit.endsWith('Nanos') ? nanosOf(value) : value];
  });
  const limits: ObjectLimits = {
    ...noLimits,
    ...Object.fromEntries(read),
    ...(!settings.FrequencyCap && !settings.FrequencyMinMinutes && noFrequency),
    ...flightLimits(settings),
    pacing: pacingOf(settings),
    zoned: settings.TimeZone || formerZones ? 1 : 0,
  };
  return Object.values(limits).every((limit) => limit === 0) ? noLimits : limits;
}

const flagFields = ['NonEmptyReferer', 'RefererMatch', 'IpMatch', 'UaMatch'] as const;

/** All combinations. The bits of the index are flags, in the order of `flagFields`. */
const matchFlags: readonly MatchFlags[] = Array.from({ length: 2 ** flagFields.length }, (_, bits) => ({
  nonEmptyReferer: (bits & 1) !== 0,
  refererMatch: (bits & 2) !== 0,
  ipMatch: (bits & 4) !== 0,
  uaMatch: (bits & 8) !== 0,
}));

export function matchFlagsOf({ settings }: Pick<ServedObject, 'settings'>): MatchFlags {
  const bits = flagFields.reduce((sum, field, bit) => sum + settings[field] * 2 ** bit, 0);
  return matchFlags[bits] as MatchFlags;
}
