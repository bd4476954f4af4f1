import type { IncomingMessage } from 'node:http';
import { parseForwardedAddress, parseIpAddress } from './ip-address.ts';

/** Who sends a request, as the server sees it; `""` = unknown. */
export interface Caller {
  readonly referer: string;
  readonly ip: string;
  readonly userAgent: string;
}

/** A caller of whom nothing is known. */
export const unknownCaller: Caller = { ip: '', userAgent: '', referer: '' };

export type CallerOf = (request: IncomingMessage) => Caller;

/** The caller's address as the outermost of our proxies saw it. Each proxy appends the address that called it. */
function forwardedFor(header: string | string[] | undefined, proxies: number): string {
  const addresses = [header ?? ''].flat().join(',').split(',');
  return addresses.at(-proxies)?.trim() ?? '';
}

/**
 * Creates a reader of callers; `proxies`: how many reverse proxies of ours are before us (`BOURSE_TRUSTED_PROXIES`).
 */
export function createCallerOf(proxies: number): CallerOf {
  return ({ socket, headers }) => {
    const forwarded = proxies > 0 ? forwardedFor(headers['x-forwarded-for'], proxies) : '';
    const ip = parseForwardedAddress(forwarded) ?? parseIpAddress(socket.remoteAddress ?? '');
    return {
      ip: ip?.text ?? '',
      userAgent: headers['user-agent'] ?? '',
      referer: headers.referer ?? '',
    };
  };
}
