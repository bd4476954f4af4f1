import {
  type BilledSum,
  contestedMs,
  type Grant,
  goneMs,
  type HolderAnswer,
  type HolderReport,
  type LimitAuthority,
  type LimitReport,
  leaseMs,
  type ResolvedMinutes,
  type Resource,
  safeRateMs,
  UnknownHolder,
} from '../../src/leases/authority.ts';
import { checkLevels, placeOf, placesEnd } from '../../src/leases/parts.ts';

const goneAnsweredMax = 100;

interface Holding {
  used: number;
  open: number;
  unused: number;
  /** When it last asked and was granted less than it wanted; undefined where it was granted all. */
  shortAtMs: number | undefined;
}

interface Holder {
  turn: number;
  resolved: ResolvedMinutes;
  lastMs: number;
  hasLeft: boolean;
  /** In which epoch it has joined, or covered all objects. */
  wholeIn: number;
  readonly holdings: Map<string, Holding>;
}

export const keyOf = ({ kind, id, measure, day }: Resource): string =>
  JSON.stringify([kind, id, measure, day]);

const resourceOf = (key: string): Resource => {
  const [kind, id, measure, day] = JSON.parse(key);
  return { kind, id, measure, day };
};

/** What was billed of a resource: impressions of a day, their cost on a day, or on all. */
function billedOf({ kind, id, measure, day }: Resource, billed: readonly BilledSum[]): number {
  const ofObject = billed.filter((one) => one.kind === kind && one.id === id);
  const ofDay = ofObject.filter((one) => one.day === day);
  const sum = (rows: readonly BilledSum[], member: 'impressions' | 'nanos') =>
    rows.reduce((all, row) => all + row[member], 0);
  if (measure === 'impressions') return sum(ofDay, 'impressions');
  if (measure === 'impressionsTotal') return sum(ofObject, 'impressions');
  return sum(measure === 'total' ? ofObject : ofDay, 'nanos');
}

/** What counts for good of what a holder had that is gone or has left. */
function settled(
  resource: Resource,
  holding: Holding,
  hasLeft: boolean,
  billed: readonly BilledSum[],
): number {
  const { used, open, unused } = holding;
  if (resource.measure === 'rate') return 0;
  if (resource.measure === 'requests' || resource.measure === 'bids') return hasLeft ? used : used + unused;
  return Math.min(used - open + billedOf(resource, billed), used + unused);
}

/** The state of the model. */
class Memory {
  readonly now: () => number;
  readonly before = new Map<string, number>();
  readonly holders = new Map<number, Holder>();
  lastHolder = 0;
  epoch = 1;
  epochAtMs = Number.NEGATIVE_INFINITY;
  quietUntilMs = Number.NEGATIVE_INFINITY;
  /** Whether an epoch has begun that nobody has noticed. */
  isNewEpoch = false;

  constructor(now: () => number) {
    this.now = now;
  }

  /** An epoch begins when it is noticed. */
  notice(): void {
    if (!this.isNewEpoch) return;
    this.isNewEpoch = false;
    this.epoch += 1;
    this.epochAtMs = this.now();
    const knowsNobody = [...this.holders.values()].every(({ hasLeft }) => hasLeft);
    if (knowsNobody) this.quietUntilMs = this.now() + leaseMs;
  }

  isSilent({ lastMs }: Holder, forMs = leaseMs): boolean {
    return this.now() - lastMs >= forMs;
  }

  /** Whether nothing is granted, as something may have been forgotten. */
  isQuiet(): boolean {
    if (this.now() < this.quietUntilMs) return true;
    return [...this.holders.values()].some(
      ({ hasLeft, wholeIn, lastMs }) =>
        !hasLeft && wholeIn !== this.epoch && this.now() - Math.max(lastMs, this.epochAtMs) < leaseMs,
    );
  }

  /** What all hold of a resource: what they have used, and what they may use. */
  held(key: string): number {
    const holdings = [...this.holders.values()].flatMap((holder) => this.heldBy(holder, key) ?? []);
    return holdings.reduce((sum, { used, unused }) => sum + used + unused, 0);
  }

  /** Of a rate, whoever is silent has only the safe share, and that not for ever. */
  heldBy(holder: Holder, key: string): Holding | undefined {
    const holding = holder.holdings.get(key);
    if (!holding || resourceOf(key).measure !== 'rate' || !this.isSilent(holder)) return holding;
    const { used, open } = this.isSilent(holder, safeRateMs) ? { used: 0, open: 0 } : holding;
    return { ...holding, used, open, unused: 0 };
  }

  isContested(key: string, by: Holder): boolean {
    return [...this.holders.values()].some((other) => {
      const shortAtMs = other.holdings.get(key)?.shortAtMs;
      return other !== by && shortAtMs !== undefined && this.now() - shortAtMs < contestedMs;
    });
  }

  recalled(holder: Holder, { limits }: HolderReport): HolderAnswer['recalled'] {
    const said = new Set(limits.map(keyOf));
    const left = [...holder.holdings].filter(
      ([key, { unused }]) => unused > 0 && !said.has(key) && this.isContested(key, holder),
    );
    const objects = left.map(([key]) => resourceOf(key)).map(({ kind, id }) => ({ kind, id }));
    const named = new Map(objects.map((one) => [`${one.kind}:${one.id}`, one]));
    return [...named].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
  }

