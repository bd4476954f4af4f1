import type { OfferedDeal } from '../../offered-deal.ts';
import type { ChainForm } from './schain.ts';

/** What changes a request without `CustomParams`. Objects with the same variant share the text. */
export interface Variant {
  readonly at: 1 | 2;
  readonly chain: ChainForm;
  readonly expirySeconds: number;
  /** Of its floors; `""` = USD. */
  readonly currency: string;
  /** The same array for all who are offered the same. */
  readonly deals: readonly OfferedDeal[] | undefined;
}
