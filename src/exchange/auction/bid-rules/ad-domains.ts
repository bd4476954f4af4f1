import { domainToASCII } from 'node:url';
import { getDomainWithoutSuffix } from 'tldts';
import { vastOf } from '../../demand/bid-vast.ts';
import type { Bid } from '../../demand/demand-kind.ts';
import { nonEmptyLines } from '../../non-empty-lines.ts';
import { refuse } from '../../reasons.ts';
import type { BidRule } from './bid-rule.ts';

const domainCharactersMax = 253;

/** A domain that can be compared as it is, as most are. */
const plainDomain = /^(?!www\.)(?:[a-z][a-z\d-]*\.)+[a-z]+$/;

/** A domain as it is compared: host only, lower-case ASCII, without `www.` or `*.`; `""` if too long. */
export function hostOf(domain: string): string {
  const isPlain = domain.length <= domainCharactersMax && plainDomain.test(domain);
  if (isPlain && !domain.includes('xn--')) return domain;
  const host = domain
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/[/?#:].*$/s, '');
  return host.length > domainCharactersMax ? '' : domainToASCII(host.replace(/^(?:www|\*)?\./, ''));
}

/** Without a dot, or with a space, it is a brand. */
const isDomain = (line: string) => line.includes('.') && !/\s/.test(line);

export function blockedParent(domain: string, blocked: ReadonlySet<string>): string | undefined {
  let parent = domain;
  while (parent !== '') {
    if (blocked.has(parent)) return parent;
    const dot = parent.indexOf('.');
    parent = dot === -1 ? '' : parent.slice(dot + 1);
  }
  return;
}

function brandsOf(bid: Bid): string[] {
  const vast = vastOf(bid);
  const advertisers =
    vast === undefined || 'fault' in vast ? [] : vast.ads.map(({ advertiser }) => advertiser);
  const domains = bid.adDomains.map((domain) => getDomainWithoutSuffix(hostOf(domain)) ?? '');
  return [...advertisers, ...bid.adDomains, ...domains].map((name) => name.toLowerCase());
}

const field = 'AdDomainsBrandsBlacklist';

/** The domains in `AdDomainsBrandsBlacklist`, subdomains included. A bid that names no domain passes. */
export const adDomains: BidRule = ({ settings }) => {
  const domains = new Set(nonEmptyLines(settings[field]).filter(isDomain).map(hostOf));
  if (domains.size === 0) return;
  return (bid) => {
    for (const met of bid.adDomains) {
      const blocked = blockedParent(hostOf(met), domains);
      if (blocked !== undefined) return refuse('domain_blocked', { field, wanted: `not ${blocked}`, met });
    }
    return;
  };
};

/** The brands in `AdDomainsBrandsBlacklist`. A bid that names no advertiser passes. */
export const brands: BidRule = ({ settings }) => {
  const lines = nonEmptyLines(settings[field]).filter((line) => !isDomain(line));
  const names = new Set(lines.map((line) => line.toLowerCase()));
  if (names.size === 0) return;
  return (bid) => {
    const met = brandsOf(bid).find((name) => names.has(name));
    return met === undefined ? undefined : refuse('domain_blocked', { field, wanted: `not ${met}`, met });
  };
};
