/** What a mock DSP bids in an auction. */
export interface MockBid {
  /** `id` of the bid request; `""` where the ad is asked for by GET. */
  readonly requestId: string;
  /** Of the bid, its ad and its creative. */
  readonly id: string;
  /** CPM. */
  readonly price: number;
  /** ISO 4217. */
  readonly currency: string;
  /** The ad as VAST; undefined: made of the bid. */
  readonly markup: string | undefined;
}
