import { ownMember } from './own-member.ts';

export interface ValkeyAddress {
  readonly host: string;
  readonly port: number;
  readonly hasTls: boolean;
  readonly username: string;
  readonly password: string;
  readonly database: number;
}

const standardPort = 6379;
const schemes: Readonly<Record<string, { readonly hasTls: boolean }>> = {
  'redis:': { hasTls: false },
  'valkey:': { hasTls: false },
  'rediss:': { hasTls: true },
  'valkeys:': { hasTls: true },
};

/** `valkey://user:password@host:port/database`, with TLS `valkeys://`; undefined for other text. */
export function readValkeyUrl(text: string): ValkeyAddress | undefined {
  const url = URL.parse(text);
  const scheme = url && ownMember(schemes, url.protocol);
  if (!url || !scheme || url.hostname === '' || url.search !== '' || url.hash !== '') return undefined;
  if (!/^\/?\d{0,5}$/.test(url.pathname)) return undefined;
  try {
    return {
      ...scheme,
      host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: Number(url.port) || standardPort,
      username: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
      database: Number(url.pathname.slice(1)),
    };
  } catch {
    // A bare percent sign in the password.
    return undefined;
  }
}
