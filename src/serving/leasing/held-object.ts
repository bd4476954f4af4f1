import { dayLine, dayOf, minutesPerDay } from '../../exchange/limits/day-line.ts';
import type { CountedInAll } from '../../exchange/limits/limits.ts';
import { minuteOf } from '../../exchange/limits/promise-minutes.ts';
import type { Limited, PromisedTo } from '../../exchange/limits/promised.ts';
import type { PromisedSum } from '../../exchange/limits/promised-minutes.ts';
import type { Shares } from '../../exchange/limits/shares.ts';
import { type LimitReport, type Measure, measures } from '../../leases/authority.ts';
import { type HeldLimit, holdLimit } from './held-limit.ts';
import { holdRate } from './held-rate.ts';

/** What an object's limits are held with. */
export interface ObjectHolding {
  readonly shares: Shares;
  readonly slot: number;
  /** How many processes there are. */
  readonly holders: () => number;
  /** What all processes have counted and promised, as the store says. */
  readonly counted: (limited: Limited, timeMs: number) => CountedInAll;
  /** From 0 to less than 1. */
  readonly random: () => number;
  /** Milliseconds that never go back. */
  readonly steadyMs: () => number;
}

export interface HoldingTurn {
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /** Whether all is to be said, not only what has changed. */
  readonly isWhole: boolean;
  /** Whether nothing was said for so long that rates may be others' when this is heard. */
  readonly wasSilent: boolean;
}

/** What is said of a limit, and who is told the answer. */
export interface Said {
  readonly limit: HeldLimit;
  readonly report: LimitReport;
}

/** What this process holds of the limits of one object. */
export interface HeldObject {
  /** The object as it is configured now. */
  limited: Limited;
  /** Nothing is said of it before this time of the steady clock. */
  readonly askFromMs: number;
  report(turn: HoldingTurn): Said[];
  /** Gives up what was promised in a minute and is more than what was kept. */
  resolve(to: PromisedTo, minute: number, kept: PromisedSum): void;
  /** Gives back all that is left of its limits. */
  giveBack(): void;
  /** Forgets all it holds and has promised. */
  reset(): void;
  /** How many limits are held. */
  size(): number;
}

/** What limits allow at a time; 0 = unlimited. */
const lines: Readonly<Record<Measure, (limits: Limited['limits'], nowMs: number) => number>> = {
  requests: ({ requestsDaily }, nowMs) => requestsDaily && dayLine(requestsDaily, nowMs),
  bids: ({ bidsDaily }, nowMs) => bidsDaily && dayLine(bidsDaily, nowMs),
  impressions: ({ impressionsDaily }, nowMs) => impressionsDaily && dayLine(impressionsDaily, nowMs),
  amount: ({ amountDailyNanos }) => amountDailyNanos,
  total: ({ amountTotalNanos }) => amountTotalNanos,
  rate: ({ maxQps }) => maxQps,
};

/** The part of what is promised that a measure is about. */
const partOf: Readonly<Partial<Record<Measure, (sum: PromisedSum) => number>>> = {
  impressions: ({ impressions }) => impressions,
  amount: ({ nanos }) => nanos,
  total: ({ nanos }) => nanos,
};

const isOfAllDays = (measure: Measure) => measure === 'total' || measure === 'rate';

/** A cent, and less of limits below 1.28 USD. */
const leastNanos = 10_000_000;
const leastShare = 128;
const leastOf = (measure: Measure, line: number) => {
  if (line === 0) return 0;
  return measure === 'amount' || measure === 'total' ? Math.min(leastNanos, Math.ceil(line / leastShare)) : 1;
};

/** Where a limit is set for an object that had others, promises of before did not take of it for so long. */
const openMinutes = 66;

