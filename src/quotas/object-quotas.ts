import { type LimitRule, limitRules } from '../exchange/limits/limit-rules.ts';
import { minuteOf } from '../exchange/limits/promise-minutes.ts';
import type { PromisedTo } from '../exchange/limits/promised.ts';
import type { PromisedSum } from '../exchange/limits/promised-minutes.ts';
import type { Quotas } from '../exchange/limits/quotas.ts';
import type { Limited } from '../exchange/snapshot/limited.ts';
import { type LimitReport, type Measure, measures } from '../leases/authority.ts';
import { dayNumber } from '../shared/limit-days.ts';
import { type LocalQuota, openLocalQuota } from './local-quota.ts';
import { openLocalRate } from './local-rate.ts';

export interface ObjectQuotasOptions {
  readonly quotas: Quotas;
  readonly slot: number;
  readonly holders: () => number;
  /** From 0 to less than 1. */
  readonly random: () => number;
  /** Never goes back. */
  readonly steadyMs: () => number;
}

export interface LeaseRound {
  /** Of the configuration served. */
  readonly revision: number;
  readonly nowMs: number;
  /** Whether to report all, not only changes. */
  readonly isWhole: boolean;
}

export type TellReport = (quota: LocalQuota, report: LimitReport | undefined) => void;

export interface ObjectQuotas {
  /** As configured now. */
  limited: Limited;
  readonly slot: number;
  /** To be called when an auction has asked for something. */
  touch(): void;
  /** Whether no auction has asked for long, and nothing is held any more. */
  isOver(): boolean;
  /** Tells of each limit, with its report if there is anything to report. */
  report(turn: LeaseRound, tell: TellReport): void;
  /** What was counted on the present day, for limits that are uncounted. */
  count(nowMs: number, counted: Counted): void;
  /** Others want what it holds. */
  recall(): void;
  /** Gives up promises of a minute beyond those kept; false if there were none. */
  resolve(to: PromisedTo, minute: number, kept: PromisedSum): boolean;
  hasPromises(): boolean;
  /** See `LocalQuota.end`. */
  endRates(fellMs: number): void;
  giveBack(): void;
  reset(): void;
  size(): number;
}

/** By all processes, as the store says: on a day, and in total. */
export type Counted = Readonly<Record<Exclude<Measure, 'rate'>, number>>;

type ShareRule = Pick<LimitRule, 'line' | 'part' | 'dayOf' | 'isOfAllDays'>;
const rules: Readonly<Record<Measure, ShareRule>> = {
  ...limitRules,
  rate: { line: ({ limits }) => limits.maxQps, part: undefined, dayOf: () => 0, isOfAllDays: true },
};
const partOf = (measure: Measure): ((sum: PromisedSum) => number) | undefined => {
  const { part } = rules[measure];
  return part && ((sum) => sum[part]);
};
const isOfAllDays = (measure: Measure) => rules[measure].isOfAllDays;

/** A cent; less for limits below 1.28 USD. */
const leastNanos = 10_000_000;
const leastShare = 128;
const leastOf = (measure: Measure, line: number) => {
  if (line === 0) return 0;
  return rules[measure].part === 'nanos' ? Math.min(leastNanos, Math.ceil(line / leastShare)) : 1;
};

const minuteMs = 60_000;
/** How long earlier promises may come that did not take from a new limit. */
const openMinutes = 66;
/** A share is held so long without an auction; twice as long each time that it was missed afterwards, up to the most. */
const heldMs = { least: 60_000, most: 960_000 } as const;
const daysMax = 4;

