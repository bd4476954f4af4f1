import { chainSellers, publishedRules, type Seller } from './publication-check.ts';

/** Without a chain nobody names the publisher's system. */
const unknownSeller: readonly Seller[] = [{ asi: '', sid: '' }];

/** `CheckSellersJson` of an RTB EP: each system of the chain must list its seller (IAB Tech Lab, sellers.json 1.0). */
export const { unavailable: sellersJsonUnavailable, violation: sellersJsonViolation } = publishedRules({
  field: 'CheckSellersJson',
  sellersOf(opportunity) {
    const sellers = chainSellers(opportunity);
    return sellers.length > 0 ? sellers : unknownSeller;
  },
  find: ({ asi, sid }, { crawled }) => (asi === '' ? 'missing' : crawled?.find('sellers.json', asi, sid)),
  unavailable: 'sellers_json_unavailable',
  violation: 'sellers_json_violation',
});
