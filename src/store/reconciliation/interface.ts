import type { ObjectKey } from '../statistics/interface.ts';

/** What came of the last fetch: it was read, nothing came, or what came cannot be read; `waiting` = there was none yet. */
export type FetchState = 'waiting' | 'read' | 'failed' | 'unreadable';

/** A demand object whose partner is asked for its statistics. */
export interface PartnerFetch extends ObjectKey {
  readonly teamId: number;
  /** Days since 1970 that somebody wants; undefined = the last ones. */
  readonly days: FetchedDays | undefined;
  readonly url: string;
  /** Lines of `Name: value`. */
  readonly headers: string;
}

/** Days since 1970; the last one is included. */
export interface FetchedDays {
  readonly fromDay: number;
  readonly toDay: number;
}

export interface ReportedCounts {
  /** Number of its date, in days since 1970. */
  readonly day: number;
  readonly impressions: number;
  readonly clicks: number;
  readonly nanos: number;
  /** Whether the partner has left it out, which counts as 0. */
  readonly isMissing?: boolean;
  /** When it was, where it is no day of UTC; in milliseconds since 1970. */
  readonly span?: { readonly fromMs: number; readonly untilMs: number };
}

/** What a partner has said of a day at a time: another one than before. */
export interface ReportedVersion extends Omit<ReportedCounts, 'span'> {
  /** When it was fetched, in milliseconds since 1970. */
  readonly fetchedMs: number;
  /** Whether it says nothing of the day any more, which it may not have closed. */
  readonly isTakenBack: boolean;
}

/** What came of a fetch. Times are milliseconds since 1970. */
export interface FetchOutcome {
  readonly state: Exclude<FetchState, 'waiting'>;
  /** Why nothing was read; `""` where something was. */
  readonly error: string;
  /** The beginning of an answer that cannot be read. */
  readonly sample: string;
  readonly rowCount: number;
  readonly lastMs: number;
  readonly nextMs: number;
  /** What takes the place of what was reported of these days; absent where nothing was read. */
  readonly reported?: FetchedDays & { readonly days: readonly ReportedCounts[] };
}

/** What is known of the fetches of an object's statistics. */
export interface FetchStatus extends Omit<FetchOutcome, 'reported' | 'state' | 'lastMs'> {
  readonly state: FetchState;
  readonly lastMs: number | undefined;
  /** Whether it is fetched at this moment. */
  readonly isUnderWay: boolean;
}

/** Fetches of partners' statistics, on a database that several processes share. */
export interface ReconciliationStore {
  /** Plans a first fetch, at a time, of all active demand objects that name statistics and have no plan. */
  plan(nowMs: number): Promise<void>;
  /**
   * Takes the fetch that has waited longest, of a team that is not among `busyTeams`, for `by` alone until a time. Of
   * several processes only one has fetches at a time. What is inactive, or names no statistics any more, is forgotten.
   * Undefined where nothing is due.
   */
  claim(
    by: string,
    nowMs: number,
    options: { readonly untilMs: number; readonly busyTeams: readonly number[] },
  ): Promise<PartnerFetch | undefined>;
  /** Notes what came of a fetch, with its figures. Does nothing where it is no longer `by`'s. */
  finish(object: ObjectKey, by: string, outcome: FetchOutcome): Promise<void>;
  /** Wants these days to be fetched as soon as possible. */
  request(object: ObjectKey & { readonly teamId: number }, nowMs: number, days: FetchedDays): Promise<void>;
  /** What is known of an object; undefined where nothing was planned yet. */
  status(object: ObjectKey, nowMs: number): Promise<FetchStatus | undefined>;
  /** What was said of some days of an object, whenever it was another than before: the newest days and versions first. */
  history(object: ObjectKey, days: FetchedDays, limit: number): Promise<ReportedVersion[]>;
}
