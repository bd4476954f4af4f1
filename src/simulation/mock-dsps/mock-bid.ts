/** What a mock DSP bids in an auction. */
export interface MockBid {
  /** `id` of the bid request; `""` if the ad is requested by GET. */
  readonly requestId: string;
  /** ID of the bid, and also of its ad and its creative. */
  readonly id: string;
  /** CPM. */
  readonly price: number;
  /** ISO 4217. */
  readonly currency: string;
  /** Markup to send instead of the ad; undefined = an ad is made for the bid. */
  readonly markup: string | undefined;
}
