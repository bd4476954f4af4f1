/**
 * What is shared out among processes. Requests, bids, impressions and amounts are those of a day (`Resource.day`),
 * totals of all days; a rate is a number of requests a second.
 */
export const measures = ['requests', 'bids', 'impressions', 'amount', 'total', 'rate'] as const;
/** One of these. Amounts and totals are in nano-USD, the others in units. */
export type Measure = (typeof measures)[number];

/** One limit of one object, and of a day where it has days. */
export interface Resource {
  /** Key of the object's entity. */
  readonly kind: string;
  readonly id: number;
  readonly measure: Measure;
  /** UTC days since 1970; 0 for totals and rates. */
  readonly day: number;
}

/** What a process says of a limit. All numbers are whole, 0 or more, and levels: said again, they change nothing. */
export interface LimitReport extends Resource {
  /** What the limit allows at this moment, of all processes together. */
  readonly line: number;
  /**
   * What the authority last answered of what was counted and is held by no process; 0 where it has not yet. The authority
   * keeps the most that it was ever told, so that it learns again what it has forgotten.
   */
  readonly before: number;
  /**
   * What all processes together have counted and promised, as the store says. It matters only in the report that makes a
   * resource known, with which `before` begins: the greater of the two.
   */
  readonly counted: number;
  /** What the process has counted or promised since it joined, and has not given back. */
  readonly used: number;
  /** Of `used`: promises of which is not known yet whether they were kept. */
  readonly open: number;
  /** What it holds and has not used, without what it gives back. */
  readonly unused: number;
  /** How much more it would like to hold; 0 = nothing. */
  readonly wanted: number;
}

/** Promises that were made before these minutes (since 1970) are no longer open, whatever became of them. */
export interface ResolvedMinutes {
  readonly ad: number;
  readonly offer: number;
}

/** What a process says in one turn. */
export interface HolderReport {
  /** As `join` has answered. */
  readonly holder: number;
  /** Rises with each report. One that comes late, behind a later one, changes nothing and is rejected. */
  readonly turn: number;
  readonly resolved: ResolvedMinutes;
  /** Whether `limits` has all that it holds or has used; else what is left out stays as it was. */
  readonly isWhole: boolean;
  /** Of each resource at most one. */
  readonly limits: readonly LimitReport[];
}

/** What the authority answers of one limit. */
export interface Grant {
  /** How much more the process holds now: `wanted` or less. */
  readonly granted: number;
  /** Whether another process wanted more than it was granted when it last asked, within `contestedMs`. */
  readonly isContested: boolean;
  /** What is counted and held by no process: to be said in the next report. */
  readonly before: number;
}

/** What the authority answers in one turn. */
export interface HolderAnswer {
  /** In the order of the reports. */
  readonly grants: readonly Grant[];
  /** Whether the next report is to be whole, as the authority may have forgotten something. */
  readonly wantsWhole: boolean;
  /** How many processes were heard of within `leaseMs` and have not left, this one too. */
  readonly holders: number;
}

/** A process that has left, or of which nothing was heard for `goneMs`. */
export interface GoneHolder {
  readonly holder: number;
  /** Of its last report. */
  readonly resolved: ResolvedMinutes;
  /** When its last report came, in milliseconds since 1970, by the authority's clock. */
  readonly lastMs: number;
}

/** What was billed of promises of one process, for auctions of one day. */
export interface BilledSum {
  readonly kind: string;
  readonly id: number;
  readonly day: number;
  readonly impressions: number;
  readonly nanos: number;
}

/** How long what was granted may be used after the report that it was the answer to was sent. */
export const leaseMs = 15_000;
/** A wish that could not be met is remembered for so long. */
export const contestedMs = 3000;
/** After so long without a report, nothing that a process has promised can come any more (`limits.ts`, `minutesFor`). */
export const goneMs = leaseMs + 65 * 60_000;

/** The authority does not know the holder (any more): it must join anew. */
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
 * - The rate of a holder that is silent for `leaseMs` is free, and not the holder's any more when it comes back.
 * - An authority that may have forgotten something (a failover, a restart without its data; a new epoch) says
 *   `wantsWhole` to all, and grants nothing of any resource until every holder that it knows of has sent a whole report
 *   since, has left, or was silent for `leaseMs` since; and nothing for `leaseMs` where it knows no holder that has not
 *   left. Whoever has joined in the epoch need not send a whole one. It never gives the same number to two holders.
 *
 * Every method rejects with an error while the authority is away.
 */
export interface LimitAuthority {
  /** Registers a process; the number is 1 to 2^31 - 1, and never given again. */
  join(): Promise<number>;
  /** Takes a report and answers it. Rejects with `UnknownHolder`, also for one that has left or is settled. */
  report(report: HolderReport): Promise<HolderAnswer>;
  /** Has a process leave in order, after its last report. A second time it changes nothing. */
  leave(holder: number): Promise<void>;
  /** Processes that have left, or are silent for `goneMs`, and are not settled: at most 100. */
  gone(): Promise<GoneHolder[]>;
  /**
   * Ends a holder that is gone or has left: it is unknown from now on. Of impressions, amounts and totals counts from
   * now on `used - open` of its last report and what was billed of its promises since (`billed`: those made in minutes
   * from `resolved` on), never more than it held; of requests and bids all that it had used, and where it has not left,
   * also what it held, as nobody can say whether it was used. Of a holder that is unknown, or is there again, it changes
   * nothing.
   */
  settle(holder: number, billed: readonly BilledSum[]): Promise<void>;
  /** Forgets resources of days before this one (UTC, since 1970). */
  forget(beforeDay: number): Promise<void>;
  /** Ends what is under way. */
  close(): Promise<void>;
}
