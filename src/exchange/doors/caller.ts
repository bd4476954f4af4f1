import type { IncomingMessage } from 'node:http';
import { parseIpAddress, toldIpAddress } from '../reading/ip-address.ts';
import type { Caller } from '../trackers/match.ts';

/** Who sent a request, as the server sees it. */
export type CallerOf = (request: IncomingMessage) => Caller;

/** The address that the last of so many proxies of ours has seen; each adds the one before it at the end. */
function forwardedFor(header: string | string[] | undefined, proxies: number): string {
  const addresses = [header ?? ''].flat().join(',').split(',');
  return addresses.at(-proxies)?.trim() ?? '';
}

/** `proxies`: how many of our own reverse proxies stand before the server (`BOURSE_TRUSTED_PROXIES`). */
export function createCallerOf(proxies: number): CallerOf {
  return ({ socket, headers }) => {
    const forwarded = proxies > 0 ? forwardedFor(headers['x-forwarded-for'], proxies) : '';
    const ip = toldIpAddress(forwarded) ?? parseIpAddress(socket.remoteAddress ?? '');
    return {
      ip: ip?.text ?? '',
      userAgent: headers['user-agent'] ?? '',
      referer: headers.referer ?? '',
    };
  };
}
