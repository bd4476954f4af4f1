import { roleOf, type ServedKind } from '../entities/kinds.ts';
import { dayOf } from '../exchange/limits/day-line.ts';
import type { Limited, PromisedTo } from '../exchange/limits/promised.ts';
import type { Grant, HolderAnswer, LimitReport } from '../leases/authority.ts';
import type { KeptPromises } from '../store/statistics/interface.ts';
import type { LocalQuota } from './local-quota.ts';
import {
  type Counted,
  type LeaseRound,
  type ObjectQuotas,
  type ObjectQuotasOptions,
  openObjectQuotas,
} from './object-quotas.ts';

export interface LocalQuotasOptions extends Pick<ObjectQuotasOptions, 'quotas' | 'random' | 'steadyMs'> {
  /** As configured now; undefined if gone. */
  readonly limited: (kind: ServedKind, id: number) => Limited | undefined;
}

type Named = Pick<Limited, 'kind' | 'id'>;

export interface CountedObject {
  readonly of: Named;
  readonly counted: Counted;
}

/** Of the limits of objects that had traffic here; for one thread. A round costs as much as there are in use. */
export interface LocalQuotas {
  /** Objects of which the store must say what was counted on the day of a time, before more is asked for. */
  uncounted(): readonly Named[];
  /** Answers that. */
  count(objects: readonly CountedObject[], nowMs: number): void;
  /** `holders`: how many processes there are. */
  report(turn: LeaseRound, holders: number): LimitReport[];
  /** The answer to some limits of the last report. */
  take(limits: readonly LimitReport[], grants: readonly Grant[]): void;
  /** Others want what it holds of these objects. */
  recall(objects: HolderAnswer['recalled']): void;
  /** Some limits of the last report got no answer. */
  lose(limits: readonly LimitReport[]): void;
  /** Gives up promises of a minute beyond those kept. */
  resolve(to: PromisedTo, minute: number, kept: readonly KeptPromises[]): void;
  giveBack(): void;
  /**
   * Frees slots of objects without auctions for two UTC days, except for those with a total, as long as they exist. To be
   * called each minute.
   */
  freeIdle(): void;
  /** Forgets everything: it has another number now. */
  reset(): void;
  size(): number;
}

/** A limit on an object that was served without waits this long for what others have counted of it. */
const settlesMs = 5000;

const unlimited: Limited['limits'] = {
  maxQps: 0,
  requestsDaily: 0,
  bidsDaily: 0,
  impressionsDaily: 0,
  impressionsPerIp: 0,
  amountDailyNanos: 0,
  amountTotalNanos: 0,
};

const objectKey = ({ kind, id }: { readonly kind: string; readonly id: number }) => `${kind}:${id}`;
/** No slot. */
const none = -1;
const nothingKept = { impressions: 0, nanos: 0 };

/** Objects that the store must be asked about. */
function uncountedObjects(steadyMs: () => number) {
  const startMs = steadyMs();
  /** From when on each may be asked about; 0 = it was not yet. */
  const fromMs = new Map<ObjectQuotas, number>();
  return {
    note(object: ObjectQuotas): void {
      if (!fromMs.has(object) && object.isUncounted()) fromMs.set(object, 0);
    },
    has: (object: ObjectQuotas) => fromMs.has(object),
    due: () => [...fromMs].flatMap(([object, from]) => (steadyMs() >= from ? [object.limited] : [])),
    count(object: ObjectQuotas, counted: Counted, day: number): void {
      const isServed = Object.values(counted).some((count) => count > 0);
      const isFirst = steadyMs() - startMs < settlesMs;
      if (isServed && !isFirst && fromMs.get(object) === 0) {
        fromMs.set(object, steadyMs() + settlesMs);
        return;
      }
      fromMs.delete(object);
      object.count(day, counted);
    },
  };
}

