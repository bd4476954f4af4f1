import type { Finding } from '../crawl/crawl-findings.ts';
import type { Opportunity, SupplyChainNode } from '../opportunity.ts';
import type { Reason } from '../reasons.ts';
import { allButKeys, singleKey } from './keys.ts';
import type { KeyRule, SettingWith } from './rule.ts';

/** The advertising system (`asi`), and the account there (`sid`), as in a supply chain. */
export type Seller = Pick<SupplyChainNode, 'asi' | 'sid'>;

export interface PublicationCheck {
  readonly field: SettingWith<number>;
  /** Those who must be authorized; empty if the field does not apply. */
  sellersOf(opportunity: Opportunity): readonly Seller[];
  find(seller: Seller, opportunity: Opportunity): Finding | undefined;
  readonly unavailable: Reason;
  readonly violation: Reason;
}

/** The chain's paid nodes. */
export function chainSellers({ supplyChain }: Opportunity): readonly Seller[] {
  const paid = supplyChain?.nodes.filter(({ hp }) => hp === 1) ?? [];
  return paid.map(({ asi, sid }) => ({ asi: asi.toLowerCase(), sid }));
}

/** This value also refuses what is unknown; 1 lets that pass, 0 checks nothing. */
const denyUntilCrawled = 2;

const isUnknown = (finding: Finding | undefined) => finding === undefined || finding === 'missing';

/** Refuses if `isOut` holds for any seller. Applies from `leastFlag` on; `key` stands for such opportunities. */
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

/** 1 and 2 refuse sellers that a file does not list; 2 also refuses if there is no file or none was crawled yet. */
export function publishedRules(published: PublicationCheck) {
  return {
    unavailable: rule(published, published.unavailable, ['not known', denyUntilCrawled], isUnknown),
    violation: rule(published, published.violation, ['not listed', 1], (finding) => finding === 'no'),
  };
}
