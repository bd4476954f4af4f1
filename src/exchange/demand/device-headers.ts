import type { Solicitation } from './demand-kind.ts';

const headerCharactersMax = 2048;

/** A header's value without what a header cannot carry. */
function headerValue(value: string): string {
  return value
    .slice(0, headerCharactersMax)
    .replace(/[^\x20-\x7e]/g, '')
    .trim();
}

/**
 * Headers that tell of the device behind this server (VAST 4.1, headers of ad requests by servers), beside the types
 * that are accepted. `pageUrl` is `""` where it is not told.
 */
export function deviceHeaders(
  { opportunity }: Solicitation,
  accept: string,
  pageUrl: string,
): Record<string, string> {
  const headers = {
    accept,
    'x-device-user-agent': headerValue(opportunity.userAgent),
    'x-device-ip': opportunity.ip?.text ?? '',
    'x-forwarded-for': opportunity.ip?.text ?? '',
    'x-device-accept-language': headerValue(opportunity.device.language),
    'x-device-referer': headerValue(pageUrl),
  };
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''));
}
