import type { Limited, PromisedTo } from '../../exchange/limits/promised.ts';
import type { Grant, LimitReport } from '../../leases/authority.ts';
import type { KeptPromises } from '../../store/statistics/interface.ts';
import type { LocalQuota } from './local-quota.ts';
import {
  type LeaseRound,
  type ObjectQuotas,
  type ObjectQuotasOptions,
  openObjectQuotas,
} from './object-quotas.ts';

export type LocalQuotasOptions = Pick<ObjectQuotasOptions, 'shares' | 'counted' | 'random' | 'steadyMs'>;

/** Of all limits; for one thread. */
export interface LocalQuotas {
  /** As configured now; nothing more is requested for others. */
  serve(objects: Iterable<Limited>, nowMs: number): void;
  /** `holders`: how many processes there are. */
  report(turn: LeaseRound, holders: number): LimitReport[];
  /** The answer to some limits of the last report. */
  take(limits: readonly LimitReport[], grants: readonly Grant[]): void;
  /** Some limits of the last report got no answer. */
  lose(limits: readonly LimitReport[]): void;
  /** Gives up promises of a minute beyond those kept. */
  resolve(to: PromisedTo, minute: number, kept: readonly KeptPromises[]): void;
  giveBack(): void;
  /** Forgets everything: it has another number now. */
  reset(): void;
  size(): number;
}

/** A new limit on an object with traffic waits this long for others' counts. */
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
const nothingKept = { impressions: 0, nanos: 0 };

export function createLocalQuotas({ shares, counted, random, steadyMs }: LocalQuotasOptions): LocalQuotas {
  const objects = new Map<string, ObjectQuotas>();
  const said = new Map<LimitReport, LocalQuota>();
  let holders = 1;
  let isFirst = true;
  const add = (name: string, limited: Limited, nowMs: number) => {
    const slot = shares.slotOf(limited);
    if (slot === undefined) return;
    const isCounted = Object.values(counted(limited, nowMs)).some((count) => count > 0);
    const askFromMs = steadyMs() + (isCounted && !isFirst ? settlesMs : 0);
    objects.set(
      name,
      openObjectQuotas(limited, askFromMs, {
        shares,
        slot,
        counted,
        random,
        steadyMs,
        holders: () => holders,
      }),
    );
  };
  return {
    serve(served, nowMs) {
      const gone = new Set(objects.keys());
      for (const limited of served) {
        const name = objectKey(limited);
        const known = objects.get(name);
        gone.delete(name);
        if (known) known.limited = limited;
        else add(name, limited, nowMs);
      }
      isFirst = false;
      for (const name of gone) {
        const object = objects.get(name);
        if (!object) continue;
        const { kind, id } = object.limited;
        object.limited = { kind, id, limits: unlimited };
      }
    },
    report(turn, count) {
      holders = count;
      said.clear();
      for (const object of objects.values()) {
        if (steadyMs() < object.askFromMs) continue;
        for (const { limit, report } of object.report(turn)) said.set(report, limit);
      }
      return [...said.keys()];
    },
    take(limits, grants) {
      for (const [index, grant] of grants.entries()) {
        const limit = limits[index];
        if (limit) said.get(limit)?.take(grant);
      }
    },
    lose(limits) {
      for (const limit of limits) said.get(limit)?.lose();
    },
    resolve(to, minute, kept) {
      const keptOf = new Map(kept.map((one) => [objectKey(one), one]));
      for (const [name, object] of objects) object.resolve(to, minute, keptOf.get(name) ?? nothingKept);
    },
    giveBack() {
      for (const object of objects.values()) object.giveBack();
    },
    reset() {
      for (const object of objects.values()) object.reset();
    },
    size: () => [...objects.values()].reduce((sum, object) => sum + object.size(), 0),
  };
}
