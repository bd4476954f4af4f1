import {
  type BilledSum,
  type HolderAnswer,
  type HolderReport,
  type LimitReport,
  leaseMs,
  type ResolvedMinutes,
  type Resource,
  safeRateMs,
} from '../../src/leases/authority.ts';
import { partsOf, type ReportPart } from '../../src/leases/parts.ts';
import { keyOf } from './model.ts';

/** What a process promised in a minute. */
interface Promised {
  readonly minute: number;
  readonly size: number;
  isKept: boolean;
}

/** What a process truly has of a resource. */
interface Share {
  unused: number;
  /** What it has counted at once, where nothing is promised. */
  used: number;
  /** All that it has ever promised. */
  readonly promises: Promised[];
}

/** What a process says in a report of a resource, beside what it has. */
export interface Wish {
  readonly resource: Resource;
  readonly line: number;
  readonly wanted: number;
  /** How much it gives back of what it has not used. */
  readonly back: number;
}

/** So few that most rounds have several parts. */
const partLimits = 2;

const sizeOf = (promises: readonly Promised[]) => promises.reduce((sum, { size }) => sum + size, 0);
const isPromised = ({ measure }: Resource) =>
  measure === 'impressions' || measure === 'amount' || measure === 'total';

/** A process that uses only what it holds, and says what is. */
export class HonestProcess {
  /** As the authority has numbered it. */
  number: number;
  turn = 0;
  /** Promises of minutes before this one are no longer open. */
  resolved = 0;
  /** As `resolved` was when all that had changed was answered. */
  reported = 0;
  minute = 0;
  /** When the report was sent that was answered last; what it holds of a rate it may use for `leaseMs`. */
  answeredMs = Number.NEGATIVE_INFINITY;
  readonly shares = new Map<string, Share>();
  /** What the authority has last said of `before`. */
  readonly before = new Map<string, number>();
  readonly resources = new Map<string, Resource>();
  /** What it had of a resource in the last report that was answered. */
  readonly told = new Map<string, string>();

  constructor(number: number) {
    this.number = number;
  }

  share(resource: Resource): Share {
    const key = keyOf(resource);
    const share = this.shares.get(key) ?? { unused: 0, used: 0, promises: [] };
    this.shares.set(key, share);
    this.resources.set(key, resource);
    return share;
  }

  /** Uses some of what it holds, while its lease lasts. */
  serve(resource: Resource, wanted: number, nowMs: number): void {
    const share = this.share(resource);
    if (resource.measure === 'rate' || nowMs - this.answeredMs >= leaseMs) return;
    const size = Math.min(wanted, share.unused);
    share.unused -= size;
    if (!isPromised(resource)) share.used += size;
    else if (size > 0) share.promises.push({ minute: this.minute, size, isKept: false });
  }

  isOpen = ({ minute }: Promised): boolean => minute >= this.resolved;

  /** Has some of the open promises kept, wherever. */
  keep(isKept: (index: number) => boolean): void {
    const promises = [...this.shares.values()].flatMap((share) => share.promises.filter(this.isOpen));
    for (const [index, promise] of promises.entries()) promise.isKept ||= isKept(index);
  }

  /** Learns what became of promises of earlier minutes; what was not kept it may use again. */
  resolve(before: number): void {
    const until = Math.max(this.resolved, Math.min(before, this.minute));
    for (const share of this.shares.values()) {
      const ended = share.promises.filter((promise) => this.isOpen(promise) && promise.minute < until);
      share.unused += sizeOf(ended.filter(({ isKept }) => !isKept));
    }
    this.resolved = until;
  }

  /** What it has used of a share, and how much of that is open. */
  use({ used, promises }: Share): { readonly used: number; readonly open: number } {
    const open = sizeOf(promises.filter(this.isOpen));
    const kept = sizeOf(promises.filter((promise) => promise.isKept && !this.isOpen(promise)));
    return { used: used + open + kept, open };
  }

  /** Loses the rates that it held where its lease is over. */
  endRates(nowMs: number): void {
    if (nowMs - this.answeredMs < leaseMs) return;
    for (const [key, share] of this.shares) {
      if (this.resources.get(key)?.measure !== 'rate') continue;
      share.unused = 0;
      if (nowMs - this.answeredMs >= safeRateMs) share.used = 0;
    }
  }

