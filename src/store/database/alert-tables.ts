import type { Generated } from 'kysely';

export interface AlertStateTable {
  alert_id: number;
  checked_at: number;
  /** To know when it has changed. */
  rule: string;
  /** `""` = could be judged. */
  problem: string;
  no_data: Generated<string>;
}

/** In milliseconds since 1970. */
export interface ServedTimeTable {
  began: number;
  until: number;
}

/** Of an object, or all together (kind `""`, ID 0). Times are milliseconds since 1970. */
export interface AlertLogTable {
  /** In the order of time. */
  id: Generated<number>;
  team_id: number;
  alert_id: number;
  kind: string;
  object_id: number;
  /** When it began. */
  name: string;
  /** In words, as it was then. */
  rule: string;
  held_since: number;
  /** Null until it has held for long enough. */
  began_at: number | null;
  /** Since when it holds no longer, while it still fires. */
  cleared_since: number | null;
  ended_at: number | null;
  ending: string;
  /** When it began, its comparison, and the latest. Null if the rule has no figure. */
  first_value: number | null;
  compared: number | null;
  last_value: number | null;
  detail: string;
  /** Null = owed, or never sent. */
  begin_sent_at: number | null;
  end_sent_at: number | null;
  /** Null = by nobody. */
  acknowledged_at: Generated<number | null>;
  acknowledged_by: Generated<string | null>;
  note: Generated<string | null>;
  /** While nobody has acknowledged it. */
  reminded_at: Generated<number | null>;
}
