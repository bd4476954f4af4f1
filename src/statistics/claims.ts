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

/** Decides for a region what follows from an event (limits, notices); the database decides whether it counts. */
export interface Claims {
  /** Whether it is the first of its names. Never rejects, waits for a bounded time; true if unknown. */
  claim(claim: Claim): Promise<boolean>;
  /** Of a first claim whose event could not be stored; best effort, returns at once. */
  giveBack(claim: Claim): void;
}
