import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Supply } from '../../snapshot/supply.ts';
import { corsHeaders } from '../cors-headers.ts';

const methods = 'POST, OPTIONS';
/** Sent by header-bidding scripts. */
const requestHeaders = 'content-type, content-encoding, x-openrtb-version';

const closed: Readonly<Record<string, string>> = {};

/** For header-bidding scripts, if the endpoint's `HeaderBidJs` allows them. */
export function browserAccess(
  supply: Supply | undefined,
  request: IncomingMessage,
): Readonly<Record<string, string>> {
  return supply?.settings.HeaderBidJs === 1 ? corsHeaders(request, closed) : closed;
}

/** Answers a preflight (Fetch standard) with 204, other methods with 405. True if it has answered. */
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
