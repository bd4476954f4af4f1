import type { Generated } from 'kysely';

/** How an alert is, as it was found last. Times are milliseconds since 1970. */
export interface AlertStateTable {
  alert_id: number;
  checked_at: number;
  /** The rule by which it was judged, to know when it has changed. */
  rule: string;
  /** Why it could not be judged; `""` where it could. */
  problem: string;
  /** Of what there were no data to judge by; `""` where there were. */
  no_data: Generated<string>;
}

/** A time in which some process has served, in milliseconds since 1970. */
export interface ServedTimeTable {
  began: number;
  until: number;
}

/** What an alert has found of an object, or of all together (kind `""`, ID 0). Times are milliseconds since 1970. */
export interface AlertLogTable {
  /** In the order of time. */
  id: Generated<number>;
  team_id: number;
  alert_id: number;
  kind: string;
  object_id: number;
  /** The object's name when it began. */
  name: string;
  /** The rule in words, as it was then. */
  rule: string;
  held_since: number;
  /** Null while it has not held for long enough. */
  began_at: number | null;
  /** Since when it holds no longer, while it still fires. */
  cleared_since: number | null;
  ended_at: number | null;
  ending: string;
  /** The figure when it began, and that of the comparison; then as it was found last. Null where it is about none. */
  first_value: number | null;
  compared: number | null;
  last_value: number | null;
  detail: string;
  /** When its beginning and its end were given to be sent; null = they are owed, or never will be. */
  begin_sent_at: number | null;
  end_sent_at: number | null;
  /** When, by whom and with which words somebody has taken it on; null = nobody has. */
  acknowledged_at: Generated<number | null>;
  acknowledged_by: Generated<string | null>;
  note: Generated<string | null>;
  /** When it was told again last, as nobody had. */
  reminded_at: Generated<number | null>;
}
