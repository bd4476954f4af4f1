import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { parseForwardedAddress, parseIpAddress } from './ip-address.ts';

/** As the server sees it; `""` = unknown. */
export interface Caller {
  readonly referer: string;
  /** The header as sent. */
  readonly cookie: string;
  readonly ip: string;
  readonly userAgent: string;
  /** No browser sends none. */
  readonly lacksUserAgent: boolean;
  /** Its browser says that the visitor does not want to be sold (`Sec-GPC: 1`). */
  readonly hasGpc: boolean;
  /** Its browser fetches in advance what it may never show. */
  readonly isPrefetch: boolean;
  /** For whom a server says that it asks (VAST 4.2 section 1.4). */
  readonly device: { readonly ip: string; readonly userAgent: string };
}

const noDevice = { ip: '', userAgent: '' } as const;

export const unknownCaller: Caller = {
  ip: '',
  userAgent: '',
  referer: '',
  cookie: '',
  lacksUserAgent: false,
  hasGpc: false,
  isPrefetch: false,
  device: noDevice,
};

export type CallerOf = (request: IncomingMessage) => Caller;

const textOf = (header: string | string[] | undefined): string =>
  typeof header === 'object' ? header.join(',') : (header ?? '');

/** Fetch standard, `Sec-Purpose`; formerly `Purpose`, and `X-Moz` in Firefox. */
export const isPrefetch = (headers: IncomingHttpHeaders): boolean =>
  [headers['sec-purpose'], headers.purpose, headers['x-moz']].some((purpose) =>
    textOf(purpose).includes('prefetch'),
  );

/** The address that the outermost of our proxies saw. Each proxy appends its caller's. */
function forwardedFor(header: string | string[] | undefined, proxies: number): string {
  return textOf(header).split(',').at(-proxies)?.trim() ?? '';
}

function deviceIn(headers: IncomingHttpHeaders): Caller['device'] {
  const [ip, userAgent] = [textOf(headers['x-device-ip']), textOf(headers['x-device-user-agent'])];
  return ip || userAgent ? { ip: parseForwardedAddress(ip)?.text ?? '', userAgent } : noDevice;
}

/** `proxies`: our reverse proxies in front of us (`BOURSE_TRUSTED_PROXIES`). */
export function createCallerOf(proxies: number): CallerOf {
  return ({ socket, headers }) => {
    const forwarded = proxies > 0 ? forwardedFor(headers['x-forwarded-for'], proxies) : '';
    const ip = parseForwardedAddress(forwarded) ?? parseIpAddress(socket.remoteAddress ?? '');
    const userAgent = headers['user-agent'] ?? '';
    return {
      ip: ip?.text ?? '',
      userAgent,
      referer: headers.referer ?? '',
      cookie: headers.cookie ?? '',
      lacksUserAgent: userAgent === '',
      hasGpc: headers['sec-gpc'] === '1',
      isPrefetch: isPrefetch(headers),
      device: deviceIn(headers),
    };
  };
}
