import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Supply } from '../../snapshot/supply.ts';
import { corsHeaders } from '../cors-headers.ts';

const methods = 'POST, OPTIONS';
/** Request headers that header-bidding scripts may send. */
const requestHeaders = 'content-type, content-encoding, x-openrtb-version';

const closed: Readonly<Record<string, string>> = {};

/** CORS headers for header-bidding scripts in browsers if the endpoint's `HeaderBidJs` allows them; else none. */
export function browserAccess(
  supply: Supply | undefined,
  request: IncomingMessage,
): Readonly<Record<string, string>> {
  return supply?.settings.HeaderBidJs === 1 ? corsHeaders(request, closed) : closed;
}

/**
 * Answers a request that is no POST: a preflight (Fetch standard) with 204, others with 405. True if it has answered.
 */
export function refuseNoPost(
  request: IncomingMessage,
  response: ServerResponse,
  access: Readonly<Record<string, string>>,
): boolean {
  const { method } = request;
  if (method === 'POST') return false;
  request.resume();
  const isPreflight = method === 'OPTIONS';
  const isOpen = isPreflight && access !== closed;
  response.writeHead(isPreflight ? 204 : 405, {
    allow: methods,
    ...(!isPreflight && { 'content-length': 0 }),
    ...access,
    ...(isOpen && {
      'access-control-allow-methods': methods,
      'access-control-allow-headers': requestHeaders,
      'access-control-max-age': '86400',
    }),
  });
  response.end();
  return true;
}
