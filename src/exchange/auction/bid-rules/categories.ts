import { refuse } from '../../reasons.ts';
import type { BidRule } from './bid-rule.ts';

/** The first category of an ad that is blocked, with what blocks it: itself, or its tier 1. */
export function blockedCategory(told: readonly string[], blocked: ReadonlySet<string>) {
  for (const met of told) {
    const name = met.trim().toUpperCase();
    const tierOne = name.split('-', 1)[0] ?? name;
    const found = [name, tierOne].find((candidate) => blocked.has(candidate));
    if (found !== undefined) return { found, met };
  }
  return undefined;
}

/** `BlockedAdIabCategories`: a tier-1 name blocks its subcategories too. */
export const categories: BidRule = ({ document }) => {
  const field = 'BlockedAdIabCategories';
  const blocked = new Set(document[field] as readonly string[] | undefined);
  if (blocked.size === 0) return;
  return ({ categories: told }) => {
    const blocker = blockedCategory(told, blocked);
    return blocker && refuse('category_blocked', { field, wanted: `not ${blocker.found}`, met: blocker.met });
  };
};
