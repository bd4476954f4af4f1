import type { Solicitation } from './demand-kind.ts';

const headerCharactersMax = 2048;

/** A header's value, cut, and without characters that headers cannot carry. */
function headerValue(value: string): string {
  return value
    .slice(0, headerCharactersMax)
    .replace(/[^\x20-\x7e]/g, '')
    .trim();
}

/**
 * Headers that describe the viewer's device for which this server asks (VAST 4.1, headers of ad requests by servers),
 * and the `accept` header. `pageUrl` is `""` if it is not shown to the partner.
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
