/** One ad of a pop feed's answer. Texts that the feed left out are `""`. */
export interface PopRecord {
  readonly title: string;
  readonly description: string;
  /** In USD, for one or 1,000 visits as agreed with the feed. Not checked: it may be 0, negative or absurd. */
  readonly price: number;
  /** Where the visitor goes: absolute http or https, ASCII, at most 4,096 characters long. */
  readonly target: string;
  /** Host that the feed shows as the advertiser's, else that of the target. */
  readonly adDomain: string;
}

/** What is wrong with an answer: it holds nothing, it cannot be read, or its ads have no price or no URL. */
export type PopFault = 'empty' | 'malformed' | 'no_price' | 'no_url';
