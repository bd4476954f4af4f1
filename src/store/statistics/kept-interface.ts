/** Kept wherever: an ad was billed. */
export interface KeptPromise {
  /** `leases/authority.ts`. */
  readonly holder: number;
  readonly to: 'ad' | 'offer';
  /** When its auction was held, in minutes since 1970. */
  readonly minute: number;
  readonly kind: string;
  readonly id: number;
  /** `spentNanos` of supply, `revenueNanos` of demand. */
  readonly nanos: number;
}

/** Of ads or of offers, of minutes from `fromMinute` on and before `beforeMinute`. */
export interface KeptPromisesOf extends Pick<KeptPromise, 'holder' | 'to'> {
  readonly fromMinute: number;
  readonly beforeMinute: number;
}

/** Number and cost, by object and minute. */
export interface KeptPromises extends Pick<KeptPromise, 'minute' | 'kind' | 'id' | 'nanos'> {
  readonly impressions: number;
}
