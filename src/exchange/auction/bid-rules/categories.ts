import type { Bid } from '../../demand/demand-kind.ts';
import { iabTaxonomy } from '../../reading/iab-name.ts';
import { refuse } from '../../reasons.ts';
import type { BidRule } from './bid-rule.ts';

/** A category as it is compared. */
export const categoryName = (told: string) => told.trim().toUpperCase();

/** The first category of an ad that is in a list, with what of the list it is: itself, or its tier 1. */
export function listedCategory(told: readonly string[], list: ReadonlySet<string>) {
  for (const met of told) {
    const name = categoryName(met);
    const tierOne = name.split('-', 1)[0] ?? name;
    const found = [name, tierOne].find((candidate) => list.has(candidate));
    if (found !== undefined) return { found, met };
  }
  return undefined;
}

/** The taxonomy of a bid's categories, where that is not the one of our lists (OpenRTB 2.6 section 4.2.3). */
function otherTaxonomy({ told }: Bid): unknown {
  const cattax = told !== undefined && 'cattax' in told ? told.cattax : undefined;
  return Number.isSafeInteger(cattax) && cattax !== iabTaxonomy ? cattax : undefined;
}

/**
 * `BlockedAdIabCategories`: a tier-1 name blocks its subcategories too. Categories of another taxonomy cannot be held
 * against the list, and refuse.
 */
export const categories: BidRule = ({ document }) => {
  const field = 'BlockedAdIabCategories';
  const blocked = new Set(document[field] as readonly string[] | undefined);
  if (blocked.size === 0) return;
  return (bid) => {
    const { categories: told } = bid;
    const cattax = otherTaxonomy(bid);
    if (cattax !== undefined && told.length > 0)
      return refuse('category_blocked', {
        field,
        wanted: `categories of cattax ${iabTaxonomy}`,
        met: `cattax ${cattax}`,
      });
    const blocker = listedCategory(told, blocked);
    return blocker && refuse('category_blocked', { field, wanted: `not ${blocker.found}`, met: blocker.met });
  };
};
