import { createTextSet } from '../text-set.ts';

/** IAB Tech Lab, ads.txt 1.1 and app-ads.txt 1.0, as far as checks need it. */
export interface AdsTxt {
  /** Whether an account of an advertising system may sell the owner's inventory. */
  authorizes(system: string, account: string): boolean;
  /** Whether a subdomain, in lower case, has a file of its own. */
  delegates(subdomain: string): boolean;
  /** Whether a partner, by its domain in lower case, owns a part of the inventory, so that its ads.txt counts too. */
  sharesWith(partner: string): boolean;
  /** Domain of the business that owns the site or app; `""` = not named. */
  readonly ownerDomain: string;
  /** Domains of the businesses that sell its ads, as `example.com` or, for one country, `example.com, DE`. */
  readonly managerDomains: readonly string[];
  readonly characters: number;
}

const relations = new Set(['DIRECT', 'RESELLER']);
const record = /^([^,;=]+),([^,;]+),\s*([a-z]+)\s*(?:[,;]|$)/i;
const variable = /^([a-z]{1,32})\s*=\s*([^\s,;]{1,253})(?:\s*,\s*([a-z]{2}))?\s*(?:;|$)/i;
const managersMax = 8;

/** Systems are domain names, so case is ignored; accounts are compared as written. */
const recordOf = (system: string, account: string) => `${system.trim().toLowerCase()},${account.trim()}`;

/** V8 would keep the whole file for a slice of it. */
const copyOf = (text: string) => Buffer.from(text).toString();

function readRecord(line: string): string | undefined {
  const [, system = '', account = '', relation = ''] = record.exec(line) ?? [];
  const isWhole = system.trim() !== '' && account.trim() !== '' && relations.has(relation.toUpperCase());
  return isWhole ? recordOf(system, account) : undefined;
}

/** Skips malformed lines, as the standard says. Undefined for HTML or if nothing is declared. */
export function readAdsTxt(text: string): AdsTxt | undefined {
  if (text.trimStart().startsWith('<')) return undefined;
  const entries = new Set<string>();
  let ownerDomain = '';
  const managers = new Map<string, string>();
  for (const line of text.split(/[\r\n]+/)) {
    const content = (line.split('#', 1)[0] ?? '').trim();
    const seller = readRecord(content);
    if (seller !== undefined) entries.add(seller);
    const [, name = '', value = '', country = ''] = variable.exec(content.toLowerCase()) ?? [];
    if (name === 'subdomain' || name === 'inventorypartnerdomain') entries.add(`${name}=${value}`);
    // Of several, the first counts, for managers of each country.
    if (name === 'ownerdomain') ownerDomain ||= copyOf(value);
    if (name === 'managerdomain' && !managers.has(country)) managers.set(country, copyOf(value));
  }
  if (entries.size === 0) return undefined;
  const { has, characters } = createTextSet(entries);
  return {
    authorizes: (system, account) => has(recordOf(system, account)),
    delegates: (subdomain) => has(`subdomain=${subdomain}`),
    sharesWith: (partner) => has(`inventorypartnerdomain=${partner}`),
    ownerDomain,
    managerDomains: [...managers]
      .slice(0, managersMax)
      .map(([country, domain]) => (country === '' ? domain : `${domain}, ${country.toUpperCase()}`)),
    characters,
  };
}