/** The limits of one object, and what of them is open. */
function holdLimits(of: Limited, { shares, slot, holders, random, steadyMs }: ObjectHolding) {
  const held = new Map<Measure, HeldLimit>();
  const begin = (measure: Measure, day: number, sinceMinute: number): HeldLimit => {
    const resource = { kind: of.kind, id: of.id, measure, day };
    if (measure === 'rate') return holdRate(resource, { shares, slot, holders, steadyMs });
    const place = { pool: shares.pool(measure), at: shares.at(slot, measure, day), random, steadyMs };
    return holdLimit(resource, place, sinceMinute);
  };
  /** What is held of a limit now; undefined where there is no such limit and was none. */
  const limitAt = (
    measure: Measure,
    line: number,
    nowMs: number,
    isFresh: boolean,
  ): HeldLimit | undefined => {
    const day = isOfAllDays(measure) ? 0 : dayOf(nowMs);
    let limit = held.get(measure);
    if (line === 0 && !limit) return undefined;
    if (limit?.day !== day) {
      limit = begin(measure, day, limit?.sinceMinute ?? (isFresh ? 0 : minuteOf(nowMs) + 1));
      held.set(measure, limit);
    }
    if (line === 0) limit.sinceMinute = minuteOf(nowMs) + 1;
    return limit;
  };
  /** What is promised of a limit and may still come; nothing while it may be of before the limit began. */
  const openOf = ({ measure, day, sinceMinute }: HeldLimit, nowMs: number): number => {
    const part = partOf[measure];
    if (!part || (sinceMinute > 0 && minuteOf(nowMs) < sinceMinute + openMinutes)) return 0;
    const days = measure === 'total' ? [dayOf(nowMs), dayOf(nowMs) - 1] : [day];
    const { ad, offer } = shares.promised;
    return days.reduce((sum, one) => sum + part(ad.openOf(slot, one)) + part(offer.openOf(slot, one)), 0);
  };
  return { held, limitAt, openOf };
}

export function holdObject(of: Limited, askFromMs: number, holding: ObjectHolding): HeldObject {
  const { shares, slot, counted } = holding;
  const { held, limitAt, openOf } = holdLimits(of, holding);
  const addUnpromised = (day: number) => {
    const sum = shares.takeUnpromised(slot, day);
    for (const limit of sum.impressions > 0 ? held.values() : []) {
      if (limit.day === day || isOfAllDays(limit.measure)) limit.addUsed(partOf[limit.measure]?.(sum) ?? 0);
    }
  };
  const object: HeldObject = {
    limited: of,
    askFromMs,
    report(turn) {
      const { nowMs } = turn;
      const { limits } = object.limited;
      const [today, isFresh] = [dayOf(nowMs), held.size === 0];
      addUnpromised(today);
      addUnpromised(today - 1);
      return measures.flatMap((measure) => {
        const line = lines[measure](limits, nowMs);
        const limit = limitAt(measure, line, nowMs, isFresh);
        const report = limit?.report({
          ...{ line, least: leastOf(measure, line), ...turn, open: () => openOf(limit, nowMs) },
          counted: () => (measure === 'rate' ? 0 : counted(object.limited, nowMs)[measure]),
        });
        return limit && report ? [{ limit, report }] : [];
      });
    },
    resolve(to, minute, kept) {
      const promised = shares.promised[to].of(slot, minute);
      if (promised.impressions === 0 && promised.nanos === 0) return;
      shares.promised[to].end(slot, minute);
      const day = Math.floor(minute / minutesPerDay);
      for (const limit of held.values()) {
        const part = partOf[limit.measure];
        const isOf = (limit.day === day || isOfAllDays(limit.measure)) && minute >= limit.sinceMinute;
        if (part && isOf) limit.release(Math.max(0, part(promised) - part(kept)));
      }
    },
    giveBack() {
      for (const limit of held.values()) limit.drop();
    },
    reset() {
      object.giveBack();
      for (const promised of Object.values(shares.promised)) promised.forget(slot);
      held.clear();
    },
    size: () => held.size,
  };
  return object;
}
