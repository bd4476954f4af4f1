import { isSupply, type LimitedKind } from '../entities/kinds.ts';
import { limitRules } from '../exchange/limits/limit-rules.ts';
import type { PromisedTo } from '../exchange/limits/promised.ts';
import { quotaMeasures } from '../exchange/limits/quotas.ts';
import type { Limited } from '../exchange/snapshot/limited.ts';
import { noLimits } from '../exchange/snapshot/stored-settings.ts';
import type { Grant, HolderAnswer, LimitReport } from '../leases/authority.ts';
import { placeOf } from '../leases/parts.ts';
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
  readonly limited: (kind: LimitedKind, id: number) => Limited | undefined;
}

type Named = Pick<Limited, 'kind' | 'id'>;

export interface CountedObject {
  readonly of: Named;
  readonly counted: Counted;
}

/** Of the limits of objects that had traffic here; for one thread. A round costs as much as there are in use. */
export interface LocalQuotas {
  /** Objects of which the store must say what was counted on the day of a time, before more is asked for. */
  uncounted(): readonly Limited[];
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
  /** Ends shares of rates that the authority may have granted to others meanwhile. */
  endRates(): void;
  /** Gives up promises of a minute beyond those kept. */
  resolve(to: PromisedTo, minute: number, kept: readonly KeptPromises[]): void;
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

const objectKey = ({ kind, id }: { readonly kind: string; readonly id: number }) => `${kind}:${id}`;
const isOf = (one: Named, { kind, id }: LimitReport) => one.id === id && one.kind === kind;
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
      if (!fromMs.has(object)) fromMs.set(object, 0);
    },
    has: (object: ObjectQuotas) => fromMs.has(object),
    due: () => [...fromMs].flatMap(([object, from]) => (steadyMs() >= from ? [object.limited] : [])),
    count(object: ObjectQuotas, counted: Counted, nowMs: number): void {
      const isServed = Object.values(counted).some((count) => count > 0);
      const isFirst = steadyMs() - startMs < settlesMs;
      if (isServed && !isFirst && fromMs.get(object) === 0) {
        fromMs.set(object, steadyMs() + settlesMs);
        return;
      }
      fromMs.delete(object);
      object.count(nowMs, counted);
    },
  };
}

const totals = quotaMeasures.filter((measure) => limitRules[measure].isOfAllDays);

/** Of an object that exists: alone, nobody else knows it; else what the authority was told must not fall. */
function hasTotal({ quotas, limited }: LocalQuotasOptions, slot: number): boolean {
  const { kind, id } = quotas.objectOf(slot);
  if (isSupply(kind) || !limited(kind, id)) return false;
  return totals.some((measure) => {
    const [pool, at] = [quotas.pool(measure), quotas.at(slot, measure, 0)];
    return pool.met(at, 0) !== 0 || pool.unlimited(at, 0) !== 0;
  });
}

