import { Agent, type Dispatcher, ProxyAgent } from 'undici';
import { type Refusal, refuse } from '../../reasons.ts';
import type { OutboundAnswer, OutboundRequest } from '../demand-kind.ts';
import { decode } from './decode.ts';
import { decompress, gunzipped } from './decompress.ts';
import { type FetcherOptions, withDefaults } from './fetcher-options.ts';
import { type ConnectorOptions, guardedConnector } from './guarded-connector.ts';
import { createFollowing, isRedirect, type SendRequest } from './redirects.ts';
import { type RawAnswer, sendOnce } from './send-once.ts';
import type { Target } from './target.ts';

const encodings = 'gzip, deflate, br';
/** An undici agent's error when it already keeps connections to `originsMax` origins. */
const noPlaceCode = 'UND_ERR_MAX_ORIGINS_REACHED';

function readAnswer(
  { status, headers, body }: RawAnswer,
  {
    answerBytesMax: bytesMax,
    unpacksFiles,
  }: Required<Pick<FetcherOptions, 'answerBytesMax' | 'unpacksFiles'>>,
): OutboundAnswer | Refusal {
  // Nobody reads a redirect's page.
  if (isRedirect(status)) return { status, headers, body: '' };
  const encoding = headers['content-encoding'] ?? '';
  const content = decompress(body, encoding, bytesMax);
  if (content === undefined) return refuse('invalid_response', { field: 'content-encoding', met: encoding });
  const file = unpacksFiles ? gunzipped(content, bytesMax) : content;
  if (file === undefined) return refuse('invalid_response', { field: 'body', met: 'gzip' });
  return { status, headers, body: decode(file, headers['content-type'] ?? '') };
}

function createSender(options: ReturnType<typeof withDefaults<FetcherOptions>>) {
  const {
    callsPerOriginMax,
    originsMax,
    answerBytesMax,
    unpacksFiles,
    isHarmless,
    proxy,
    resolve,
    timeoutMs,
  } = options;
  const connections = {
    connections: callsPerOriginMax,
    maxOrigins: originsMax,
    pipelining: 1,
    // Each call's own deadline covers headers and body.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const agentOf = (guard: Pick<ConnectorOptions, 'allowPrivate' | 'isPrivate'>, maxOrigins = originsMax) => {
    const connect = guardedConnector({ ...guard, resolve, timeoutMs });
    return new Agent({ ...connections, connect, maxOrigins });
  };
  const agent = proxy ? new ProxyAgent({ ...connections, uri: proxy, proxyTunnel: false }) : agentOf(options);
  const unguarded = agentOf({ allowPrivate: true });
  // Unbounded, because each connection ends with its call.
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
  const sendRaw = async (target: Target, request: OutboundRequest, deadlineMs: number) => {
    if (isHarmless(target.origin + target.path)) return sendBy(unguarded, target, request, deadlineMs);
    const answer = await sendBy(agent, target, request, deadlineMs);
    // Partners that hold all kept connections must not shut out others. Nothing was sent, so send again.
    const hasNoPlace = 'reason' in answer && answer.met === noPlaceCode;
    return hasNoPlace ? sendBy(unpooled, target, request, deadlineMs) : answer;
  };
  const send: SendRequest = async (target, request, deadlineMs) => {
    const raw = await sendRaw(target, request, deadlineMs);
    return 'reason' in raw ? raw : readAnswer(raw, { answerBytesMax, unpacksFiles });
  };
  const close = async () => {
    await Promise.all([agent.close(), unguarded.close(), unpooled.close()]);
  };
  return { send, close };
}

/** Keeps the deadline and the bound on answers. Never rejects. */
export interface Fetcher {
  fetch(request: OutboundRequest, deadlineMs: number): Promise<OutboundAnswer | Refusal>;
  close(): Promise<void>;
}

/** Follows redirects of a GET; reads any other answer whatever its status. */
export function createFetcher(options: FetcherOptions): Fetcher {
  const whole = withDefaults(options);
  const { send, close } = createSender(whole);
  return { fetch: createFollowing(send, whole.now), close };
}
