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
