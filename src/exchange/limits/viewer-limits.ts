import { isRefusal, type Refusal } from '../reasons.ts';
import type { ObjectLimits } from '../snapshot/exchange-object.ts';
import type { Limited } from '../snapshot/limited.ts';
import { dayOf } from './day-line.ts';
import type { AskedIn } from './limits.ts';
import type { Promised, PromisedIn, Shown } from './promised.ts';
import type { ViewerCounts } from './viewer-counts.ts';
import { keptMinutes, type ViewerRule, viewerRules } from './viewer-rules.ts';

export const isOfViewers = ({ impressionsPerIp, frequencyCap, frequencyMinMinutes }: ObjectLimits): boolean =>
  impressionsPerIp > 0 || frequencyCap > 0 || frequencyMinMinutes > 0;

type Marks = Pick<Promised, 'isAtAddress' | 'viewer'>;
const none: Marks = { isAtAddress: false };

/** What ads promise to viewers, and what becomes of it. */
export function viewerLimits(viewers: ViewerCounts) {
  const end = (slot: number, marks: Marks, auction: PromisedIn): void => {
    for (const { promised } of viewerRules) {
      const key = promised(marks, auction);
      if (key) viewers.end(slot, key, auction);
    }
  };
  const takeOne = (
    slot: number,
    object: Limited,
    auction: PromisedIn,
    rule: ViewerRule,
  ): Partial<Marks> | Refusal | undefined => {
    const { limits } = object;
    const bounds = rule.bounds(limits);
    if (!bounds) return undefined;
    const viewer = rule.viewer(limits, bounds, auction);
    if (!viewer) return rule.unknown(object, auction);
    if (viewers.take(slot, viewer, bounds, auction)) return rule.mark(viewer);
    return rule.refusal(object, viewers.of(slot, viewer, bounds, auction.timeMs));
  };
  const mayOne = (slot: number, object: Limited, auction: AskedIn, rule: ViewerRule) => {
    const { limits } = object;
    const bounds = rule.bounds(limits);
    if (!bounds) return undefined;
    const viewer = rule.viewer(limits, bounds, auction);
    if (!viewer) return rule.unknown(object, auction);
    const count = viewers.of(slot, viewer, bounds, auction.timeMs);
    return count.met >= bounds.limit || count.isTooSoon ? rule.refusal(object, count) : undefined;
  };
  return {
    end,
    may(slot: number, object: Limited, auction: AskedIn): Refusal | undefined {
      for (const rule of viewerRules) {
        const refusal = mayOne(slot, object, auction, rule);
        if (refusal) return refusal;
      }
      return undefined;
    },
    /** Promises by all rules, or by none. */
    take(slot: number, object: Limited, auction: PromisedIn): Marks | Refusal {
      if (!isOfViewers(object.limits)) return none;
      let marks = none;
      for (const rule of viewerRules) {
        const taken = takeOne(slot, object, auction, rule);
        if (taken && isRefusal(taken)) {
          end(slot, marks, auction);
          return taken;
        }
        marks = { ...marks, ...taken };
      }
      return marks;
    },
    count(
      slot: number,
      { limits }: Limited,
      promised: Marks | undefined,
      { auction, nowMs }: Pick<Shown, 'auction' | 'nowMs'>,
    ): void {
      for (const rule of viewerRules) {
        const bounds = rule.bounds(limits);
        const key = bounds && rule.shown(promised ?? none, auction);
        if (!key) continue;
        const isOfDay = bounds.windowMinutes === 0;
        if (isOfDay && dayOf(auction.timeMs) < dayOf(nowMs) - 1) continue;
        viewers.count(slot, key, isOfDay ? auction.timeMs : nowMs, keptMinutes(bounds), 1);
      }
    },
  };
}
