import type { Finding } from '../crawl/crawl-findings.ts';
import type { Opportunity, SupplyChainNode } from '../opportunity.ts';
import type { Reason } from '../reasons.ts';
import { allButKeys, singleKey } from './keys.ts';
import type { KeyRule, SettingWith } from './rule.ts';

/**
 * A seller of an opportunity, as a supply chain names it: the advertising system (`asi`), and the account there
 * (`sid`).
 */
export type Seller = Pick<SupplyChainNode, 'asi' | 'sid'>;

/** What one field checks in published files. */
export interface PublicationCheck {
  readonly field: SettingWith<number>;
  /** Those who must be authorized; none where the field does not concern the opportunity. */
  sellersOf(opportunity: Opportunity): readonly Seller[];
  find(seller: Seller, opportunity: Opportunity): Finding | undefined;
  readonly unavailable: Reason;
  readonly violation: Reason;
}

/** The paid nodes of the request's supply chain; empty without a chain. */
export function chainSellers({ supplyChain }: Opportunity): readonly Seller[] {
  const paid = supplyChain?.nodes.filter(({ hp }) => hp === 1) ?? [];
  return paid.map(({ asi, sid }) => ({ asi: asi.toLowerCase(), sid }));
}

/** The value of such a field that also refuses what is not known; 1 lets that pass, and 0 checks nothing. */
const denyUntilCrawled = 2;

const isUnknown = (finding: Finding | undefined) => finding === undefined || finding === 'missing';

/**
 * A rule that refuses an opportunity where `isOut` is true of any seller. It applies from `leastFlag` of its field on;
 * `key` stands for such opportunities.
 */
function rule(
  { field, sellersOf, find }: PublicationCheck,
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
    keysOf: (opportunity) => singleKey(out(opportunity) ? key : ''),
    restriction: (object) => ((object.settings[field] ?? 0) >= leastFlag ? allButKeys([key]) : undefined),
    metOf(opportunity) {
      const seller = out(opportunity);
      return seller && { ...seller, listed: find(seller, opportunity) ?? 'not crawled yet' };
    },
  };
}

/**
 * Two rules on one field. 1 and 2 refuse sellers whom a file does not list; 2 also refuses where there is no file, or
 * none has been crawled yet.
 */
export function publishedRules(published: PublicationCheck) {
  return {
    unavailable: rule(published, published.unavailable, ['not known', denyUntilCrawled], isUnknown),
    violation: rule(published, published.violation, ['not listed', 1], (finding) => finding === 'no'),
  };
}
