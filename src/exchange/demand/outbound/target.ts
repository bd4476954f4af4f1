import type { OutboundRequest } from '../demand-kind.ts';

/** Where a request goes: the parts of its URL that are sent. */
export interface Target {
  /** As `https://ads.example:8443`. */
  readonly origin: string;
  /** As `ads.example:8443`. */
  readonly host: string;
  /** With the query. */
  readonly path: string;
}

const knownUrlsMax = 4_096;

/** The target of an absolute URL, or of one that `base` completes; undefined where it is none of HTTP. */
export function targetOf(url: string, base?: string): Target | undefined {
  const parsed = URL.parse(url, base);
  if (parsed === null || (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')) return undefined;
  return { origin: parsed.origin, host: parsed.host, path: parsed.pathname + parsed.search };
}

/** Parses URLs, and remembers those of POST, because they are the same in every call. */
export function createTargets() {
  const known = new Map<string, Target>();
  return ({ method, url }: OutboundRequest): Target | undefined => {
    const before = known.get(url);
    if (before !== undefined) return before;
    const target = targetOf(url);
    if (method === 'POST' && target !== undefined) {
      if (known.size >= knownUrlsMax) known.clear();
      known.set(url, target);
    }
    return target;
  };
}
