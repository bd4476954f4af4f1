import type { Bid } from '../../demand/demand-kind.ts';
import { iabTaxonomy } from '../../reading/iab-name.ts';
import { type Refusal, refuse } from '../../reasons.ts';
import type { BidRule } from './bid-rule.ts';

export const categoryName = (category: string) => category.trim().toUpperCase();

/** An ad's first category on a list (`met`), and the entry that covers it (`found`): itself or its tier 1. */
export function listedCategory(adCategories: readonly string[], list: ReadonlySet<string>) {
  for (const met of adCategories) {
    const name = categoryName(met);
    const tierOne = name.split('-', 1)[0] ?? name;
    const found = [name, tierOne].find((candidate) => list.has(candidate));
    if (found !== undefined) return { found, met };
  }
  return undefined;
}

/** Ours unless the bid names one (OpenRTB 2.6 section 4.2.3). */
function taxonomyOf({ received }: Bid): number {
  const cattax = received !== undefined && 'cattax' in received ? received.cattax : undefined;
  return Number.isSafeInteger(cattax) ? Number(cattax) : iabTaxonomy;
}

export function otherTaxonomy(bid: Bid, field: string, cattax: number): Refusal | undefined {
  const met = taxonomyOf(bid);
  if (met === cattax || bid.categories.length === 0) return undefined;
  return refuse('category_blocked', {
    field,
    wanted: `categories of cattax ${cattax}`,
    met: `cattax ${met}`,
  });
}

/** `BlockedAdIabCategories`: a tier-1 name blocks its subcategories too. */
export const categories: BidRule = ({ settings }) => {
  const field = 'BlockedAdIabCategories';
  const blocked = new Set(settings[field]);
  if (blocked.size === 0) return;
  return (bid) => {
    const other = otherTaxonomy(bid, field, iabTaxonomy);
    if (other) return other;
    const blocker = listedCategory(bid.categories, blocked);
    return blocker && refuse('category_blocked', { field, wanted: `not ${blocker.found}`, met: blocker.met });
  };
};
