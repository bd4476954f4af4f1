import { nonEmptyLines } from '../../non-empty-lines.ts';
import { siteOwnerOf } from '../../reading/site-host.ts';
import type { Demand } from '../../snapshot/demand.ts';
import type { Supply } from '../../snapshot/supply.ts';
import type { SyncAnswer } from './sync-answer.ts';

const charactersMax = 4096;
const idMacro = /\$\{UID\}|\{uid\}|\$UID\b/gi;
/** Whether a redirect is to tell an ID. */
export const namesId = (text: string): boolean => text.search(idMacro) !== -1;
/** HTTP is for tries on one machine. */
const isLocal = (host: string) => host === 'localhost' || host.endsWith('.localhost');

/** With the ID in place of its macro; undefined unless that is an HTTPS URL whose host is allowed. */
export function redirectTarget(
  text: string,
  id: string,
  allows: (host: string) => boolean,
): string | undefined {
  if (text.length > charactersMax) return undefined;
  const url = URL.parse(text.replace(idMacro, () => encodeURIComponent(id)));
  if (!url) return undefined;
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLocal(url.hostname));
  return isSafe && url.username + url.password === '' && allows(url.hostname) ? url.href : undefined;
}

/** Of a partner: the site of its `SyncUrl`. */
export const isOfPartner =
  ({ settings }: Demand) =>
  (host: string): boolean =>
    siteOwnerOf(host) !== '' && siteOwnerOf(host) === siteOwnerOf(settings.SyncUrl ?? '');

const hostOf = (line: string) => URL.parse(`https://${line.replace(/^https?:\/\//i, '')}`)?.hostname ?? '';

/** Of a supply object: one of its `SyncDomains`, or below one. */
export const isSyncDomain =
  ({ settings }: Supply) =>
  (host: string): boolean =>
    nonEmptyLines(settings.SyncDomains)
      .map(hostOf)
      .some((domain) => domain !== '' && (host === domain || host.endsWith(`.${domain}`)));

export const badRedirect = (remedy: string): SyncAnswer => ({
  status: 400,
  body: `redirect must be an HTTPS URL ${remedy}`,
});
