/**
 * Shared out among processes. Requests, bids, impressions and amounts are per day (`Resource.day`), totals over all
 * days; a rate is per second.
 */
export const measures = [
  'requests',
  'bids',
  'impressions',
  'amount',
  'total',
  'impressionsTotal',
  'rate',
] as const;
/** `amount` and `total` are in nano-USD, the others in units. */
export type Measure = (typeof measures)[number];

/** A limit of an object (and of a day, if it has days). */
export interface Resource {
  readonly kind: string;
  readonly id: number;
  readonly measure: Measure;
  /** UTC days since 1970; 0 for totals and rates. */
  readonly day: number;
}

/** All numbers are whole, 0 or more, and levels: repeated, they change nothing. */
export interface LimitReport extends Resource {
  /** What the limit allows now, for all processes together. */
  readonly line: number;
  /**
   * The authority's last answer for what was counted and is held by no process; 0 = none yet. The authority keeps the
   * maximum that it was told, so that it relearns what it forgot.
   */
  readonly before: number;
  /**
   * Counted by all processes, by the store, where some of it may not have been reserved; 0 = nothing else was counted.
   * Undefined: not asked of the store, so that nothing changes if the authority does not know the resource.
   */
  readonly counted: number | undefined;
  /**
   * What this process has used while nothing was limited. Where it is 0, `counted` matters only to an authority that does
   * not know the resource: meanwhile others may have shown what they had reserved of it.
   */
  readonly unlimited: number;
  /** Counted or promised since it joined, and not given back; of a rate the safe share. */
  readonly used: number;
  /** Promises within `used` whose outcome is unknown. */
  readonly open: number;
  /** Held and not used, without what it gives back. */
  readonly unused: number;
  /** How much more it wants; 0 = nothing. */
  readonly wanted: number;
}

/** Promises made before these minutes (since 1970) are no longer open. */
export interface ResolvedMinutes {
  readonly ad: number;
  readonly offer: number;
}

/** Objects from place `from` to before place `to` (`placeOf`), of which a report has all that is held or was used. */
export interface WholePart {
  readonly from: number;
  readonly to: number;
  /** `HolderAnswer.epoch`, if whole parts answered with it have covered all before `from`; else `""`. */
  readonly epoch: string;
}

/** A part of what a process reports in one round: a step of its own, which succeeds or fails alone. */
export interface HolderReport {
  /** As `join` answered. */
  readonly holder: number;
  /** Rises with each part. A late one is rejected and changes nothing. */
  readonly turn: number;
  /** Not later than what all parts that were answered know of (`settle`). */
  readonly resolved: ResolvedMinutes;
  /** What is left out of these objects is dropped; of all others it stays as it was. */
  readonly whole: WholePart | undefined;
  /** At most one per resource. */
  readonly limits: readonly LimitReport[];
}

/** The authority's answer for one limit. */
export interface Grant {
  /** How much more it holds now: `wanted` or less. */
  readonly granted: number;
  /** By how much all together hold more than the line allows: the process gives back what it has not used of it (of a
   * rate, its part). */
  readonly excess: number;
  /** Whether another process got less than it wanted within `contestedMs`. */
  readonly isContested: boolean;
  /** Counted and held by no process; to be repeated in the next report. */
  readonly before: number;
  /** Used by the other processes. */
  readonly others: number;
  /** False if the authority does not know the resource, and was not told what is counted of it. */
  readonly isKnown: boolean;
}

/** The authority's answer to a part. */
export interface HolderAnswer {
  /** In the order of the reports. */
  readonly grants: readonly Grant[];
  /** Whether the next parts must cover all objects, because the authority may have forgotten something. */
  readonly wantsWhole: boolean;
  /** Another one if it may have forgotten something since. */
  readonly epoch: string;
  /** Processes heard of within `leaseMs` that have not left, this one included. */
  readonly holders: number;
  /**
   * Objects that the report leaves out, of which it holds something unused and another process got less than it wanted
   * within `contestedMs`; about 1,000 at most. Without it, who uses nothing would not learn of who lacks it.
   */
  readonly recalled: readonly Pick<Resource, 'kind' | 'id'>[];
}

/** A process that has left, or was silent for `goneMs`. */
export interface GoneHolder {
  readonly holder: number;
  readonly resolved: ResolvedMinutes;
  /** When its last report came, in milliseconds since 1970 by the authority's clock. */
  readonly lastMs: number;
}

export interface BilledSum {
  readonly kind: string;
  readonly id: number;
  readonly day: number;
  readonly impressions: number;
  readonly nanos: number;
}

/** How long a grant may be used after its report was sent. */
export const leaseMs = 15_000;
/** How long a process that hears nothing may let requests through by its safe share of a rate. */
export const safeRateMs = 60_000;
/** How long an unmet request is remembered. */
export const contestedMs = 3000;
/** After this silence nothing that a process promised can arrive (`limits.ts`, `minutesFor`). */
export const goneMs = leaseMs + 65 * 60_000;

/** The authority does not know the holder (any more): it must join again. */
export class UnknownHolder extends Error {}

/**
 * Who shares out limits among processes (decisions/0020). For each resource, `before` and what all holders have
 * `used` and hold `unused` never exceed the line that it grants by, so that no limit is exceeded, whatever fails.
 *
 * - A promise is used by whoever made it, wherever it is billed. Its maker asks the store, some time after it has ended,
 *   what was billed of it, and gives the rest back: the store is the only truth.
 * - What a report says of a resource replaces what was known of this holder, in one step, before anything is granted.
 *   Granted is `min(wanted, line - before - what all hold)`, never below 0. It counts as held by whom it was granted to
 *   until its next report says what became of it.
 * - A holder that is silent, is gone or has left keeps all it had: `settle` says at last what became of it. What a holder
 *   that has left had `unused` and `wanted` is 0, of rates all.
 * - Of the rates of a holder that is silent for `leaseMs` only what it said is `used`, its safe share, is still held, and
 *   after `safeRateMs` nothing; the rest is not the holder's any more when it comes back.
 * - An authority that may have forgotten something (a failover, a restart without its data; a new epoch) says
 *   `wantsWhole` to all, and grants nothing of any resource until every holder that it knows of has covered all objects
 *   with whole parts since, has left, or was silent for `leaseMs` since; and nothing for `leaseMs` where it knows no
 *   holder that has not left. Whoever has joined in the epoch need not. It never gives the same number to two holders.
 *
 * Every method rejects with an error while the authority is away.
 */
export interface LimitAuthority {
  /** A number from 1 to 2^31 - 1, never reused. */
  join(): Promise<number>;
  /** Rejects with `UnknownHolder`, also for a holder that has left or is settled. */
  report(report: HolderReport): Promise<HolderAnswer>;
  /** After its last report. Repeating it changes nothing. */
  leave(holder: number): Promise<void>;
  /** Left, or silent for `goneMs`, and not settled: at most 100. */
  gone(): Promise<GoneHolder[]>;
  /**
   * Ends a holder that is gone or has left. Of impressions, amounts and totals it leaves `used - open` of its last
   * report plus `billed` (promises of minutes from `resolved` on), at most what it held; of requests and bids all
   * `used`, and if it has not left, all it held. For a holder unknown or active again it changes nothing.
   */
  settle(holder: number, billed: readonly BilledSum[]): Promise<void>;
  /** Days before this one (UTC, since 1970). */
  forget(beforeDay: number): Promise<void>;
  close(): Promise<void>;
}
