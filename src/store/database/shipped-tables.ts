import type { Generated } from 'kysely';

/** Facts of billable events that a process has yet to fetch. */
interface LeftFactTable {
  position: Generated<number>;
  id: string;
  name: string;
  /** JSON array. */
  facts: string;
}

/** Notices to bidders that are yet to be sent, of events that were counted together. */
interface PendingNoticeTable {
  id: string;
  /** From when on anybody may take it. */
  due: number;
  /** When the events were counted, in milliseconds since 1970. */
  time: number;
  /** JSON array. */
  notices: string;
}

/** Up to which record of a source's outbox all are counted. */
interface TakenRecordTable {
  source: string;
  place: number;
  /** When the last one was, in milliseconds since 1970. */
  time: number;
}

/** Up to when a process has shipped what it has acknowledged. Times are milliseconds since 1970. */
interface ShippedTable {
  /** ID of its part of an outbox. */
  process: string;
  /** Where that is, for operators. */
  name: string;
  until_time: number;
  noted: number;
  /** 1 = it has ended in order, and nothing is left. */
  is_done: number;
}

/** An hour of a team that has changed more than an hour after it was over, and when it did last. */
interface LateHourTable {
  team_id: number;
  /** Hours since 1970. */
  hour: number;
  /** Milliseconds since 1970. */
  time: number;
}

/** The tables of what was shipped, and of what is to be sent on. */
export interface ShippedTables {
  left_fact: LeftFactTable;
  pending_notice: PendingNoticeTable;
  taken_record: TakenRecordTable;
  shipped: ShippedTable;
  late_hour: LateHourTable;
}
