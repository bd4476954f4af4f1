import type { Job } from '../jobs/interface.ts';
import type { ObjectKey } from '../statistics/interface.ts';

export const fetchJobKind = 'PartnerStatistics';

/** `waiting` = none yet; `failed` = no answer. */
export type FetchState = 'waiting' | 'read' | 'failed' | 'unreadable';

export interface PlannedObject extends ObjectKey {
  readonly teamId: number;
}

export interface PartnerFetch extends ObjectKey {
  /** As requested by somebody; undefined = the last ones. */
  readonly days: FetchedDays | undefined;
  readonly url: string;
  /** Lines of `Name: value`. */
  readonly headers: string;
}

/** The payload of a job, with the last fetch's outcome. */
export interface PlannedFetch extends Partial<Pick<PartnerFetch, 'days'>> {
  readonly object: PlannedObject;
  readonly last?: Omit<FetchOutcome, 'nextMs' | 'reported'>;
}

/** Days since 1970, inclusive. */
export interface FetchedDays {
  readonly fromDay: number;
  readonly toDay: number;
}

export interface ReportedCounts {
  /** Of its date, in days since 1970. */
  readonly day: number;
  readonly impressions: number;
  readonly clicks: number;
  readonly nanos: number;
  /** Left out by the partner, which counts as 0. */
  readonly isMissing?: boolean;
  /** If it is no UTC day; milliseconds since 1970. */
  readonly span?: { readonly fromMs: number; readonly untilMs: number };
}

/** What a partner reported for a day, whenever it changed. */
export interface ReportedVersion extends Omit<ReportedCounts, 'span'> {
  /** Milliseconds since 1970. */
  readonly fetchedMs: number;
  /** No longer reported: the partner may not have closed the day. */
  readonly isTakenBack: boolean;
}

/** Times are milliseconds since 1970. */
export interface FetchOutcome {
  readonly state: Exclude<FetchState, 'waiting'>;
  /** `""` if something was read. */
  readonly error: string;
  /** Beginning of an unreadable answer. */
  readonly sample: string;
  readonly rowCount: number;
  readonly lastMs: number;
  readonly nextMs: number;
  /** Replaces what was reported for these days; absent if nothing was read. */
  readonly reported?: FetchedDays & { readonly days: readonly ReportedCounts[] };
}

/** Of an object's statistics. */
export interface FetchStatus extends Omit<FetchOutcome, 'reported' | 'state' | 'lastMs'> {
  readonly state: FetchState;
  readonly lastMs: number | undefined;
  readonly isUnderWay: boolean;
}

/** On a database that several processes share. */
export interface ReconciliationStore {
  /** Adds a job, one at a time per team, for active demand objects that name statistics and have none. */
  plan(nowMs: number): Promise<void>;
  /** Settles the job, with its figures. */
  finish(job: Job, outcome: FetchOutcome): Promise<undefined>;
  /** As soon as possible. */
  request(object: PlannedObject, nowMs: number, days: FetchedDays): Promise<void>;
  /** Undefined if nothing was planned yet. */
  status(object: ObjectKey, nowMs: number): Promise<FetchStatus | undefined>;
  /** Each version of some days: the newest days and versions first. */
  history(object: ObjectKey, days: FetchedDays, limit: number): Promise<ReportedVersion[]>;
}
