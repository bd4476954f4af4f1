/** What a billable event claims for its auction: names, each of which one event gets; it gets all of them or none. */
export interface Claim {
  readonly auctionId: string;
  /** The event's name, as `bills`, `losses`. */
  readonly event: string;
  /** As `['bills']`; of a loss `['wins', 'bills']` (reference, B10). */
  readonly names: readonly string[];
  /** Milliseconds since 1970; from then on it may be forgotten. */
  readonly expiresMs: number;
}

/**
 * What became of a claim: `first` = all names were free; `again` = this very event had claimed them before; `other` =
 * another event of the auction has one of them, so that this one counts nothing.
 */
export type ClaimResult = 'first' | 'again' | 'other';

/**
 * Who says, for all machines of a region, whether an event is the first of its auction. It decides what follows from an
 * event (limits, notices), not whether it counts: that the database does, by the same names.
 */
export interface Claims {
  /**
   * Asked after the process's own claims, once for each event that is the first in the process, before the event is
   * acknowledged. Never rejects, and waits for a bounded time: where it is not known in time, `first`, as the process's
   * own claims say.
   */
  claim(claim: Claim): Promise<ClaimResult>;
  /** Takes a `first` claim back, as the event could not be kept; best effort, returns at once. */
  giveBack(claim: Claim): void;
}
