/** Auctions with bids of a supply object and country in an hour, of which some were sampled. */
export interface BidSamples {
  readonly kind: string;
  readonly id: number;
  /** Hours since 1970. */
  readonly hour: number;
  readonly country: string;
  readonly auctions: number;
  /** Of each the floor of its request, then its bids, the highest first; in micro-USD of CPM. */
  readonly sampled: readonly (readonly number[])[];
}
