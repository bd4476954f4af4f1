import type { Case } from './judge-cases.ts';

const supply = { BlockedAdIabCategories: ['IAB1'] };
const inTaxonomy = (cattax: number | undefined, categories: readonly string[]) => ({
  categories,
  received: { id: '1', impid: '1', price: 1, ...(cattax !== undefined && { cattax }) },
});
const refused = {
  reason: 'category_blocked',
  field: 'BlockedAdIabCategories',
  wanted: 'categories of cattax 1',
  met: 'cattax 6',
};

/** Cases of ads whose categories are of another taxonomy than our lists (OpenRTB 2.6 section 4.2.3). */
export const taxonomyCases: readonly Case[] = [
  ['another taxonomy, which cannot be held against the list', supply, inTaxonomy(6, ['483']), {}, refused],
  ['another taxonomy, and no category', supply, inTaxonomy(6, []), {}, undefined],
  ['another taxonomy, and no list', {}, inTaxonomy(6, ['483']), {}, undefined],
  ['that of our lists', supply, inTaxonomy(1, ['IAB2']), {}, undefined],
  ['none declared', supply, inTaxonomy(undefined, ['IAB2']), {}, undefined],
];