export function createLocalQuotas(options: LocalQuotasOptions): LocalQuotas {
  const { quotas, limited, random, steadyMs } = options;
  const met = new Map<number, ObjectQuotas>();
  const inUse = new Set<ObjectQuotas>();
  /** With promises whose outcome is unknown. */
  const promising = new Set<ObjectQuotas>();
  const said = new Map<LimitReport, readonly [LocalQuota, ObjectQuotas]>();
  let holders = 1;
  const limitedAt = (slot: number): Limited => {
    const { kind, id } = quotas.objectOf(slot);
    return limited(kind, id) ?? { kind, id, limits: unlimited };
  };
  /** Of an object that exists: alone, nobody else knows it; else what the authority was told must not fall. */
  const hasTotal = (slot: number): boolean => {
    const { kind, id } = quotas.objectOf(slot);
    if (!roleOf(kind).amountTotal || !limited(kind, id)) return false;
    const [pool, at] = [quotas.pool('total'), quotas.at(slot, 'total', 0)];
    return pool.met(at, 0) !== 0 || pool.unlimited(at, 0) !== 0;
  };
  const uncounted = uncountedObjects(steadyMs);
  const open = (slot: number): ObjectQuotas => {
    const known = met.get(slot);
    if (known) return known;
    const opened = openObjectQuotas(limitedAt(slot), {
      quotas,
      slot,
      random,
      steadyMs,
      holders: () => holders,
    });
    met.set(slot, opened);
    return opened;
  };
  /** Those of which somebody wants to know what they have met. */
  const meet = (isWhole: boolean): Set<ObjectQuotas> => {
    if (isWhole) for (const object of met.values()) inUse.add(object);
    for (const slot of quotas.takeTouched()) {
      const object = open(slot);
      object.touch();
      inUse.add(object);
      promising.add(object);
    }
    const looked = new Set(quotas.takeLooked().map(open));
    for (const object of looked) inUse.add(object);
    return looked;
  };
  return {
    uncounted: uncounted.due,
    count(objects, nowMs) {
      for (const { of, counted } of objects) {
        const object = met.get(quotas.slotOf(of) ?? none);
        if (object) uncounted.count(object, counted, dayOf(nowMs));
      }
    },
    report(turn, count) {
      holders = count;
      said.clear();
      const looked = meet(turn.isWhole);
      for (const object of inUse) {
        object.limited = limitedAt(object.slot);
        const reports = object.report(looked.has(object) ? { ...turn, isWhole: true } : turn);
        for (const { limit, report } of reports) said.set(report, [limit, object]);
        uncounted.note(object);
        if (reports.length === 0 && object.isOver()) inUse.delete(object);
      }
      return [...said.keys()];
    },
    take(limits, grants) {
      for (const [index, grant] of grants.entries()) {
        const [quota, object] = said.get(limits[index] as LimitReport) ?? [];
        quota?.take(grant);
        if (!object) continue;
        quotas.noteTold(object.slot);
        uncounted.note(object);
      }
    },
    recall(objects) {
      for (const named of objects) {
        const object = met.get(quotas.slotOf(named) ?? none);
        object?.recall();
        if (object) inUse.add(object);
      }
    },
    lose(limits) {
      for (const limit of limits) said.get(limit)?.[0].lose();
    },
    resolve(to, minute, kept) {
      const keptOf = new Map(kept.map((one) => [objectKey(one), one]));
      for (const object of promising) {
        if (object.resolve(to, minute, keptOf.get(objectKey(object.limited)) ?? nothingKept))
          inUse.add(object);
        if (!object.hasPromises()) promising.delete(object);
      }
    },
    giveBack() {
      for (const object of inUse) object.giveBack();
    },
    freeIdle: () =>
      quotas.freeIdle((slot) => {
        const object = met.get(slot);
        const isInUse = object && (inUse.has(object) || promising.has(object) || uncounted.has(object));
        if (isInUse || hasTotal(slot)) return false;
        met.delete(slot);
        return true;
      }),
    reset() {
      for (const object of met.values()) object.reset();
    },
    size: () => [...inUse].reduce((sum, object) => sum + object.size(), 0),
  };
}
