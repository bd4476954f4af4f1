import type { IncomingMessage } from 'node:http';
import { parseForwardedAddress, parseIpAddress } from './ip-address.ts';

/** As the server sees it; `""` = unknown. */
export interface Caller {
  readonly referer: string;
  readonly ip: string;
  readonly userAgent: string;
  /** Its browser says that the visitor does not want to be sold (`Sec-GPC: 1`). */
  readonly hasGpc: boolean;
}

export const unknownCaller: Caller = { ip: '', userAgent: '', referer: '', hasGpc: false };

export type CallerOf = (request: IncomingMessage) => Caller;

/** The address that the outermost of our proxies saw. Each proxy appends its caller's. */
function forwardedFor(header: string | string[] | undefined, proxies: number): string {
  const addresses = [header ?? ''].flat().join(',').split(',');
  return addresses.at(-proxies)?.trim() ?? '';
}

/** `proxies`: our reverse proxies in front of us (`BOURSE_TRUSTED_PROXIES`). */
export function createCallerOf(proxies: number): CallerOf {
  return ({ socket, headers }) => {
    const forwarded = proxies > 0 ? forwardedFor(headers['x-forwarded-for'], proxies) : '';
    const ip = parseForwardedAddress(forwarded) ?? parseIpAddress(socket.remoteAddress ?? '');
    return {
      ip: ip?.text ?? '',
      userAgent: headers['user-agent'] ?? '',
      referer: headers.referer ?? '',
      hasGpc: headers['sec-gpc'] === '1',
    };
  };
}
