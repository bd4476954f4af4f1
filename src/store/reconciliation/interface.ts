import type { ObjectKey } from '../statistics/interface.ts';

/** `waiting` = none yet; `failed` = no answer. */
export type FetchState = 'waiting' | 'read' | 'failed' | 'unreadable';

export interface PartnerFetch extends ObjectKey {
  readonly teamId: number;
  /** As requested by somebody; undefined = the last ones. */
  readonly days: FetchedDays | undefined;
  readonly url: string;
  /** Lines of `Name: value`. */
  readonly headers: string;
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
  /** A first fetch for active demand objects that name statistics and have no plan. */
  plan(nowMs: number): Promise<void>;
  /**
   * The oldest due fetch, of a team not in `busyTeams`, for `by` alone until a time; one process fetches at once. Drops
   * objects inactive or without statistics. Undefined if nothing is due.
   */
  claim(
    by: string,
    nowMs: number,
    options: { readonly untilMs: number; readonly busyTeams: readonly number[] },
  ): Promise<PartnerFetch | undefined>;
  /** With its figures. Does nothing if it is no longer `by`'s. */
  finish(object: ObjectKey, by: string, outcome: FetchOutcome): Promise<void>;
  /** As soon as possible. */
  request(object: ObjectKey & { readonly teamId: number }, nowMs: number, days: FetchedDays): Promise<void>;
  /** Undefined if nothing was planned yet. */
  status(object: ObjectKey, nowMs: number): Promise<FetchStatus | undefined>;
  /** Each version of some days: the newest days and versions first. */
  history(object: ObjectKey, days: FetchedDays, limit: number): Promise<ReportedVersion[]>;
}