  grant(holder: Holder, limit: LimitReport): Grant {
    const key = keyOf(limit);
    const holding = holder.holdings.get(key);
    const others = this.others(key, holder).reduce((sum, { used }) => sum + used, 0);
    if (!holding) {
      const isContested = this.isContested(key, holder);
      return { granted: 0, excess: 0, isContested, before: limit.before, others, isKnown: false };
    }
    const before = this.before.get(key) ?? 0;
    const free = limit.line - before - this.held(key);
    const granted = this.isQuiet() ? 0 : Math.min(limit.wanted, Math.max(0, free));
    holding.unused += granted;
    holding.shortAtMs = granted < limit.wanted ? this.now() : undefined;
    const isContested = this.isContested(key, holder);
    return { granted, excess: Math.max(0, -free), isContested, before, others, isKnown: true };
  }

  others(key: string, holder: Holder): readonly Holding[] {
    const all = [...this.holders.values()].filter((one) => one !== holder);
    return all.flatMap((one) => this.heldBy(one, key) ?? []);
  }

  epochName(): string {
    return `${this.epoch} ${this.epochAtMs}`;
  }

  /** Takes what a report says, before anything is granted. */
  take(holder: Holder, { turn, resolved, whole, limits }: HolderReport): void {
    for (const [key, holding] of holder.holdings) {
      const kept = this.heldBy(holder, key);
      if (kept !== holding) Object.assign(holding, kept, { shortAtMs: undefined });
    }
    Object.assign(holder, { turn, resolved, lastMs: this.now() });
    const { from = 0, to = 0, epoch = '' } = whole ?? {};
    if (to === placesEnd && (from === 0 || epoch === this.epochName())) holder.wholeIn = this.epoch;
    for (const key of [...holder.holdings.keys()]) {
      const { id } = resourceOf(key);
      if (placeOf(id) >= from && placeOf(id) < to) holder.holdings.delete(key);
    }
    for (const limit of limits) {
      const { used, open, unused, before, counted, unlimited } = limit;
      const key = keyOf(limit);
      const known = this.before.get(key);
      if (known === undefined && counted === undefined) continue;
      // Of what is counted, what all have used and not only reserved is known already.
      const attributed = this.others(key, holder).reduce((sum, one) => sum + one.used - one.open, 0);
      holder.holdings.set(key, { used, open, unused, shortAtMs: undefined });
      const isNews = known === undefined || unlimited > 0;
      const level = isNews ? (counted ?? 0) - attributed - used + open : 0;
      this.before.set(key, Math.max(before, known ?? 0, level));
    }
  }

  settle(number: number, billed: readonly BilledSum[]): void {
    const holder = this.holders.get(number);
    if (!holder || !(holder.hasLeft || this.isSilent(holder, goneMs))) return;
    this.holders.delete(number);
    for (const [key, holding] of holder.holdings) {
      const counted = settled(resourceOf(key), holding, holder.hasLeft, billed);
      this.before.set(key, (this.before.get(key) ?? 0) + counted);
    }
  }
}

function leave(holder: Holder): void {
  holder.hasLeft = true;
  for (const [key, holding] of holder.holdings) {
    if (resourceOf(key).measure === 'rate') holder.holdings.delete(key);
    else Object.assign(holding, { unused: 0, shortAtMs: undefined });
  }
}

/** The model of an authority, with what befalls real ones. */
export interface MemoryAuthority extends LimitAuthority {
  /** Another server goes on with what this one knew. */
  failOver(): void;
  /** It is there again, and knows nothing. */
  loseAll(): void;
}

/** An authority in memory: what each one must be like. */
export function createMemoryAuthority({ now }: { readonly now: () => number }): MemoryAuthority {
  const memory = new Memory(now);
  const { holders, before } = memory;
  return {
    async join() {
      memory.notice();
      memory.lastHolder += 1;
      const fresh = { turn: -1, resolved: { ad: 0, offer: 0 }, lastMs: now(), hasLeft: false };
      holders.set(memory.lastHolder, { ...fresh, wholeIn: memory.epoch, holdings: new Map() });
      return memory.lastHolder;
    },
    async report(report) {
      checkLevels(report.limits);
      memory.notice();
      const holder = holders.get(report.holder);
      if (!holder || holder.hasLeft) throw new UnknownHolder('this holder is not known');
      if (report.turn <= holder.turn) throw new Error('a later report has come');
      memory.take(holder, report);
      const recalled = memory.recalled(holder, report);
      return {
        recalled,
        grants: report.limits.map((limit) => memory.grant(holder, limit)),
        wantsWhole: holder.wholeIn !== memory.epoch,
        epoch: memory.epochName(),
        holders: [...holders.values()].filter((one) => !one.hasLeft && !memory.isSilent(one)).length,
      };
    },
    async leave(number) {
      const holder = holders.get(number);
      if (holder && !holder.hasLeft) leave(holder);
    },
    async gone() {
      const gone = [...holders].filter(([, one]) => one.hasLeft || memory.isSilent(one, goneMs));
      const rows = gone.map(([holder, { resolved, lastMs }]) => ({ holder, resolved, lastMs }));
      return rows.toSorted((a, b) => a.lastMs - b.lastMs || a.holder - b.holder).slice(0, goneAnsweredMax);
    },
    settle: async (holder, billed) => memory.settle(holder, billed),
    async forget(beforeDay) {
      const isOld = (key: string) => resourceOf(key).day > 0 && resourceOf(key).day < beforeDay;
      for (const kept of [before, ...[...holders.values()].map(({ holdings }) => holdings)]) {
        for (const key of [...kept.keys()].filter(isOld)) kept.delete(key);
      }
    },
    close: async () => undefined,
    failOver: () => {
      memory.isNewEpoch = true;
    },
    loseAll: () => {
      holders.clear();
      before.clear();
      memory.isNewEpoch = true;
    },
  };
}
