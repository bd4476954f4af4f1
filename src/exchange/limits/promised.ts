import type { LimitedKind } from '../../entities/kinds.ts';
import type { Nanos } from '../money.ts';
import type { IpAddress } from '../opportunity.ts';
import type { ViewerOf } from '../viewer-hash.ts';

/** What an impression is promised to: an ad that is handed out, or one that is offered in somebody else's auction. */
export type PromisedTo = 'ad' | 'offer';

/**
 * How many minutes after its auction a promised impression may still come. Offers get less time: few of them win, many
 * callers send no notice when one loses, and bids are kept for about five minutes.
 */
export const minutesFor: Readonly<Record<PromisedTo, number>> = { ad: 60, offer: 5 };

/** The same of an impression that is promised to an IP address or a viewer, too. */
export const minutesAtAddress = 15;

export interface PromisedIn {
  /** When it began; what is promised counts for the day of this time. */
  readonly timeMs: number;
  readonly to: PromisedTo;
  readonly ip: IpAddress | undefined;
  readonly auctionId: string;
  /** For frequency; absent where no viewer is meant, or the auction is over. */
  readonly viewer?: ViewerOf | undefined;
}

/** What an object's shares have promised to an ad. */
export interface SharePromise {
  /** Number of the process that has promised it; 0 = no share was asked for. */
  readonly holder: number;
  /** Of which measures something was taken: a bit for each; 0 where the ad was handed out. */
  readonly shares: number;
}

/** What an object has promised to an ad: one impression, and what it may cost. */
export interface Promised extends Partial<SharePromise> {
  readonly kind: LimitedKind;
  readonly id: number;
  /** The payout of supply, the clearing price of demand. */
  readonly nanos: Nanos;
  /** Whether the impression is promised to the address of the ad, too. */
  readonly isAtAddress: boolean;
  /** By whose hash it is promised, as stored; absent if none. */
  readonly viewer?: string | undefined;
}

export interface Shown {
  readonly auction: PromisedIn;
  /** What it costs: no more than what was promised for it. */
  readonly nanos: Nanos;
  readonly nowMs: number;
}
