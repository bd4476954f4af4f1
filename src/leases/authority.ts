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

/** What a process says of a limit. All numbers are whole, and 0 or more. */
export interface LimitReport extends Resource {
  /** What the limit allows at this moment, of all processes together. */
  readonly line: number;
  /**
   * What all processes have counted of it as the store says, promises too. It matters only while the authority does not
   * know the resource, and while it grants nothing after it has lost its memory: then the most that it is told is what
   * was booked before, and counts beside what holders book from then on.
   */
  readonly before: number;
  /** What the process has booked since it joined, also of promises that others made; never goes back. */
  readonly booked: number;
  /** What it has promised, and has neither been booked anywhere that it knows of nor is over. */
  readonly open: number;
  /** What it holds and has not used, without what it gives back. */
  readonly unused: number;
  /** How much more it would like; 0 = nothing. */
  readonly wanted: number;
}

/** So much that another process had promised has been booked by this one, or was given back here. */
export interface EndedElsewhere extends Resource {
  /** The process that promised it. */
  readonly holder: number;
  /** When and what for, in that process' own terms, by which it finds the promise: a whole number below 2^32. */
  readonly made: number;
  readonly units: number;
}

/** What a process says in one turn. */
export interface HolderReport {
  /** As `join` has answered. */
  readonly holder: number;
  /** Of each resource at most one. What is left out stays as it was. */
  readonly limits: readonly LimitReport[];
  /** Told once: where it is not known whether it arrived, it is not told again, and those promises end with time. */
  readonly ended: readonly EndedElsewhere[];
}

/** What the authority answers of one limit. */
export interface Grant {
  /** How much more the process holds now: `wanted` or less. */
  readonly granted: number;
  /** Whether another process wanted more than it was granted when it last asked, within `contestedMs`. */
  readonly isContested: boolean;
  /** Booked and held by all processes, this one with what it was granted; what is parked, too. */
  readonly used: number;
}

/** What the authority answers in one turn. */
export interface HolderAnswer {
  /** In the order of the reports. */
  readonly grants: readonly Grant[];
  /** Promises of this process that others have ended since it last asked: each is told once. */
  readonly ended: readonly Omit<EndedElsewhere, 'holder'>[];
  /** How many processes there are, this one too. */
  readonly holders: number;
}

/** How long what was granted may be used after the report that it was the answer to was sent. */
export const leaseMs = 15_000;
/** A wish that could not be met is remembered for so long. */
export const contestedMs = 3000;
/** A process that has reported nothing for so long is silent: what was promised and ends without being booked is parked. */
export const silentMs = 5000;
/** After so long without a report, nothing that a process has promised can come any more (`limits.ts`, `minutesFor`). */
export const goneMs = leaseMs + 125 * 60_000;

/** The authority does not know the holder (any more): it must join anew. */
export class UnknownHolder extends Error {}

/**
 * Who shares out limits among processes (decisions, "Leases"). What all have booked, hold and have parked never exceeds
 * the line that it grants by, so that no limit is exceeded, whatever fails.
 *
 * - Reports are levels and sums since the holder joined, never differences: a repeated one changes nothing. What was
 *   reported wins over what is remembered of a holder, so that an authority that has lost the last of it learns it again.
 * - An authority that has lost all of it knows none of its holders any more: `report` rejects with `UnknownHolder`, and
 *   each joins anew, with nothing booked and nothing unused. It grants nothing for `leaseMs` then.
 * - While a holder is silent it may have booked promises of others and not told yet: what leaves `open` of any holder
 *   by more than it adds to `booked` there is parked, and counts as used until no holder is silent any more.
 * - A holder that is gone (`goneMs`) holds nothing any more: what it had open and unused of impressions, amounts and
 *   totals is free; of requests and bids it counts as booked, as nobody can say whether they were used. It may come back.
 * - A holder that left in order keeps what it had open for as long, and is never silent.
 * - Of a holder that is gone or has left, promises that others end are taken off what it had open.
 * - After a restart or failover in which it may have forgotten grants, it grants nothing of a resource until every
 *   holder that it knows of has reported since, has left, or has been silent for `leaseMs`.
 *
 * Every method rejects with an error while the authority is away.
 */
export interface LimitAuthority {
  /** Registers a process; the number (1 to 2^31 - 1) is never given again. */
  join(): Promise<number>;
  /** Takes a report and answers it, as one step that no other report can be in the middle of (per resource). */
  report(report: HolderReport): Promise<HolderAnswer>;
  /** The last report of a process that ends in order; its `unused` and `wanted` are taken as 0. */
  leave(report: HolderReport): Promise<void>;
  /** Ends what is under way. */
  close(): Promise<void>;
}
