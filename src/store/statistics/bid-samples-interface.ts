/** Of a supply object, country and hour; some sampled. */
export interface BidSamples {
  readonly kind: string;
  readonly id: number;
  /** Hours since 1970. */
  readonly hour: number;
  readonly country: string;
  readonly auctions: number;
  /** The request's floor, then its bids, the highest first; micro-USD of CPM. */
  readonly sampled: readonly (readonly number[])[];
}
