/** When a demand object's partner is asked for its statistics next, and what came of it last. */
export interface PartnerFetchTable {
  kind: string;
  id: number;
  team_id: number;
  /** Milliseconds since 1970. */
  next_at: number;
  /** Days since 1970 that are asked for, instead of the last ones; 0 = the last ones. */
  from_day: number;
  to_day: number;
  /** Until when the process `claimed_by` has it alone. */
  claimed_until: number;
  claimed_by: string;
  state: string;
  last_at: number | null;
  error: string;
  /** Beginning of an answer that cannot be read. */
  sample: string;
  row_count: number;
}

/** What a partner has said of a day at a time, where that is another than before. */
export interface PartnerReportTable {
  kind: string;
  id: number;
  /** Number of its date, in days since 1970. */
  day: number;
  /** Milliseconds since 1970. */
  fetched_at: number;
  /** `reported`, `missing` = left out, which counts as 0, or `taken back`. */
  state: string;
  impressions: number;
  clicks: number;
  nanos: number;
}
