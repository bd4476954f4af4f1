import type { ListRule } from './rule.ts';

/** Blocks or allows the site's domain and its subdomains by Domain Lists. */
export const domain: ListRule = {
  form: 'lists',
  field: 'DomainsBrandsList',
  modeField: 'DomainsBrandsListMode',
  kind: 'DomainList',
  reason: 'domain_listed',
  subjectOf: ({ inventory }) => inventory.domain || undefined,
  holds: (lists, listId, { inventory }) => lists.domain(listId, inventory.domain),
};
