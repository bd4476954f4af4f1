/** Of a demand object: the next fetch, and the last one's outcome. */
export interface PartnerFetchTable {
  kind: string;
  id: number;
  team_id: number;
  next_at: number;
  /** Days since 1970; 0 = the last ones. */
  from_day: number;
  to_day: number;
  /** Exclusive to `claimed_by` until then. */
  claimed_until: number;
  claimed_by: string;
  state: string;
  last_at: number | null;
  error: string;
  /** Beginning of an unreadable answer. */
  sample: string;
  row_count: number;
}

/** What a partner reported for a day, whenever it changed. */
export interface PartnerReportTable {
  kind: string;
  id: number;
  /** Days since 1970. */
  day: number;
  fetched_at: number;
  /** `reported`, `missing` = left out, which counts as 0, or `taken back`. */
  state: string;
  impressions: number;
  clicks: number;
  nanos: number;
}
