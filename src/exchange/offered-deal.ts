import type { Floor } from './currency.ts';
import type { CpmMicros } from './money.ts';
import type { Media } from './opportunity.ts';
import type { Refusal } from './reasons.ts';
import type { Deal } from './snapshot/deal.ts';

/** The part of it in what is paid, and its fixed part. */
export interface CurationFee {
  readonly share: number;
  readonly cpmMicros: CpmMicros;
}

/** A deal as it stands for one impression. Its floor is no less than that of the exchange that offers the impression. */
export interface OfferedDeal extends Floor {
  readonly deal: Deal;
  readonly fee: CurationFee;
  /** Media of the impression that its targeting refuses, each with the reason. */
  readonly refusedMedia: ReadonlyMap<Media, Refusal>;
  /** Undefined: all but `blockedSeats`. */
  readonly seats: ReadonlySet<string> | undefined;
  readonly blockedSeats: ReadonlySet<string>;
  /** Advertisers' domains, each with its subdomains; undefined: all. */
  readonly domains: ReadonlySet<string> | undefined;
}
