/** Names that one event each gets; it gets all of them or none. */
export interface Claim {
  readonly auctionId: string;
  /** As `bills`, `losses`. */
  readonly event: string;
  /** As `['bills']`; of a loss `['wins', 'bills']` (reference, B10). */
  readonly names: readonly string[];
  /** Milliseconds since 1970; from then on it may be forgotten. */
  readonly expiresMs: number;
}

/** `again` = the same event had the names; `other` = another event has one, so this one counts nothing. */
export type ClaimResult = 'first' | 'again' | 'other';

/** Decides for a region what follows from an event (limits, notices); the database decides whether it counts. */
export interface Claims {
  /** Asked before an event is acknowledged. Never rejects, waits for a bounded time; if unknown, `first`. */
  claim(claim: Claim): Promise<ClaimResult>;
  /** Of a `first` claim whose event could not be stored; best effort, returns at once. */
  giveBack(claim: Claim): void;
}
