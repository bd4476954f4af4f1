import { Agent, type Dispatcher } from 'undici';
import { type Refusal, refuse } from '../../reasons.ts';
import type { OutboundAnswer, OutboundRequest } from '../demand-kind.ts';
import type { Outbound } from '../outbound.ts';
import { type BreakerOptions, type CircuitBreaker, createCircuitBreaker } from './circuit-breaker.ts';
import { decompress } from './decompress.ts';
import { type ConnectorOptions, guardedConnector } from './guarded-connector.ts';
import { createNoticeQueue, type NoticeQueueOptions } from './notice-queue.ts';
import { type RawAnswer, sendOnce } from './send-once.ts';

/** How demand is called. What is left out is as `standard` says. */
export interface OutboundOptions extends Omit<ConnectorOptions, 'timeoutMs'> {
  /** Whether a URL may lead to a private address even where others may not; by default none may. */
  readonly isHarmless?: (url: string) => boolean;
  /** Milliseconds, never going back. */
  readonly now?: () => number;
  /** From 0 to 1. */
  readonly random?: () => number;
  /** Calls at once to one origin, each on a connection of its own. */
  readonly callsPerOriginMax?: number;
  /** Origins with open connections. */
  readonly originsMax?: number;
  /** Longest answer, compressed as well as not. */
  readonly answerBytesMax?: number;
  readonly breaker?: Partial<Omit<BreakerOptions, 'now' | 'random'>>;
  readonly notices?: Partial<Omit<NoticeQueueOptions, 'send' | 'random'>> & { readonly deadlineMs?: number };
}

const standard = {
  now: () => performance.now(),
  random: Math.random,
  callsPerOriginMax: 512,
  originsMax: 4096,
  answerBytesMax: 512 * 1024,
  isHarmless: (_url: string) => false,
};

const standardBreaker = {
  windowMs: 10_000,
  failuresMin: 10,
  failureShare: 0.8,
  pauseMs: 1_000,
  pauseMaxMs: 60_000,
};

const standardNotices = {
  waitingMax: 10_000,
  waitingPerOriginMax: 2_000,
  concurrencyPerOrigin: 16,
  retryMs: 1_000,
  closeMs: 5_000,
  deadlineMs: 3_000,
};

const connectTimeoutMs = 2_000;
const redirectsMax = 3;
const redirects = new Set([301, 302, 303, 307, 308]);
const knownUrlsMax = 4_096;
const encodings = 'gzip, deflate, br';

/** Where a request goes: the parts of its URL that are sent. */
type Target = Pick<Dispatcher.DispatchOptions, 'origin' | 'path'> & { readonly origin: string };

function targetOf(url: string, base?: string): Target | undefined {
  const parsed = URL.parse(url, base);
  if (parsed === null || (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')) return undefined;
  return { origin: parsed.origin, path: parsed.pathname + parsed.search };
}

/** Targets of URLs that are the same in every call (those of POST), so that each is parsed once. */
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
  const text = content.toString('utf8');
  return { status, headers, body: text.startsWith('\uFEFF') ? text.slice(1) : text };
}

/** Failures that say something of the partner rather than of us. */
const failures = new Set(['timed_out', 'unreachable', 'invalid_response', 'private_address']);

const isSuccess = (result: OutboundAnswer | Refusal) =>
  'reason' in result ? !failures.has(result.reason) : result.status < 500;

interface Partner {
  readonly breaker: CircuitBreaker;
  /** Why it failed last: what paused it. */
  failure: Refusal | undefined;
}

/** A pause goes by that name, but an address that may not be called stays one. */
function refusePaused({ failure }: Partner): Refusal {
  if (failure?.reason === 'private_address') return failure;
  return refuse('paused_after_failures', { met: failure?.reason });
}

/** Makes requests on an agent's connections, never more at once to one origin than it may have connections. */
function createSender(options: OutboundOptions) {
  const { callsPerOriginMax, originsMax, answerBytesMax, isHarmless } = { ...standard, ...options };
  const agentOf = (connection: Omit<ConnectorOptions, 'timeoutMs'>) =>
    new Agent({
      connect: guardedConnector({ ...connection, timeoutMs: connectTimeoutMs }),
      connections: callsPerOriginMax,
      maxOrigins: originsMax,
      pipelining: 1,
      // Each call has its own deadline, which covers both.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  const agent = agentOf(options);
  const unguarded = agentOf({ allowPrivate: true });
  const active = new Map<string, number>();
  const release = (origin: string) => {
    const left = (active.get(origin) ?? 1) - 1;
    if (left === 0) active.delete(origin);
    else active.set(origin, left);
  };
  const send = (target: Target, request: OutboundRequest, deadlineMs: number) => {
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
    const dispatcher = isHarmless(origin + path) ? unguarded : agent;
    return sendOnce(dispatcher, { origin, path, method, headers, body }, bounds);
  };
  const close = async () => {
    await Promise.all([agent.close(), unguarded.close()]);
  };
  return { send, answerBytesMax, close };
}

/** Follows the redirects of a GET; whatever else is answered is read. */
function createFetcher(options: OutboundOptions) {
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

/** Calls demand over HTTP; close it when the exchange ends. */
export function createOutbound(options: OutboundOptions): Outbound {
  const { now, random } = { ...standard, ...options };
  const { fetch, close } = createFetcher(options);
  const partners = new Map<string, Partner>();
  const { deadlineMs: noticeMs, ...noticeOptions } = { ...standardNotices, ...options.notices };
  const notices = createNoticeQueue({
    send: (url) => fetch({ method: 'GET', url, headers: {} }, noticeMs),
    random,
    ...noticeOptions,
  });
  const partnerOf = (name: string): Partner => {
    const known = partners.get(name);
    if (known !== undefined) return known;
    const breaker = createCircuitBreaker({ now, random, ...standardBreaker, ...options.breaker });
    const partner = { breaker, failure: undefined };
    partners.set(name, partner);
    return partner;
  };

  return {
    async call(name, request, deadlineMs) {
      if (deadlineMs <= 0) return refuse('timed_out', { wanted: Math.round(deadlineMs) });
      const partner = partnerOf(name);
      const ticket = partner.breaker.admit();
      if (ticket === undefined) return refusePaused(partner);
      const result = await fetch(request, deadlineMs);
      const isGood = isSuccess(result);
      if (!isGood)
        partner.failure = 'reason' in result ? result : refuse('invalid_response', { met: result.status });
      partner.breaker.report(ticket, isGood);
      return result;
    },
    notify: (url, retries = 0) => notices.push(url, retries),
    notices: notices.counts,
    paused: () => partners.values().reduce((sum, { breaker }) => sum + Number(breaker.isPaused()), 0),
    async close() {
      await notices.close();
      await close();
    },
  };
}
