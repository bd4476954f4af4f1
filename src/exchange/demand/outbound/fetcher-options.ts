import type { ConnectorOptions } from './guarded-connector.ts';
import { createResolve } from './resolve-names.ts';

/** How hosts are called. Values that are left out have defaults. */
export interface FetcherOptions extends Omit<ConnectorOptions, 'timeoutMs' | 'resolve'> {
  /** Resolves names; by default with the hosts file and DNS. */
  readonly resolve?: ConnectorOptions['resolve'];
  /** Whether a URL may lead to a private address though others may not; by default no URL may. */
  readonly isHarmless?: (url: string) => boolean;
  /** URL of an HTTP proxy that makes the connections; the proxy, not we, decides which addresses are allowed. */
  readonly proxy?: string | undefined;
  /** Milliseconds, never going back. */
  readonly now?: () => number;
  /** Calls to one origin at a time, each on a connection of its own. */
  readonly callsPerOriginMax?: number;
  /** Origins to which connections are kept open; a call to any other origin makes one of its own. */
  readonly originsMax?: number;
  /** Longest answer: neither its compressed nor its decompressed body may be longer. */
  readonly answerBytesMax?: number;
  /** Whether bodies that are files of gzip, whatever their headers say, are unpacked; by default they are not. */
  readonly unpacksFiles?: boolean;
}

const standard = {
  now: () => performance.now(),
  callsPerOriginMax: 512,
  originsMax: 4096,
  answerBytesMax: 512 * 1024,
  unpacksFiles: false,
  isHarmless: (_url: string) => false,
  timeoutMs: 2_000,
};

export function withDefaults<Options extends FetcherOptions>(options: Options) {
  const { now, ...rest } = { ...standard, ...options };
  return { ...rest, now, resolve: options.resolve ?? createResolve({ now }) };
}
