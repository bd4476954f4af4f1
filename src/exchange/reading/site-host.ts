import { domainToASCII } from 'node:url';
import { getDomain, getHostname } from 'tldts';

const urlCharactersMax = 8192;
const beyondAscii = /[^\0-\x7f]/;

const asPublished = { allowPrivateDomains: true } as const;

/** Keeps `www.` if only a public suffix would be left (`www.gov.uk`). */
export function withoutWww(host: string): string {
  if (!host.startsWith('www.')) return host;
  const site = host.slice(4);
  return getDomain(site, asPublished) === null ? host : site;
}

/** With or without a scheme; lower-case ASCII (IDNA); `""` if there is none. */
function hostOf(url: string): string {
  const host = url.length > urlCharactersMax ? null : getHostname(url);
  if (host === null) return '';
  return beyondAscii.test(host) ? domainToASCII(host) : host;
}

/** As targeting knows it: the host without a leading `www.`; `""` if there is none. */
export function siteHost(url: string): string {
  return withoutWww(hostOf(url));
}

/** The registrable domain (public suffix list), or a host without one. */
export function siteOwnerOf(url: string): string {
  const host = hostOf(url);
  return getDomain(host, asPublished) ?? host;
}

/** Same registrable domain (`RefererMatch`), because players live on subdomains. True if either is unknown. */
export function refererMatches(referer: string, siteUrl: string): boolean {
  if (referer === '' || siteUrl === '') return true;
  return siteOwnerOf(referer) === siteOwnerOf(siteUrl);
}
