import { refuse } from '../../reasons.ts';
import type { BidRule } from './bid-rule.ts';

/** `BlockedAdIabCategories`: a tier-1 name blocks its subcategories too. */
export const categories: BidRule = ({ document }) => {
  const field = 'BlockedAdIabCategories';
  const blocked = new Set(document[field] as readonly string[] | undefined);
  if (blocked.size === 0) return;
  return ({ categories: told }) => {
    for (const met of told) {
      const name = met.trim().toUpperCase();
      const tierOne = name.split('-', 1)[0] ?? name;
      const found = [name, tierOne].find((candidate) => blocked.has(candidate));
      if (found !== undefined) return refuse('category_blocked', { field, wanted: `not ${found}`, met });
    }
    return;
  };
};
