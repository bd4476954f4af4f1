import type { CpmMicros } from './money.ts';
import type { Deal } from './snapshot/deal.ts';

/** A deal as it stands for one impression. */
export interface OfferedDeal {
  readonly deal: Deal;
  /** Its own, and no less than that of the exchange that offers the impression. */
  readonly floorCpmMicros: CpmMicros;
  /** Undefined: all but `blockedSeats`. */
  readonly seats: ReadonlySet<string> | undefined;
  readonly blockedSeats: ReadonlySet<string>;
  /** Advertisers' domains, each with its subdomains; undefined: all. */
  readonly domains: ReadonlySet<string> | undefined;
}
