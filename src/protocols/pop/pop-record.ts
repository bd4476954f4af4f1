/** Omitted texts are `""`. */
export interface PopRecord {
  readonly title: string;
  readonly description: string;
  /** USD, for one or 1,000 visits as agreed. Unchecked: it may be 0, negative or absurd. */
  readonly price: number;
  /** Absolute http or https, ASCII, at most 4,096 characters. */
  readonly target: string;
  /** The advertiser's host as the feed shows it, else the target's. */
  readonly adDomain: string;
}

/** Empty, unreadable, or ads without price or URL. */
export type PopFault = 'empty' | 'malformed' | 'no_price' | 'no_url';
