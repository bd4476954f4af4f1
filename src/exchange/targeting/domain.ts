import { listRule } from './list-rule.ts';

/** Blocks or allows the site's domain and its subdomains by Domain Lists (specification 2.4). */
export const domain = listRule<string>({
  field: 'DomainsBrandsList',
  modeField: 'DomainsBrandsListMode',
  kind: 'DomainList',
  reason: 'domain_listed',
  subjectOf: ({ inventory }) => inventory.domain || undefined,
  holds: (lists, id, domain) => lists.domain(id, domain),
  shown: (domain) => domain,
});
