import type { Generated } from 'kysely';

/** What all that follows is part of: one row, whose `id` is 1. Times are milliseconds since 1970. */
interface LimitStateTable {
  id: number;
  /** The server and the database that this was written by; `""` = none yet. */
  server: string;
  /** Counts up whenever that is another one. */
  epoch: number;
  since: number;
  /** Nothing is granted before. */
  quiet_until: number;
  last_holder: number;
}

/** A process that shares in limits (`leases/authority.ts`). */
interface LimitHolderTable {
  id: number;
  /** Of its last report; -1 = none yet. */
  turn: number;
  /** Minutes since 1970 (`Resolved`). */
  ad_resolved: number;
  offer_resolved: number;
  /** When its last report came, in milliseconds since 1970. */
  last: number;
  has_left: number;
  /** In which epoch it has joined, or has sent a whole report. */
  epoch: number;
}

/** A limit of an object, and of a day where it has days. */
interface LimitResourceTable {
  id: Generated<number>;
  kind: string;
  object_id: number;
  measure: string;
  day: number;
  /** What is counted, and held by no process. */
  before: number;
}

interface LimitHoldingTable {
  resource: number;
  holder: number;
  used: number;
  open: number;
  /** With what was granted since its last report. */
  unused: number;
  /** When it last asked, if it was granted less than it wanted; milliseconds since 1970. */
  short_at: number | null;
}

/** Promises that were kept: what a lot of events has counted of a process, an object and a minute. */
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

/** The tables of limits that processes share. */
export interface LeaseTables {
  limit_state: LimitStateTable;
  limit_holder: LimitHolderTable;
  limit_resource: LimitResourceTable;
  limit_holding: LimitHoldingTable;
  kept_promise: KeptPromiseTable;
}
