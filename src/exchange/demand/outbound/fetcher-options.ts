import type { ConnectorOptions } from './guarded-connector.ts';
import { createResolve } from './resolve-names.ts';

export interface FetcherOptions extends Omit<ConnectorOptions, 'timeoutMs' | 'resolve'> {
  /** By default the hosts file and DNS. */
  readonly resolve?: ConnectorOptions['resolve'];
  /** Whether this URL may lead to a private address; by default none may. */
  readonly isHarmless?: (url: string) => boolean;
  /** An HTTP proxy, which then decides what addresses are allowed. */
  readonly proxy?: string | undefined;
  /** Never goes back. */
  readonly now?: () => number;
  /** One connection each. */
  readonly callsPerOriginMax?: number;
  /** Other origins' connections end with their answer. */
  readonly originsMax?: number;
  /** Compressed or not. */
  readonly answerBytesMax?: number;
  /** Whether gzip files are unpacked whatever their headers say; by default not. */
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
