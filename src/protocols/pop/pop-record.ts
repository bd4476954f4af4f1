/** One ad of a pop feed's answer. Texts that were not told are `""`. */
export interface PopRecord {
  readonly title: string;
  readonly description: string;
  /** What the feed bids, in USD, in the unit that was agreed with it; not checked: it may be 0, negative or absurd. */
  readonly price: number;
  /** Where the visitor goes: absolute http or https, ASCII, at most 4,096 characters long. */
  readonly target: string;
  /** Host that the feed shows as the advertiser's, else that of the target. */
  readonly adDomain: string;
}

/** What is wrong with an answer: nothing in it, not to be read, or ads without a price or an address. */
export type PopFault = 'empty' | 'malformed' | 'no_price' | 'no_url';
