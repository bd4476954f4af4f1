import type { FlightLine } from '../../shared/delivery-plan.ts';
import { limitFields } from '../limit-fields.ts';
import type { Nanos } from '../money.ts';
import { type Refusal, refuse } from '../reasons.ts';
import type { Limited } from '../snapshot/limited.ts';
import { type LimitRule, limitRules } from './limit-rules.ts';
import type { Quotas } from './quotas.ts';
import type { Rates } from './rates.ts';

/** An object that asks for something at a time, which costs so much. */
export interface Asker {
  readonly slot: number;
  readonly object: Limited;
  readonly timeMs: number;
  readonly nanos: Nanos;
}

export type Taking = ReturnType<typeof taking>;

function flightRefusal(
  { shown }: LimitRule,
  { before, limit, line }: FlightLine,
  { met, next }: { readonly met: number; readonly next: number },
): Refusal {
  const isOver = next > before + limit;
  const wanted = shown(isOver ? limit : line - before);
  return refuse(isOver ? 'flight_limit' : 'paced', { field: 'Flights', wanted, met: shown(met - before) });
}

/**
 * Takes units of limits. Of objects without a limit they are counted too, because it may be set later. `isLook`: whoever
 * asks only wants to know, so that what could be granted is not lacking.
 */
export function taking(quotas: Quotas, isLook: boolean) {
  const { isAlone } = quotas;
  const placeOf = ({ measure, dayOf }: LimitRule, { slot, object, timeMs }: Asker) => {
    const day = dayOf(object, timeMs);
    return { day, pool: quotas.pool(measure), at: quotas.at(slot, measure, day) };
  };
  const refusal = (rule: LimitRule, asker: Asker): Refusal => {
    const { limits, kind } = asker.object;
    const limit = rule.limit(limits);
    const { pool, at, day } = placeOf(rule, asker);
    const met = pool.met(at, day);
    const next = met + rule.units(asker.nanos);
    const line = rule.line(asker.object, asker.timeMs);
    const told = { field: limitFields(kind)[rule.limitName] ?? rule.limitName, wanted: rule.shown(limit) };
    const flight = rule.flight?.(asker.object, asker.timeMs);
    if (flight && next > flight.line) return flightRefusal(rule, flight, { met, next });
    const due = rule.paced?.(asker.object, asker.timeMs);
    if (due !== undefined && next > due && next <= limit)
      return refuse('paced', { ...told, wanted: rule.shown(due), met: rule.shown(met) });
    if (isAlone || next > line) return refuse(rule.reason(kind), { ...told, met: rule.shown(met) });
    return refuse(quotas.isValid() ? 'limit_share_used' : 'limit_authority_away', told);
  };
  const lack = (rule: LimitRule, asker: Asker): Refusal => {
    const { pool, at } = placeOf(rule, asker);
    pool.lack(at, rule.units(asker.nanos));
    quotas.lack();
    return refusal(rule, asker);
  };
  /** What could be granted counts as if it were, unless it is known that nothing is left. */
  const look = (rule: LimitRule, asker: Asker): Refusal | undefined => {
    const { pool, at, day } = placeOf(rule, asker);
    quotas.look(asker.slot);
    const met = pool.met(at, day) + rule.units(asker.nanos);
    const isWithin = met <= rule.line(asker.object, asker.timeMs);
    return isWithin && quotas.isValid() ? undefined : refusal(rule, asker);
  };
  const take = (rule: LimitRule, asker: Asker): Refusal | undefined => {
    const limit = rule.limit(asker.object.limits);
    const { pool, at, day } = placeOf(rule, asker);
    const units = rule.units(asker.nanos);
    if (limit === 0) {
      if (isAlone) pool.use(at, day, units, true);
      else pool.useUnlimited(at, day, units);
      return undefined;
    }
    if (!isAlone) quotas.touch(asker.slot);
    const isTaken = quotas.isValid() && pool.reserve(at, day, units, rule.line(asker.object, asker.timeMs));
    return isTaken ? undefined : lack(rule, asker);
  };
  const may = (rule: LimitRule, asker: Asker): Refusal | undefined => {
    const limit = rule.limit(asker.object.limits);
    if (limit === 0) return undefined;
    if (isLook) return look(rule, asker);
    const { pool, at, day } = placeOf(rule, asker);
    if (!isAlone) quotas.touch(asker.slot);
    const has =
      quotas.isValid() && pool.has(at, day, rule.units(asker.nanos), rule.line(asker.object, asker.timeMs));
    return has ? undefined : lack(rule, asker);
  };
  const giveBack = (rule: LimitRule, asker: Asker): void => {
    const { pool, at, day } = placeOf(rule, asker);
    const units = rule.units(asker.nanos);
    if (isAlone || rule.limit(asker.object.limits) > 0) {
      pool.release(at, day, units);
      if (!isAlone) quotas.touch(asker.slot);
    } else pool.useUnlimited(at, day, -units);
  };
  return { take, may, giveBack, refusal };
}

/** One request of the daily limit and of the rate, by milliseconds that never go back. */
export function requesting(
  quotas: Quotas,
  { take, may, giveBack }: Taking,
  {
    rates,
    steadyMs,
    isLook,
  }: {
    readonly rates: { readonly current: Rates };
    readonly steadyMs: () => number;
    readonly isLook: boolean;
  },
) {
  const rateOf = (slot: number, perSecond: number) => {
    if (!quotas.isAlone && !isLook) {
      quotas.touch(slot);
      quotas.noteRate(slot);
    }
    return isLook ? perSecond : Math.min(perSecond, quotas.rate(slot));
  };
  const rateRefusal = (slot: number, wanted: number) => {
    const isAway = !isLook && quotas.ratesFellMs() !== undefined;
    if (!isLook && quotas.rate(slot) === 0) quotas.lack();
    return refuse(isAway ? 'limit_authority_away' : 'max_qps', { field: 'MaxQps', wanted });
  };
  return {
    take(slot: number, object: Limited, timeMs: number): Refusal | undefined {
      const { maxQps } = object.limits;
      const asker = { slot, object, timeMs, nanos: 0 };
      // Also where the daily limit refuses, so that shares of both are asked for at once.
      const rate = maxQps === 0 ? 0 : rateOf(slot, maxQps);
      // The daily limit comes first, because it can be given back; what the rate has counted cannot.
      const ofDay = take(limitRules.requests, asker);
      if (ofDay || maxQps === 0 || rates.current.take(slot, rate, steadyMs())) return ofDay;
      giveBack(limitRules.requests, asker);
      return rateRefusal(slot, maxQps);
    },
    may(slot: number, object: Limited, timeMs: number): Refusal | undefined {
      const { maxQps } = object.limits;
      const ofDay = may(limitRules.requests, { slot, object, timeMs, nanos: 0 });
      if (ofDay || maxQps === 0 || rates.current.may(slot, rateOf(slot, maxQps), steadyMs())) return ofDay;
      return rateRefusal(slot, maxQps);
    },
  };
}
