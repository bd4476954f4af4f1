import { createRecentCache } from '../../../shared/recent-cache.ts';
import type { OutboundRequest } from '../demand-kind.ts';

export interface Target {
  /** As `https://ads.example:8443`. */
  readonly origin: string;
  /** As `ads.example:8443`. */
  readonly host: string;
  /** With the query. */
  readonly path: string;
}

const knownUrlsMax = 4_096;

/** Undefined if it is not an HTTP URL. */
export function targetOf(url: string, base?: string): Target | undefined {
  const parsed = URL.parse(url, base);
  if (parsed === null || (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')) return undefined;
  return { origin: parsed.origin, host: parsed.host, path: parsed.pathname + parsed.search };
}

/** Caches the URLs of POST, which are the same in every call. */
export function createTargets() {
  const known = createRecentCache<string, Target>(knownUrlsMax);
  return ({ method, url }: OutboundRequest): Target | undefined => {
    const before = known.get(url);
    if (before !== undefined) return before;
    const target = targetOf(url);
    if (method === 'POST' && target !== undefined) known.set(url, target);
    return target;
  };
}
