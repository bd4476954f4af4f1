import type { AlertEnding } from '../../reference/alert-conditions.ts';
import type { Destination } from '../sending/interface.ts';

/** What an alert is about: an object, or all together, which is kind `""` and ID 0. */
export interface Subject {
  readonly kind: string;
  readonly id: number;
}

/** What an alert has found of a subject. Times are milliseconds since 1970. */
export interface Finding extends Subject {
  /** The object's name when it began. */
  readonly name: string;
  /** The rule in words, as it was then. */
  readonly rule: string;
  readonly heldSinceMs: number;
  /** Since when it fires; undefined while it has not held for long enough. */
  readonly beganMs: number | undefined;
  /** Since when it holds no longer, while it still fires. */
  readonly clearedSinceMs: number | undefined;
  readonly endedMs: number | undefined;
  readonly ending: AlertEnding | '';
  /** The figure when it began, and what it was compared with then; null where it is about none. */
  readonly firstValue: number | null;
  readonly compared: number | null;
  readonly lastValue: number | null;
  readonly detail: string;
}

export interface StoredFinding extends Finding {
  /** In the order of time. */
  readonly findingId: number;
  readonly alertId: number;
  /** When, by whom and with which words somebody has taken it on; undefined and `""` while nobody has. */
  readonly acknowledgedMs?: number | undefined;
  readonly acknowledgedBy?: string;
  readonly note?: string;
}

/** Who takes on what an alert has found. */
export interface Acknowledgement {
  readonly teamId: number;
  readonly findingId: number;
  readonly by: string;
  readonly note: string;
  readonly atMs: number;
}

export interface DueAlert {
  readonly id: number;
  readonly teamId: number;
  readonly isActive: boolean;
  readonly document: Readonly<Record<string, unknown>>;
  /** When it was judged last, and by which rule; 0 and `""` where it never was. */
  readonly checkedMs: number;
  readonly rule: string;
  readonly open: readonly StoredFinding[];
}

export interface AlertJudgement {
  readonly alertId: number;
  readonly teamId: number;
  readonly atMs: number;
  readonly rule: string;
  /** Why it could not be judged; `""` where it could. */
  readonly problem: string;
  /** Of what there were no data to judge by; `""` where there were. */
  readonly noData: string;
  readonly added: readonly Finding[];
  /** Findings that are there already, as they are now. */
  readonly changed: readonly StoredFinding[];
  /** Findings that have never fired, and hold no longer. */
  readonly dropped: readonly number[];
  /** Who is told of what has begun and ended; undefined while nobody is (muted): then it stays owed. */
  readonly to: readonly Destination[] | undefined;
  /** After how long what fires is told again, until somebody acknowledges it; 0 = never. */
  readonly remindMs: number;
}

export interface AlertState {
  readonly checkedMs: number | undefined;
  readonly problem: string;
  readonly noData: string;
  /** How many findings fire, and the one that does for longest. */
  readonly firing: number;
  readonly first: Pick<Finding, 'beganMs' | 'lastValue'> | undefined;
}

/** Which findings are asked for; those that never fired are none. */
export interface FindingFilter {
  readonly alertId?: number | undefined;
  readonly isFiring?: boolean | undefined;
  readonly beforeId?: number | undefined;
}

/** A time, in milliseconds since 1970. */
export interface Span {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Alerts, on a database that several processes share. */
export interface AlertStore {
  /** Makes the judging `by`'s until a time, unless it is another's at `nowMs`; answers whether it is `by`'s. */
  lease(by: string, nowMs: number, untilMs: number): Promise<boolean>;
  /** Gives it up, where it is `by`'s. */
  release(by: string): Promise<void>;
  /** Notes that a process has served, and so counted, for a time. */
  noteServed(span: Span): Promise<void>;
  /** When some process has served, of a time: in its order, cut at its ends. */
  served(span: Span): Promise<Span[]>;
  /**
   * Alerts of all teams that are active, or have something open, and were not judged at `atMs` or later: at most so many,
   * those of longest ago first.
   */
  due(atMs: number, limit: number): Promise<DueAlert[]>;
  /**
   * Writes what judging has come to, and what is to be sent of it, in one transaction. Of several processes that judge an
   * alert for the same minute one does it; answers whether it was this one.
   */
  write(judged: AlertJudgement): Promise<boolean>;
  /** Deletes findings that ended before a time: a lot of them. Answers whether there may be more. */
  forget(beforeMs: number): Promise<boolean>;
  /** How alerts are, by ID; those that were never judged are left out. */
  states(ids: readonly number[]): Promise<ReadonlyMap<number, AlertState>>;
  /** A text that changes whenever `states` may have. */
  version(): Promise<string>;
  /** Findings of a team, the newest first. */
  findings(teamId: number, filter: FindingFilter, limit: number): Promise<StoredFinding[]>;
  /** What was given to be sent of an alert at a time: what began then, what ended, and what was told again. */
  sentAt(
    alertId: number,
    atMs: number,
  ): Promise<{ begun: StoredFinding[]; ended: StoredFinding[]; reminded: StoredFinding[] }>;
  /** Notes who has taken on what a team's alert has found, in the place of who did before; undefined where there is none. */
  acknowledge(acknowledgement: Acknowledgement): Promise<StoredFinding | undefined>;
}
