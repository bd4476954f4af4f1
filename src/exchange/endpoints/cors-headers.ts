import type { IncomingMessage, ServerResponse } from 'node:http';

/** Lets any page load the answer, one that is isolated from other origins, too (Fetch standard, 3.7). */
const resourcePolicy = { 'cross-origin-resource-policy': 'cross-origin' } as const;

/**
 * An answer's headers with those of CORS, which let a player on any page read it (Fetch standard, "HTTP extensions").
 * They name the origin, because a wildcard is not enough for requests with credentials, which players may send.
 */
export function corsHeaders<Value>(
  { headers: { origin } }: IncomingMessage,
  own: Readonly<Record<string, Value>>,
): Readonly<Record<string, Value | string>> {
  if (origin === undefined) return { ...own, ...resourcePolicy, 'access-control-allow-origin': '*' };
  return {
    ...own,
    ...resourcePolicy,
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    vary: 'origin',
  };
}

const readingMethods = 'GET, HEAD, OPTIONS';

/** Answers a request that is neither GET nor HEAD: a preflight with 204, others with 405. True if it has answered. */
export function refuseMethod(request: IncomingMessage, response: ServerResponse): boolean {
  const { method } = request;
  if (method === 'GET' || method === 'HEAD') return false;
  request.resume();
  const isPreflight = method === 'OPTIONS';
  const preflight = { 'access-control-allow-methods': readingMethods, 'access-control-max-age': '86400' };
  const headers = { allow: readingMethods, 'content-length': 0, ...(isPreflight ? preflight : {}) };
  response.writeHead(isPreflight ? 204 : 405, corsHeaders(request, headers));
  response.end();
  return true;
}
