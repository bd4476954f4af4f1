import type { Nanos } from '../money.ts';
import type { IpAddress } from '../opportunity.ts';
import type { Refusal } from '../reasons.ts';
import type { ExchangeObject } from '../snapshot/exchange-object.ts';

/** A supply or demand object as limits see it. */
export type Limited = Pick<ExchangeObject, 'id' | 'limits'> & { readonly kind: string };

/** Counters of all objects, shared by all threads of the process (delivery, "Limits"). Times are ms since 1970. */
export interface Limits {
  /** Takes one request of `MaxQps` and `RequestsDailyLimit`; on a refusal nothing is taken. */
  takeRequest(object: Limited, timeMs: number): Refusal | undefined;
  /** Takes one bid of `BidsDailyLimit`. */
  takeBid(object: Limited, timeMs: number): Refusal | undefined;
  /** Whether another impression and its price may be promised: daily impressions, amounts, impressions for the IP. */
  mayPromise(object: Limited, ip: IpAddress | undefined, timeMs: number): Refusal | undefined;
  /**
   * Promises one impression to an auction's winner, so that those in flight together never exceed the daily limit.
   * A promise that is not kept ends an hour later by itself.
   */
  promise(object: Limited, ip: IpAddress | undefined, timeMs: number): Refusal | undefined;
  /** Books the impression of an auction that was promised at `promisedMs`. */
  keepPromise(
    object: Limited,
    ip: IpAddress | undefined,
    times: { promisedMs: number; timeMs: number },
  ): void;
  /** Books an amount at the billable event: `Spent` of supply, `Revenue` of demand. */
  bookAmount(object: Limited, nanos: Nanos, timeMs: number): void;
}
