import { domainToASCII } from 'node:url';
import { getDomain, getHostname } from 'tldts';

const urlCharactersMax = 8192;
const beyondAscii = /[^\0-\x7f]/;

const asPublished = { allowPrivateDomains: true } as const;

/** A host without a leading `www.`; where nothing but a public suffix would be left (`www.gov.uk`), it stays. */
export function withoutWww(host: string): string {
  if (!host.startsWith('www.')) return host;
  const site = host.slice(4);
  return getDomain(site, asPublished) === null ? host : site;
}

/** The host of a URL, with or without a scheme, in lower case and ASCII form (IDNA); `""` where it names none. */
function hostOf(url: string): string {
  const host = url.length > urlCharactersMax ? null : getHostname(url);
  if (host === null) return '';
  return beyondAscii.test(host) ? domainToASCII(host) : host;
}

/** The site of a URL as targeting knows it: its host without a leading `www.`; `""` where it names none. */
export function siteHost(url: string): string {
  return withoutWww(hostOf(url));
}

/** What belongs to one owner: the registrable domain (public suffix list), or a host that has none. */
export function siteOwnerOf(url: string): string {
  const host = hostOf(url);
  return getDomain(host, asPublished) ?? host;
}

/**
 * Whether a referer is of the site of a URL (`RefererMatch`): the same registrable domain, as players and scripts live
 * on subdomains. Where either is not known there is nothing to compare: true.
 */
export function refererMatches(referer: string, siteUrl: string): boolean {
  if (referer === '' || siteUrl === '') return true;
  return siteOwnerOf(referer) === siteOwnerOf(siteUrl);
}
