import type { Generated } from 'kysely';

/** To be fetched by a process. */
interface LeftFactTable {
  position: Generated<number>;
  id: string;
  name: string;
  /** JSON array. */
  facts: string;
}

/** Of events that were counted together. */
interface PendingNoticeTable {
  id: string;
  /** From then on anybody may take it. */
  due: number;
  /** When the events were counted, in milliseconds since 1970. */
  time: number;
  /** JSON array. */
  notices: string;
}

interface TakenRecordTable {
  source: string;
  place: number;
  /** Of the last one, in milliseconds since 1970. */
  time: number;
}

/** Up to when a process has shipped what it acknowledged. Times are milliseconds since 1970. */
interface ShippedTable {
  /** ID of its part of an outbox. */
  process: string;
  /** For operators. */
  name: string;
  until_time: number;
  noted: number;
  /** 1 = ended in order, and nothing is left. */
  is_done: number;
}

/** Changed over an hour after its end, with the last change. */
interface LateHourTable {
  team_id: number;
  /** Hours since 1970. */
  hour: number;
  time: number;
}

export interface ShippedTables {
  left_fact: LeftFactTable;
  pending_notice: PendingNoticeTable;
  taken_record: TakenRecordTable;
  shipped: ShippedTable;
  late_hour: LateHourTable;
}