/** Objects that this process has met, and which of them are in use. */
function metObjects(options: LocalQuotasOptions, steadyMs: () => number) {
  const { quotas, limited, random } = options;
  const met = new Map<number, ObjectQuotas>();
  const inUse = new Set<ObjectQuotas>();
  /** With promises whose outcome is unknown. */
  const promising = new Set<ObjectQuotas>();
  /** Those in use, in the order of parts; undefined once another one is in use. */
  let ordered: readonly ObjectQuotas[] | undefined;
  const sharing = { holders: 1 };
  const uncounted = uncountedObjects(steadyMs);
  const limitedAt = (slot: number): Limited => {
    const { kind, id } = quotas.objectOf(slot);
    return limited(kind, id) ?? { kind, id, limits: noLimits };
  };
  const use = (object: ObjectQuotas) => {
    if (inUse.has(object)) return;
    object.limited = limitedAt(object.slot);
    inUse.add(object);
    ordered = undefined;
  };
  const open = (slot: number): ObjectQuotas => {
    const known = met.get(slot);
    if (known) return known;
    const opened = openObjectQuotas(limitedAt(slot), {
      quotas,
      slot,
      random,
      steadyMs,
      holders: () => sharing.holders,
    });
    met.set(slot, opened);
    return opened;
  };
  const find = (named: { readonly kind: string; readonly id: number }) =>
    met.get(quotas.slotOf(named) ?? none);
  const upkeep: Pick<LocalQuotas, 'recall' | 'endRates' | 'resolve' | 'freeIdle' | 'reset' | 'size'> = {
    recall(lacked) {
      for (const named of lacked) {
        const object = find(named);
        object?.recall();
        if (object) use(object);
      }
    },
    endRates() {
      const fellMs = quotas.ratesFellMs();
      if (fellMs !== undefined) for (const object of met.values()) object.endRates(fellMs);
    },
    resolve(to, minute, kept) {
      const keptOf = new Map(kept.map((one) => [objectKey(one), one]));
      for (const object of promising) {
        if (object.resolve(to, minute, keptOf.get(objectKey(object.limited)) ?? nothingKept)) use(object);
        if (!object.hasPromises()) promising.delete(object);
      }
    },
    freeIdle: () =>
      quotas.freeIdle((slot) => {
        const object = met.get(slot);
        const isInUse = object && (inUse.has(object) || promising.has(object) || uncounted.has(object));
        if (isInUse || hasTotal(options, slot)) return false;
        met.delete(slot);
        return true;
      }),
    reset() {
      for (const object of met.values()) object.reset();
    },
    size: () => [...inUse].reduce((sum, object) => sum + object.size(), 0),
  };
  return {
    sharing,
    limitedAt,
    find,
    uncounted,
    ordered() {
      ordered ??= [...inUse].sort((a, b) => placeOf(a.limited.id) - placeOf(b.limited.id));
      return ordered;
    },
    drop(object: ObjectQuotas) {
      inUse.delete(object);
      ordered = undefined;
    },
    /** Those of which somebody wants to know what they have met. */
    meet(isWhole: boolean): Set<ObjectQuotas> {
      if (isWhole) for (const object of met.values()) use(object);
      for (const slot of quotas.takeTouched()) {
        const object = open(slot);
        object.touch();
        use(object);
        promising.add(object);
      }
      const looked = new Set(quotas.takeLooked().map(open));
      for (const object of looked) use(object);
      return looked;
    },
    upkeep,
  };
}

export function createLocalQuotas(options: LocalQuotasOptions): LocalQuotas {
  const { quotas } = options;
  /** Of the clock that never goes back, when a round or its answer began: asked once for all limits. */
  let atMs = options.steadyMs();
  const steadyMs = () => atMs;
  const readClock = () => {
    atMs = options.steadyMs();
  };
  let revision = -1;
  const objects = metObjects(options, steadyMs);
  const { find, uncounted } = objects;
  const said = new Map<LimitReport, LocalQuota>();
  const reportOf = (object: ObjectQuotas, turn: LeaseRound) => {
    const { size } = said;
    object.report(turn, (quota, report) => {
      if (quota.isUncounted()) uncounted.note(object);
      if (report) said.set(report, quota);
    });
    if (said.size === size && object.isOver()) objects.drop(object);
  };
  /** Answers the object of a report, of which all is known now. */
  const told = (report: LimitReport): ObjectQuotas | undefined => {
    const object = find(report);
    if (object) quotas.noteTold(object.slot);
    return object;
  };
  const takeOne = (report: LimitReport, grant: Grant) => {
    const quota = said.get(report);
    quota?.take(grant);
    return quota;
  };
  return {
    uncounted() {
      readClock();
      return uncounted.due();
    },
    count(served, nowMs) {
      readClock();
      for (const { of, counted } of served) {
        const object = find(of);
        if (object) uncounted.count(object, counted, nowMs);
      }
    },
    report(turn, count) {
      objects.sharing.holders = count;
      readClock();
      said.clear();
      const isChanged = revision !== turn.revision;
      ({ revision } = turn);
      const looked = objects.meet(turn.isWhole);
      const lookedAt = { ...turn, isWhole: true };
      for (const object of objects.ordered()) {
        if (isChanged || turn.isWhole) object.limited = objects.limitedAt(object.slot);
        reportOf(object, looked.has(object) ? lookedAt : turn);
      }
      return [...said.keys()];
    },
    take(limits, grants) {
      readClock();
      let object: ObjectQuotas | undefined;
      for (let index = 0; index < limits.length; index += 1) {
        const [report, grant] = [limits[index], grants[index]];
        const quota = report && grant && takeOne(report, grant);
        if (report === undefined || quota === undefined) continue;
        if (object === undefined || !isOf(object.limited, report)) object = told(report);
        if (object && quota.isUncounted()) uncounted.note(object);
      }
    },
    lose(limits) {
      for (const limit of limits) said.get(limit)?.lose();
    },
    ...objects.upkeep,
  };
}
