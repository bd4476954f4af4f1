import type { Generated } from 'kysely';

/** One row, whose `id` is 1. Times are milliseconds since 1970. */
interface LimitStateTable {
  id: number;
  /** The writing server and database; `""` = none yet. */
  server: string;
  /** Counts up when that changes. */
  epoch: number;
  since: number;
  /** Nothing is granted before. */
  quiet_until: number;
  last_holder: number;
}

/** See `leases/authority.ts`. */
interface LimitHolderTable {
  id: number;
  /** Of its last report; -1 = none yet. */
  turn: number;
  /** Minutes since 1970 (`Resolved`). */
  ad_resolved: number;
  offer_resolved: number;
  /** Of its last report, in milliseconds since 1970. */
  last: number;
  /** 0 = no, 1 = yes, 2 = it was silent, and is being settled. */
  has_left: number;
  /** In which it joined, or sent a whole report. */
  epoch: number;
}

/** Of an object, and of a day if it has days. */
interface LimitResourceTable {
  id: Generated<number>;
  kind: string;
  object_id: number;
  measure: string;
  day: number;
  /** Counted, and held by no process. */
  before: number;
}

interface LimitHoldingTable {
  resource: number;
  holder: number;
  used: number;
  open: number;
  /** With what was granted since its last report. */
  unused: number;
  /** When it last got less than it wanted; milliseconds since 1970. */
  short_at: number | null;
}

/** Per batch of events: process, object and minute. */
interface KeptPromiseTable {
  holder: number;
  /** `ad` or `offer`. */
  to: string;
  /** Minutes since 1970. */
  minute: number;
  kind: string;
  id: number;
  impressions: number;
  nanos: number;
}

export interface LeaseTables {
  limit_state: LimitStateTable;
  limit_holder: LimitHolderTable;
  limit_resource: LimitResourceTable;
  limit_holding: LimitHoldingTable;
  kept_promise: KeptPromiseTable;
}