/** Of each measure the days seen last: to which a clock may be set back, and of which promises may be resolved. */
function holdLimits(of: Limited, { quotas, slot, holders, random, steadyMs }: ObjectQuotasOptions) {
  /** The last seen last. */
  const held = new Map<Measure, readonly LocalQuota[]>();
  const begin = (measure: Measure, day: number, sinceMinute: number): LocalQuota => {
    const resource = { kind: of.kind, id: of.id, measure, day: dayNumber(day) };
    if (measure === 'rate') return openLocalRate(resource, { quotas, slot, holders, random, steadyMs });
    const place = { pool: quotas.pool(measure), at: quotas.at(slot, measure, day), day, random, steadyMs };
    return openLocalQuota(resource, place, sinceMinute);
  };
  /** Begins a day, or goes on with it: if another one has taken its pool, what was left counts as used. */
  const seeDay = (measure: Measure, day: number, sinceMinute: number): LocalQuota => {
    const seen = held.get(measure) ?? [];
    const last = seen.at(-1);
    const known = last?.day === day ? last : seen.find((quota) => quota.day === day);
    if (known && measure !== 'rate') quotas.pool(measure).begin(quotas.at(slot, measure, day), day);
    if (known) return known;
    const quota = begin(measure, day, last?.sinceMinute ?? sinceMinute);
    held.set(measure, [...seen.slice(1 - daysMax), quota]);
    return quota;
  };
  /** Undefined if there is no such limit and was none. */
  const limitAt = (
    object: Limited,
    measure: Measure,
    line: number,
    { nowMs, isFresh }: { readonly nowMs: number; readonly isFresh: boolean },
  ): LocalQuota | undefined => {
    if (line === 0 && !held.has(measure)) return undefined;
    const minute = minuteOf(nowMs) + 1;
    const quota = seeDay(measure, rules[measure].dayOf(object, nowMs), isFresh ? 0 : minute);
    if (line === 0) quota.sinceMinute = minute;
    return quota;
  };
  const { ad, offer } = quotas.promised;
  const openOn = (part: (sum: PromisedSum) => number, parity: number) =>
    part(ad.openOf(slot, parity)) + part(offer.openOf(slot, parity));
  /** Nothing while promises may date from before the limit. */
  const openOf = ({ measure, day, sinceMinute }: LocalQuota, nowMs: number): number => {
    const part = partOf(measure);
    if (!part || (sinceMinute > 0 && minuteOf(nowMs) < sinceMinute + openMinutes)) return 0;
    return isOfAllDays(measure) ? openOn(part, 0) + openOn(part, 1) : openOn(part, day & 1);
  };
  const all = () => [...held.values()].flat();
  return { held, all, limitAt, openOf };
}

export function openObjectQuotas(of: Limited, holding: ObjectQuotasOptions): ObjectQuotas {
  const { quotas, slot, steadyMs } = holding;
  const { held, all, limitAt, openOf } = holdLimits(of, holding);
  let touchedMs = Number.NEGATIVE_INFINITY;
  let keptMs: number = heldMs.least;
  const isIdle = () => steadyMs() - touchedMs >= keptMs;
  const isAt = ({ measure, day }: LocalQuota, timeMs: number) =>
    day === rules[measure].dayOf(object.limited, timeMs);
  const object: ObjectQuotas = {
    limited: of,
    slot,
    touch() {
      if (isIdle() && Number.isFinite(touchedMs)) keptMs = Math.min(heldMs.most, 2 * keptMs);
      touchedMs = steadyMs();
    },
    isOver: () => isIdle() && !all().some((quota) => quota.holds()),
    report({ nowMs, isWhole }, tell) {
      const isFresh = held.size === 0;
      const wantsNothing = isIdle();
      for (const measure of measures) {
        const line = rules[measure].line(object.limited, nowMs);
        const quota = limitAt(object.limited, measure, line, { nowMs, isFresh });
        if (!quota) continue;
        const least = wantsNothing ? 0 : leastOf(measure, line);
        const open = () => openOf(quota, nowMs);
        tell(quota, quota.report({ line, least, open, isWhole }));
      }
    },
    count(nowMs, counted) {
      for (const quota of all())
        if (quota.measure !== 'rate' && quota.isUncounted() && isAt(quota, nowMs))
          quota.count(counted[quota.measure]);
    },
    recall() {
      for (const quota of all()) quota.recall();
    },
    resolve(to, minute, kept) {
      const promised = quotas.promised[to].of(slot, minute);
      if (promised.impressions === 0 && promised.nanos === 0) return false;
      quotas.promised[to].end(slot, minute);
      for (const quota of all()) {
        const part = partOf(quota.measure);
        const isOf = isAt(quota, minute * minuteMs) && minute >= quota.sinceMinute;
        if (part && isOf) quota.release(Math.max(0, part(promised) - part(kept)));
      }
      return true;
    },
    hasPromises: () =>
      Object.values(quotas.promised).some((promised) =>
        [0, 1]
          .map((parity) => promised.openOf(slot, parity))
          .some(({ impressions, nanos }) => impressions !== 0 || nanos !== 0),
      ),
    endRates(fellMs) {
      for (const quota of held.get('rate') ?? []) quota.end(fellMs);
    },
    giveBack() {
      for (const quota of all()) quota.drop();
    },
    reset() {
      object.giveBack();
      for (const promised of Object.values(quotas.promised)) promised.forget(slot);
      held.clear();
    },
    size: () => all().filter((quota) => quota.holds()).length,
  };
  return object;
}