  /** Of a rate `used` is the safe share: as reported and answered last, or less since. */
  keepSafe(share: Share, safe: number): void {
    share.unused += share.used - safe;
    share.used = safe;
  }

  /** In words, to be compared. */
  levels(share: Share): string {
    return JSON.stringify([this.use(share), share.unused]);
  }

  limit({ resource, line, wanted, back }: Wish, counted: number | undefined): LimitReport {
    const share = this.share(resource);
    share.unused -= Math.min(back, share.unused);
    const before = this.before.get(keyOf(resource)) ?? 0;
    const said = {
      ...resource,
      line,
      before,
      counted,
      unlimited: 0,
      ...this.use(share),
      unused: share.unused,
      wanted,
    };
    if (resource.measure !== 'rate') return said;
    const held = share.used + share.unused;
    const used = Math.floor(held / 2);
    this.keepSafe(share, Math.min(used, share.used));
    return { ...said, used, unused: held - used };
  }

  /** What it sends, part by part; `counted` is what the store has counted. */
  report(
    wishes: readonly Wish[],
    isWhole: boolean,
    counted: (resource: Resource) => number | undefined,
  ): ReportPart[] {
    const keys = new Set(wishes.map(({ resource }) => keyOf(resource)));
    const others = [...this.shares].filter(
      ([key, share]) => !keys.has(key) && (isWhole || this.levels(share) !== this.told.get(key)),
    );
    const rest = others.flatMap(([key]) => this.resources.get(key) ?? []);
    const quiet = rest.map((resource) => ({ resource, line: 0, wanted: 0, back: 0 }));
    const limits = [...wishes, ...quiet].map((wish) => this.limit(wish, counted(wish.resource)));
    return partsOf(limits, isWhole, partLimits);
  }

  /** What it sends as a part, of a round whose parts before were all answered as of this epoch; "" = they were not. */
  part({ limits, whole }: ReportPart, minute: number, epoch: string): HolderReport {
    this.turn += 1;
    const resolved: ResolvedMinutes = { ad: minute, offer: minute };
    return { holder: this.number, turn: this.turn, resolved, whole: whole && { ...whole, epoch }, limits };
  }

  hear({ limits }: HolderReport, { grants }: HolderAnswer, nowMs: number): void {
    this.answeredMs = nowMs;
    for (const [index, limit] of limits.entries()) {
      const { granted = 0, before = 0 } = grants[index] ?? {};
      const [key, share] = [keyOf(limit), this.share(limit)];
      if (limit.measure === 'rate') this.keepSafe(share, limit.used);
      this.told.set(key, this.levels(share));
      share.unused += granted;
      this.before.set(key, before);
    }
  }

  /** Forgets what it had of a resource. */
  drop(key: string): void {
    for (const map of [this.shares, this.before, this.resources, this.told]) map.delete(key);
  }

  /** What it holds and has used of a resource. */
  has(key: string): number {
    const share = this.shares.get(key);
    return share ? this.use(share).used + share.unused : 0;
  }

  /** Gives back all that it has not used. */
  end(): void {
    for (const [key, share] of this.shares) {
      share.unused = 0;
      if (this.resources.get(key)?.measure === 'rate') share.used = 0;
    }
  }

  /** What counts of it for good, when nothing that it has promised can come any more. */
  settled(key: string): number {
    const share = this.shares.get(key);
    return share ? share.used + sizeOf(share.promises.filter(({ isKept }) => isKept)) : 0;
  }

  /** What was billed of its promises, of those made in minutes from `from` on. */
  billed(from: number): BilledSum[] {
    return [...this.resources].map(([key, { kind, id, measure, day }]) => {
      const promises = this.shares.get(key)?.promises ?? [];
      const size = sizeOf(promises.filter(({ minute, isKept }) => isKept && minute >= from));
      // Each object of these tests has one measure.
      const counted =
        measure === 'impressions' ? { impressions: size, nanos: 0 } : { impressions: 0, nanos: size };
      return { kind, id, day: Math.max(day, 1), ...counted };
    });
  }
}
