import { Agent, type Dispatcher, ProxyAgent } from 'undici';
import { type Refusal, refuse } from '../../reasons.ts';
import type { OutboundAnswer, OutboundRequest } from '../demand-kind.ts';
import { decode } from './decode.ts';
import { decompress } from './decompress.ts';
import { type ConnectorOptions, guardedConnector } from './guarded-connector.ts';
import { createResolve } from './resolve-names.ts';
import { type RawAnswer, sendOnce } from './send-once.ts';

/** How hosts are called. Values that are left out have the defaults in `standard`. */
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
}

const standard = {
  now: () => performance.now(),
  callsPerOriginMax: 512,
  originsMax: 4096,
  answerBytesMax: 512 * 1024,
  isHarmless: (_url: string) => false,
};

const connectTimeoutMs = 2_000;
const redirectsMax = 3;
const redirects = new Set([301, 302, 303, 307, 308]);
const knownUrlsMax = 4_096;
const encodings = 'gzip, deflate, br';
/** Code of the error of an agent that already keeps connections to `originsMax` origins. */
const noPlaceCode = 'UND_ERR_MAX_ORIGINS_REACHED';

/** Where a request goes: the parts of its URL that are sent. */
type Target = Pick<Dispatcher.DispatchOptions, 'origin' | 'path'> & { readonly origin: string };

function targetOf(url: string, base?: string): Target | undefined {
  const parsed = URL.parse(url, base);
  if (parsed === null || (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')) return undefined;
  return { origin: parsed.origin, path: parsed.pathname + parsed.search };
}

/** Parses URLs, and remembers those of POST, because they are the same in every call. */
function createTargets() {
  const known = new Map<string, Target>();
  return ({ method, url }: OutboundRequest): Target | undefined => {
    const target = known.get(url) ?? targetOf(url);
    if (method === 'POST' && target !== undefined) {
      if (known.size >= knownUrlsMax) known.clear();
      known.set(url, target);
    }
    return target;
  };
}

function readAnswer({ status, headers, body }: RawAnswer, bytesMax: number): OutboundAnswer | Refusal {
  const encoding = headers['content-encoding'] ?? '';
  const content = decompress(body, encoding, bytesMax);
  if (content === undefined) return refuse('invalid_response', { field: 'content-encoding', met: encoding });
  return { status, headers, body: decode(content, headers['content-type'] ?? '') };
}

/** Sends requests over an agent's connections, at most `callsPerOriginMax` to one origin at a time. */
function createSender(options: FetcherOptions) {
  const { callsPerOriginMax, originsMax, answerBytesMax, isHarmless, proxy, now } = {
    ...standard,
    ...options,
  };
  const connections = {
    connections: callsPerOriginMax,
    maxOrigins: originsMax,
    pipelining: 1,
    // Each call has a deadline of its own, which covers headers and body.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const resolve = options.resolve ?? createResolve({ now });
  const agentOf = (guard: Pick<ConnectorOptions, 'allowPrivate' | 'isPrivate'>, maxOrigins = originsMax) => {
    const connect = guardedConnector({ ...guard, resolve, timeoutMs: connectTimeoutMs });
    return new Agent({ ...connections, connect, maxOrigins });
  };
  const agent = proxy ? new ProxyAgent({ ...connections, uri: proxy, proxyTunnel: false }) : agentOf(options);
  const unguarded = agentOf({ allowPrivate: true });
  // Needs no bound on origins, because each connection ends with its call.
  const unpooled = agentOf(options, Number.POSITIVE_INFINITY);
  const active = new Map<string, number>();
  const release = (origin: string) => {
    const left = (active.get(origin) ?? 1) - 1;
    if (left === 0) active.delete(origin);
    else active.set(origin, left);
  };
  const sendBy = (dispatcher: Dispatcher, target: Target, request: OutboundRequest, deadlineMs: number) => {
    const { origin, path } = target;
    const calls = active.get(origin) ?? 0;
    if (calls >= callsPerOriginMax) return refuse('too_many_calls', { wanted: callsPerOriginMax });
    active.set(origin, calls + 1);
    const { method, body = null } = request;
    const headers =
      'accept-encoding' in request.headers
        ? request.headers
        : { ...request.headers, 'accept-encoding': encodings };
    const bounds = { deadlineMs, bytesMax: answerBytesMax, released: () => release(origin) };
    const call = { origin, path, method, headers, body };
    return sendOnce(dispatcher, dispatcher === unpooled ? { ...call, reset: true } : call, bounds);
  };
  const send = async (target: Target, request: OutboundRequest, deadlineMs: number) => {
    if (isHarmless(target.origin + target.path)) return sendBy(unguarded, target, request, deadlineMs);
    const answer = await sendBy(agent, target, request, deadlineMs);
    // Partners that hold all kept connections must not shut out the others. Nothing was sent, so it can be sent again.
    const hasNoPlace = 'reason' in answer && answer.met === noPlaceCode;
    return hasNoPlace ? sendBy(unpooled, target, request, deadlineMs) : answer;
  };
  const close = async () => {
    await Promise.all([agent.close(), unguarded.close(), unpooled.close()]);
  };
  return { send, answerBytesMax, close };
}

/** Makes requests over HTTP, each within its deadline and the bound on answers. Never rejects. */
export interface Fetcher {
  /** A GET follows three redirects. */
  fetch(request: OutboundRequest, deadlineMs: number): Promise<OutboundAnswer | Refusal>;
  /** Resolves when no request is under way any more. */
  close(): Promise<void>;
}

/** Creates a fetcher. It follows the redirects of a GET, and reads every other answer whatever its status. */
export function createFetcher(options: FetcherOptions): Fetcher {
  const { now } = { ...standard, ...options };
  const sender = createSender(options);
  const targets = createTargets();
  const follow = async (request: OutboundRequest, first: Target, deadlineMs: number) => {
    const startMs = now();
    let target: Target | undefined = first;
    let leftMs = deadlineMs;
    for (let hops = 0; hops <= redirectsMax; hops += 1) {
      if (target === undefined) return refuse('not_callable', { field: 'url' });
      if (leftMs <= 0) return refuse('timed_out', { wanted: Math.round(deadlineMs) });
      const raw: RawAnswer | Refusal = await sender.send(target, request, leftMs);
      if ('reason' in raw) return raw;
      const { location } = raw.headers;
      if (!redirects.has(raw.status) || location === undefined) return readAnswer(raw, sender.answerBytesMax);
      target = targetOf(location, target.origin + target.path);
      leftMs = deadlineMs - (now() - startMs);
    }
    return refuse('invalid_response', { field: 'redirects', wanted: redirectsMax });
  };
  const fetch = async (request: OutboundRequest, deadlineMs: number): Promise<OutboundAnswer | Refusal> => {
    const target = targets(request);
    if (target === undefined) return refuse('not_callable', { field: 'url' });
    if (request.method === 'GET') return follow(request, target, deadlineMs);
    const raw = await sender.send(target, request, deadlineMs);
    return 'reason' in raw ? raw : readAnswer(raw, sender.answerBytesMax);
  };
  return { fetch, close: sender.close };
}
