import type { Refusal } from '../reasons.ts';
import type { ObjectLimits } from '../snapshot/exchange-object.ts';
import type { Limited } from '../snapshot/limited.ts';
import { adRules, type LimitRule } from './limit-rules.ts';
import type { Shown } from './promised.ts';
import type { PromisedSum } from './promised-minutes.ts';
import type { Quotas } from './quotas.ts';
import type { Asker, Taking } from './taking.ts';

export type HasDays = Pick<Limited, 'days'>;

/** What ads use of their objects' limits, and give back. */
export type AdUnits = ReturnType<typeof adUnits>;

export const allBits = (1 << adRules.length) - 1;
/** By their bits, so that no auction makes lists. */
const rulesByBits = Array.from({ length: allBits + 1 }, (_, bits) =>
  adRules.filter((_rule, index) => (bits & (1 << index)) !== 0),
);
export const rulesIn = (bits: number): readonly LimitRule[] => rulesByBits[bits] ?? [];

export function bitsLimited(limits: ObjectLimits): number {
  let bits = 0;
  for (const [index, rule] of adRules.entries()) if (rule.limit(limits) > 0) bits |= 1 << index;
  return bits;
}

const unitsIn = ({ part }: LimitRule, sum: PromisedSum) => (part ? sum[part] : 0);

export function adUnits(quotas: Quotas, take: Taking) {
  const { isAlone } = quotas;
  const placeOf = ({ measure, dayOf }: LimitRule, slot: number, object: HasDays, timeMs: number) => {
    const day = dayOf(object, timeMs);
    return { day, pool: quotas.pool(measure), at: quotas.at(slot, measure, day) };
  };
  return {
    /** Takes of all, or of none. */
    take(rules: readonly LimitRule[], asker: Asker): Refusal | undefined {
      for (const [index, rule] of rules.entries()) {
        const refusal = take.take(rule, asker);
        if (!refusal) continue;
        for (const taken of rules.slice(0, index)) take.giveBack(taken, asker);
        return refusal;
      }
      return undefined;
    },
    give(slot: number, object: HasDays, bits: number, timeMs: number, sum: PromisedSum): void {
      for (const rule of rulesIn(bits)) {
        const { pool, at, day } = placeOf(rule, slot, object, timeMs);
        pool.release(at, day, unitsIn(rule, sum));
      }
      if (!isAlone) quotas.touch(slot);
    },
    /** Uses what an ad cost that was shown, whatever is left; below 0 it is given back. */
    use(slot: number, object: Limited, { auction: { timeMs }, nowMs }: Shown, sum: PromisedSum): void {
      for (const rule of adRules) {
        const { pool, at, day } = placeOf(rule, slot, object, timeMs);
        const units = unitsIn(rule, sum);
        if (isAlone || rule.limit(object.limits) > 0)
          pool.use(at, day, units, day === rule.dayOf(object, nowMs));
        else pool.useUnlimited(at, day, units);
      }
      if (!isAlone) quotas.touch(slot);
    },
    /** The same of what was promised before this process began. */
    resume(slot: number, object: HasDays, timeMs: number, sum: PromisedSum): void {
      for (const rule of adRules) {
        const { pool, at, day } = placeOf(rule, slot, object, timeMs);
        pool.use(at, day, unitsIn(rule, sum), false);
      }
    },
  };
}
