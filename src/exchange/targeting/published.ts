import type { Finding } from '../crawl/crawled.ts';
import type { Opportunity, SupplyChainNode } from '../opportunity.ts';
import type { Reason } from '../reasons.ts';
import { except, keyOf } from './keys.ts';
import type { KeyRule } from './rule.ts';
import { numberIn } from './stored-values.ts';

/** One of those who sell an opportunity on, as a supply chain names them: advertising system, and account there. */
export type Seller = Pick<SupplyChainNode, 'asi' | 'sid'>;

/** What is published about an opportunity, as one field asks for it. */
export interface Published {
  readonly field: string;
  /** Those who must be authorized; none where the field does not concern the opportunity. */
  sellersOf(opportunity: Opportunity): readonly Seller[];
  find(seller: Seller, opportunity: Opportunity): Finding | undefined;
  readonly unavailable: Reason;
  readonly violation: Reason;
}

/** The paid nodes of the request's supply chain; without a chain nobody. */
export function chainSellers({ supplyChain }: Opportunity): readonly Seller[] {
  const paid = supplyChain?.nodes.filter(({ hp }) => hp === 1) ?? [];
  return paid.map(({ asi, sid }) => ({ asi: asi.toLowerCase(), sid }));
}

/** The value of such a field that denies what is not known; 0 does not ask, 1 allows it. */
const denyUntilCrawled = 2;

const isUnknown = (finding: Finding | undefined) => finding === undefined || finding === 'missing';

/** A rule that refuses by a key where any seller is out, from a value of its field on. */
function rule(
  { field, sellersOf, find }: Published,
  reason: Reason,
  [key, leastFlag]: readonly [key: string, leastFlag: number],
  isOut: (finding: Finding | undefined) => boolean,
): KeyRule {
  const out = (opportunity: Opportunity) =>
    sellersOf(opportunity).find((seller) => isOut(find(seller, opportunity)));
  return {
    form: 'keys',
    field,
    reason,
    keysOf: (opportunity) => keyOf(out(opportunity) ? key : ''),
    restriction: (object) => ((numberIn(object, field) ?? 0) >= leastFlag ? except([key]) : undefined),
    metOf(opportunity) {
      const seller = out(opportunity);
      return seller && { ...seller, listed: find(seller, opportunity) ?? 'not crawled yet' };
    },
  };
}

/** Two rules of one field: 1 and 2 refuse sellers whom a file does not list, 2 also where there is none, or not yet. */
export function publishedRules(published: Published) {
  return {
    unavailable: rule(published, published.unavailable, ['not known', denyUntilCrawled], isUnknown),
    violation: rule(published, published.violation, ['not listed', 1], (finding) => finding === 'no'),
  };
}
