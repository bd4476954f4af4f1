import { only } from './keys.ts';
import type { KeyRule } from './rule.ts';
import { itemsIn } from './stored-values.ts';

/** The names themselves and, for subcategories (`IAB1-2`), their tier-1 categories (`IAB1`). */
function withParents(categories: readonly string[]): readonly string[] {
  const keys = [...categories];
  for (const category of categories) {
    const dash = category.indexOf('-');
    if (dash !== -1) keys.push(category.slice(0, dash));
  }
  return keys;
}

/** Demand's filter on inventory; a tier-1 name covers its subcategories (delivery, "Targeting"). */
export const iabCategory: KeyRule = {
  form: 'keys',
  field: 'IabCategories',
  reason: 'category_not_targeted',
  keysOf: ({ inventory }) => withParents(inventory.categories),
  restriction: (object) => only(itemsIn<string>(object, 'IabCategories')),
  metOf: ({ inventory }) => (inventory.categories.length === 0 ? undefined : inventory.categories),
};
