import type { ServedKind } from '../../entities/kinds.ts';
import type { Limited, PromisedTo } from '../../exchange/limits/promised.ts';
import type { Grant, HolderAnswer, LimitReport } from '../../leases/authority.ts';
import type { KeptPromises } from '../../store/statistics/interface.ts';
import type { LocalQuota } from './local-quota.ts';
import {
  type LeaseRound,
  type ObjectQuotas,
  type ObjectQuotasOptions,
  openObjectQuotas,
} from './object-quotas.ts';

export interface LocalQuotasOptions
  extends Pick<ObjectQuotasOptions, 'shares' | 'counted' | 'random' | 'steadyMs'> {
  /** As configured now; undefined if gone. */
  readonly limited: (kind: ServedKind, id: number) => Limited | undefined;
}

/** Of the limits of objects that had traffic here; for one thread. A round costs as much as there are in use. */
export interface LocalQuotas {
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
  /** Forgets everything: it has another number now. */
  reset(): void;
  size(): number;
}

/** A limit on an object that was counted before waits this long for others' counts. */
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

export function createLocalQuotas(options: LocalQuotasOptions): LocalQuotas {
  const { shares, counted, limited, random, steadyMs } = options;
  const startMs = steadyMs();
  const met = new Map<number, ObjectQuotas>();
  const inUse = new Set<ObjectQuotas>();
  /** With promises whose outcome is unknown. */
  const promising = new Set<ObjectQuotas>();
  const said = new Map<LimitReport, LocalQuota>();
  let holders = 1;
  const limitedAt = (slot: number): Limited => {
    const { kind, id } = shares.objectOf(slot);
    return limited(kind, id) ?? { kind, id, limits: unlimited };
  };
  const open = (slot: number, nowMs: number): ObjectQuotas => {
    const of = limitedAt(slot);
    const isCounted = Object.values(counted(of, nowMs)).some((count) => count > 0);
    const isFirst = steadyMs() - startMs < settlesMs;
    const askFromMs = steadyMs() + (isCounted && !isFirst ? settlesMs : 0);
    return openObjectQuotas(of, askFromMs, {
      shares,
      slot,
      counted,
      random,
      steadyMs,
      holders: () => holders,
    });
  };
  const meet = (nowMs: number) => {
    for (const slot of shares.takeTouched()) {
      const object = met.get(slot) ?? open(slot, nowMs);
      met.set(slot, object);
      object.touch();
      inUse.add(object);
      promising.add(object);
    }
  };
  return {
    report(turn, count) {
      holders = count;
      said.clear();
      meet(turn.nowMs);
      for (const object of turn.isWhole ? met.values() : inUse) {
        object.limited = limitedAt(object.slot);
        if (steadyMs() < object.askFromMs) continue;
        const reports = object.report(turn);
        for (const { limit, report } of reports) said.set(report, limit);
        if (reports.length === 0 && object.isOver()) inUse.delete(object);
      }
      return [...said.keys()];
    },
    take(limits, grants) {
      for (const [index, grant] of grants.entries()) {
        const limit = limits[index];
        if (limit) said.get(limit)?.take(grant);
      }
    },
    recall(objects) {
      for (const named of objects) {
        const object = met.get(shares.slotOf(named) ?? none);
        object?.recall();
        if (object) inUse.add(object);
      }
    },
    lose(limits) {
      for (const limit of limits) said.get(limit)?.lose();
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
    reset() {
      for (const object of met.values()) object.reset();
    },
    size: () => [...inUse].reduce((sum, object) => sum + object.size(), 0),
  };
}
