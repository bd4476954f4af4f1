import type { IncomingMessage, ServerResponse } from 'node:http';

/** Lets isolated pages load it too (Fetch standard, 3.7). */
const resourcePolicy = { 'cross-origin-resource-policy': 'cross-origin' } as const;

/** CORS headers for any page. They name the origin, because `*` does not cover requests with credentials. */
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

/** Answers a preflight with 204, other methods with 405. True if it has answered. */
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
