/** IAB Tech Lab, ads.txt 1.1 and app-ads.txt 1.0, as far as checks need it. */
export interface AdsTxt {
  /** Whether an account of an advertising system may sell the owner's inventory. */
  authorizes(system: string, account: string): boolean;
  /** Subdomains with files of their own, in lower case. */
  readonly subdomains: ReadonlySet<string>;
}

const relations = new Set(['DIRECT', 'RESELLER']);
const record = /^([^,;=]+),([^,;]+),\s*([a-z]+)\s*(?:[,;]|$)/i;
const variable = /^subdomain\s*=\s*([^\s;]+)/i;

/** Systems are domain names, so case is ignored; accounts are compared as written. */
const sellerKey = (system: string, account: string) =>
  JSON.stringify([system.trim().toLowerCase(), account.trim()]);

/** Skips malformed lines, as the standard says. Undefined for HTML or if nothing is declared. */
export function readAdsTxt(text: string): AdsTxt | undefined {
  const sellers = new Set<string>();
  const subdomains = new Set<string>();
  if (text.trimStart().startsWith('<')) return undefined;
  for (const line of text.split(/[\r\n]+/)) {
    const content = (line.split('#', 1)[0] ?? '').trim();
    const [, system = '', account = '', relation = ''] = record.exec(content) ?? [];
    const isWhole = system.trim() !== '' && account.trim() !== '';
    if (isWhole && relations.has(relation.toUpperCase())) sellers.add(sellerKey(system, account));
    const [, subdomain] = variable.exec(content) ?? [];
    if (subdomain) subdomains.add(subdomain.toLowerCase());
  }
  if (sellers.size === 0 && subdomains.size === 0) return undefined;
  return { authorizes: (system, account) => sellers.has(sellerKey(system, account)), subdomains };
}
