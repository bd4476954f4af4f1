/** A promise that a process has made and that was kept, wherever: an ad was billed. */
export interface KeptPromise {
  /** Number of the process (`leases/authority.ts`). */
  readonly holder: number;
  readonly to: 'ad' | 'offer';
  /** When its auction was held, in minutes since 1970. */
  readonly minute: number;
  readonly kind: string;
  readonly id: number;
  /** What it has cost: `spentNanos` of supply, `revenueNanos` of demand. */
  readonly nanos: number;
}

/** Kept promises of one process: those to ads or to offers, of minutes from `fromMinute` on and before `beforeMinute`. */
export interface KeptPromisesOf extends Pick<KeptPromise, 'holder' | 'to'> {
  readonly fromMinute: number;
  readonly beforeMinute: number;
}

/** How many promises of an object and a minute were kept, and what they have cost. */
export interface KeptPromises extends Pick<KeptPromise, 'minute' | 'kind' | 'id' | 'nanos'> {
  readonly impressions: number;
}
