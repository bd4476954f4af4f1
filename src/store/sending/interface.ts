import type { Job } from '../jobs/interface.ts';

export const sendingJobKind = 'Sending';

export type Channel = 'mail' | 'webhook';

export type SendingState = 'waiting' | 'sent' | 'failed';

export interface Destination {
  readonly channel: Channel;
  /** A mail address, or a URL. */
  readonly target: string;
}

/** `ReportFailure`: to a report's owner; `User`: about the user's own logins; `Invitation`: to a new user; `Deal`: to its buyer. */
export type SenderKind = 'Report' | 'ReportFailure' | 'Alert' | 'User' | 'Invitation' | 'Deal';

/** What is to be sent, and what became of it. Times are milliseconds since 1970. */
export interface Sending extends Destination {
  readonly id: number;
  readonly teamId: number;
  readonly entity: SenderKind;
  readonly objectId: number;
  readonly dueMs: number;
  readonly state: SendingState;
  readonly attempts: number;
  readonly lastMs: number | undefined;
  /** While it waits. */
  readonly nextMs: number;
  /** `""` = it did not fail. */
  readonly error: string;
  /** What the receiver said, as JSON; `""` = nothing. */
  readonly result: string;
}

/** Up to when its sendings are planned. */
export interface PlannedReport {
  readonly id: number;
  readonly teamId: number;
  readonly document: Readonly<Record<string, unknown>>;
  readonly changedMs: number;
  /** Undefined if nothing was planned yet. */
  readonly planned: { readonly schedule: string; readonly untilMs: number } | undefined;
}

export interface NewSendings extends Pick<Sending, 'teamId' | 'entity' | 'objectId' | 'dueMs'> {
  readonly to: readonly Destination[];
}

/** A due time of a schedule; to nobody if the schedule only begins. */
export interface Plan extends Omit<NewSendings, 'entity' | 'objectId'> {
  readonly reportId: number;
  readonly schedule: string;
}

export type AttemptOutcome = Pick<Sending, 'state' | 'attempts' | 'nextMs' | 'error'> &
  Partial<Pick<Sending, 'result'>> & { readonly lastMs: number };

/** On a database that several processes share. */
export interface SendingStore {
  /** Active, of all teams, by ID. */
  reports(afterId: number, limit: number): Promise<PlannedReport[]>;
  /** Up to a time, with what is sent then. Of several processes one plans; true if it was this one. */
  plan(plan: Plan): Promise<boolean>;
  /** Once per object, destination and time. */
  add(sendings: NewSendings): Promise<void>;
  /** Adds jobs for sendings that the version before has left. */
  adopt(nowMs: number): Promise<void>;
  /** The job's; undefined if the version before has sent it. */
  waiting(job: Job): Promise<Sending | undefined>;
  /** Settles the job. Adds a notice, unless it was added before. */
  finish(job: Job, outcome: AttemptOutcome, notice?: NewSendings): Promise<undefined>;
  /** What receivers said of objects, by ID, the oldest first. */
  results(entity: SenderKind, ids: readonly number[]): Promise<ReadonlyMap<number, readonly string[]>>;
  /** Changes whenever `results` may have. */
  version(entity: SenderKind): Promise<string>;
  /** The newest first; of one object if given. */
  ofTeam(
    teamId: number,
    of: { readonly entity: SenderKind; readonly objectId?: number },
    limit: number,
  ): Promise<Sending[]>;
}
