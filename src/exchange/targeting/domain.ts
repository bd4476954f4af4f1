import type { ListRule } from './rule.ts';

/** The site's domain and its parents. */
export const domain: ListRule = {
  form: 'lists',
  field: 'DomainsBrandsList',
  modeField: 'DomainsBrandsListMode',
  kind: 'DomainList',
  reason: 'domain_listed',
  subjectOf: ({ inventory }) => inventory.domain || undefined,
  holds: (lists, listId, { inventory }) => lists.domain(listId, inventory.domain),
};
