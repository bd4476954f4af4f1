import type { AlertEnding } from '../../reference/alert-conditions.ts';
import type { Destination } from '../sending/interface.ts';

/** An object, or all together: kind `""` and ID 0. */
export interface Subject {
  readonly kind: string;
  readonly id: number;
}

/** Times are milliseconds since 1970. */
export interface Finding extends Subject {
  /** When it began. */
  readonly name: string;
  /** In words, as it was then. */
  readonly rule: string;
  readonly heldSinceMs: number;
  /** Undefined until it has held for long enough. */
  readonly beganMs: number | undefined;
  /** Since when it holds no longer, while it still fires. */
  readonly clearedSinceMs: number | undefined;
  readonly endedMs: number | undefined;
  readonly ending: AlertEnding | '';
  /** When it began; null if the rule has no figure. */
  readonly firstValue: number | null;
  readonly compared: number | null;
  readonly lastValue: number | null;
  readonly detail: string;
}

export interface StoredFinding extends Finding {
  /** In the order of time. */
  readonly findingId: number;
  readonly alertId: number;
  /** Undefined and `""` until somebody acknowledges it. */
  readonly acknowledgedMs?: number | undefined;
  readonly acknowledgedBy?: string;
  readonly note?: string;
}

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
  /** When and by which rule it was last judged; 0 and `""` = never. */
  readonly checkedMs: number;
  readonly rule: string;
  readonly open: readonly StoredFinding[];
}

export interface AlertJudgement {
  readonly alertId: number;
  readonly teamId: number;
  readonly atMs: number;
  readonly rule: string;
  /** Why it could not be judged; `""` if it could. */
  readonly problem: string;
  /** `""` if there were data. */
  readonly noData: string;
  readonly added: readonly Finding[];
  /** Existing findings, updated. */
  readonly changed: readonly StoredFinding[];
  /** Never fired, and hold no longer. */
  readonly dropped: readonly number[];
  /** Undefined while muted: then it stays owed. */
  readonly to: readonly Destination[] | undefined;
  /** Until somebody acknowledges it; 0 = never. */
  readonly remindMs: number;
}

export interface AlertState {
  readonly checkedMs: number | undefined;
  readonly problem: string;
  readonly noData: string;
  /** How many fire, and the one that has longest. */
  readonly firing: number;
  readonly first: Pick<Finding, 'beganMs' | 'lastValue'> | undefined;
}

/** Only those that have fired. */
export interface FindingFilter {
  readonly alertId?: number | undefined;
  readonly isFiring?: boolean | undefined;
  readonly beforeId?: number | undefined;
}

/** Milliseconds since 1970. */
export interface Span {
  readonly fromMs: number;
  readonly untilMs: number;
}

export interface AlertStore {
  /** For a time in which a process served, and so counted. */
  noteServed(span: Span): Promise<void>;
  /** When any process served, in order, cut to the span. */
  served(span: Span): Promise<Span[]>;
  /** Of all teams: active or with open findings, and not judged since `atMs`; the longest ago first. */
  due(atMs: number, limit: number): Promise<DueAlert[]>;
  /** With messages, in one transaction. Of several processes for a minute one writes; true if it was this one. */
  write(judged: AlertJudgement): Promise<boolean>;
  /** A batch of findings that ended earlier. Returns whether there may be more. */
  forget(beforeMs: number): Promise<boolean>;
  /** By ID; never judged ones are left out. */
  states(ids: readonly number[]): Promise<ReadonlyMap<number, AlertState>>;
  /** Changes whenever `states` may have. */
  version(): Promise<string>;
  /** The newest first. */
  findings(teamId: number, filter: FindingFilter, limit: number): Promise<StoredFinding[]>;
  /** An alert's messages of that time: what began, ended, and was repeated. */
  sentAt(
    alertId: number,
    atMs: number,
  ): Promise<{ begun: StoredFinding[]; ended: StoredFinding[]; reminded: StoredFinding[] }>;
  /** Replaces an earlier acknowledgement; undefined if there is no such finding. */
  acknowledge(acknowledgement: Acknowledgement): Promise<StoredFinding | undefined>;
}
