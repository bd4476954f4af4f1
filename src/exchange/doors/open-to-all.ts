import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * CORS headers that let a player on any page read an answer (Fetch standard, "HTTP extensions"): players may send
 * their request with credentials, for which a wildcard is not enough.
 */
export function openToAll({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  const { origin } = headers;
  if (origin === undefined) return { 'access-control-allow-origin': '*' };
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    vary: 'origin',
  };
}

const readingMethods = 'GET, HEAD, OPTIONS';

/** Answers what is neither GET nor HEAD: a preflight with 204, anything else with 405. True where it has. */
export function refuseMethod(request: IncomingMessage, response: ServerResponse): boolean {
  const { method } = request;
  if (method === 'GET' || method === 'HEAD') return false;
  request.resume();
  const isPreflight = method === 'OPTIONS';
  response.writeHead(isPreflight ? 204 : 405, {
    allow: readingMethods,
    'content-length': 0,
    ...(isPreflight
      ? { 'access-control-allow-methods': readingMethods, 'access-control-max-age': '86400' }
      : {}),
    ...openToAll(request),
  });
  response.end();
  return true;
}
