export type Channel = 'mail' | 'webhook';

export type SendingState = 'waiting' | 'sent' | 'failed';

export interface Destination {
  readonly channel: Channel;
  /** A mail address, or a URL. */
  readonly target: string;
}

/** The kinds of objects that send; reports whose owner is told of a failure; users, who are told of their own logins. */
export type SenderKind = 'Report' | 'ReportFailure' | 'Alert' | 'User';

/** What an object is to send to somebody, and what became of it. Times are milliseconds since 1970. */
export interface Sending extends Destination {
  readonly id: number;
  readonly teamId: number;
  /** Key of the object's entity, and its ID. */
  readonly entity: SenderKind;
  readonly objectId: number;
  readonly dueMs: number;
  readonly state: SendingState;
  readonly attempts: number;
  readonly lastMs: number | undefined;
  /** When it is tried next, while it waits. */
  readonly nextMs: number;
  /** Why the last attempt failed; `""` where it did not. */
  readonly error: string;
}

/** An active report, and up to when its sendings are planned. */
export interface PlannedReport {
  readonly id: number;
  readonly teamId: number;
  readonly document: Readonly<Record<string, unknown>>;
  readonly changedMs: number;
  /** Undefined where nothing was planned yet. */
  readonly planned: { readonly schedule: string; readonly untilMs: number } | undefined;
}

export interface NewSendings extends Pick<Sending, 'teamId' | 'entity' | 'objectId' | 'dueMs'> {
  readonly to: readonly Destination[];
}

/** A time for which a report is sent, by a schedule; to nobody where that only begins. */
export interface Plan extends Omit<NewSendings, 'entity' | 'objectId'> {
  readonly reportId: number;
  readonly schedule: string;
}

export type AttemptOutcome = Pick<Sending, 'state' | 'attempts' | 'nextMs' | 'error'> & {
  readonly lastMs: number;
};

/** What is to be sent, on a database that several processes share. */
export interface SendingStore {
  /** Active reports of all teams in order of ID: at most so many after one. */
  reports(afterId: number, limit: number): Promise<PlannedReport[]>;
  /**
   * Plans a report up to a time, and what is sent then. Of several processes that plan the same, one does it; answers
   * whether it was this one.
   */
  plan(plan: Plan): Promise<boolean>;
  /** Adds what is sent, unless it was added before: an object's to one destination, for one time. */
  add(sendings: NewSendings): Promise<void>;
  /**
   * Takes the sending that has waited longest, for `by` alone until a time: then whoever asks may have it. Undefined
   * where none is due.
   */
  claim(by: string, nowMs: number, untilMs: number): Promise<Sending | undefined>;
  /**
   * Notes how an attempt ended, and adds what is to be sent because of it, unless that was added before. Does nothing
   * where the sending is no longer `by`'s.
   */
  finish(id: number, by: string, outcome: AttemptOutcome, notice?: NewSendings): Promise<void>;
  /** The last sendings of a team's objects of a kind, or of one of them, the newest first. */
  ofTeam(
    teamId: number,
    of: { readonly entity: SenderKind; readonly objectId?: number },
    limit: number,
  ): Promise<Sending[]>;
}
