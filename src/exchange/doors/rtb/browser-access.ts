import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Supply } from '../../snapshot/supply.ts';
import { openToAll } from '../open-to-all.ts';

const methods = 'POST, OPTIONS';
/** What header-bidding scripts send beside their body. */
const requestHeaders = 'content-type, content-encoding, x-openrtb-version';

const closed: Readonly<Record<string, string>> = {};

/** CORS headers for scripts of header bidding in browsers, where the endpoint's `HeaderBidJs` lets them in; else none. */
export function browserAccess(
  supply: Supply | undefined,
  request: IncomingMessage,
): Readonly<Record<string, string>> {
  return supply?.document.HeaderBidJs === 1 ? openToAll(request, closed) : closed;
}

/** Answers what is no POST: the question of a browser whether it may (Fetch standard) with 204, all else with 405. */
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
