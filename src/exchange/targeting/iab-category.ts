import { onlyKeys } from './keys.ts';
import type { KeyRule } from './rule.ts';

/** `IAB1` of `IAB1-2`. */
function tierOneOf(category: string): string | undefined {
  const dash = category.indexOf('-');
  return dash === -1 ? undefined : category.slice(0, dash);
}

/** Tier 1 covers its subcategories (reference, "Targeting"). */
export const iabCategory: KeyRule = {
  form: 'keys',
  field: 'IabCategories',
  reason: 'category_not_targeted',
  keysOf: ({ inventory }) => inventory.categories,
  restriction: (object) => onlyKeys(object.settings.IabCategories ?? []),
  coveredBy: tierOneOf,
  metOf: ({ inventory }) => (inventory.categories.length === 0 ? undefined : inventory.categories),
};
