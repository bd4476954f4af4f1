/** Due work, on a database that several processes share. Times are milliseconds since 1970. */
export interface Job {
  readonly id: number;
  readonly kind: string;
  /** Tells it from others of its kind. */
  readonly key: string;
  /** That failed since the last success. */
  readonly attempts: number;
  /** As JSON has it. */
  readonly payload: unknown;
  readonly claimedBy: string;
  readonly claimedUntilMs: number;
}

export interface NewJob extends Pick<Job, 'kind' | 'key'> {
  readonly runMs: number;
  /** Of its jobs one runs at a time; by default `key`. */
  readonly queue?: string;
  readonly payload?: unknown;
}

/** Absent: it has not failed; the payload stays; anybody may claim it. */
export type NextRun = Pick<NewJob, 'runMs' | 'payload'> &
  Partial<Pick<Job, 'attempts'>> & { readonly keepsClaim?: boolean };

export interface ClaimRules {
  readonly name: string;
  /** Then a process is taken for dead, and others may have the job. */
  readonly claimMs: number;
  /** Only one process at a time runs jobs of this kind. */
  readonly isExclusive?: boolean;
  /** There is always one job, with the key `""`. Whoever has claimed it may do so again before others. */
  readonly isPeriodic?: boolean;
}

export interface JobStore {
  /** Unless there is one with that key. */
  add(job: NewJob): Promise<void>;
  /** The job of the kind that is due longest, for `by` alone; undefined if none is due and free. */
  claim(rules: ClaimRules, by: string, nowMs: number): Promise<Job | undefined>;
  /** Of that kind, what it has claimed. */
  release(kind: string, by: string): Promise<unknown>;
  /** Frees it to run again, or ends it. Does nothing if its claim is another's by now. */
  settle(job: Job, next?: NextRun): Promise<undefined>;
}
