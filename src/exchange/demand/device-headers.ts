import type { Solicitation } from './demand-kind.ts';

const headerCharactersMax = 2048;

/** Cut, and without characters that headers cannot carry. */
function headerValue(value: string): string {
  return value
    .slice(0, headerCharactersMax)
    .replace(/[^\x20-\x7e]/g, '')
    .trim();
}

/** VAST 4.1, server-side ad requests; and `accept`. `pageUrl` is `""` if the partner must not see it. */
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
