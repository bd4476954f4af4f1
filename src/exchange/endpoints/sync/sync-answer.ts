import type { IncomingMessage, ServerResponse } from 'node:http';
import { corsHeaders } from '../cors-headers.ts';
import type { DeliveryContext, DeliveryEndpoint } from '../delivery-endpoint.ts';

export interface SyncAnswer {
  readonly status: 200 | 302 | 303 | 400 | 401 | 403 | 451;
  /** Of the body; absent = plain text. */
  readonly type?: string;
  readonly body?: string | Uint8Array;
  readonly location?: string;
  readonly cookies?: readonly string[];
  /** Of a page. */
  readonly policy?: string;
}

export const unknownSupply: SyncAnswer = {
  status: 401,
  body: 'zone (or feed) and auth must be those of an active supply object',
};

export const optedOut: SyncAnswer = { status: 401, body: 'the viewer has opted out of user sync' };

/** No cache stores it, and nobody is sent the URL that led here, which has credentials. */
function send(request: IncomingMessage, response: ServerResponse, answer: SyncAnswer): void {
  const { status, type = 'text/plain; charset=utf-8', body = '', location, cookies, policy } = answer;
  response.writeHead(
    status,
    corsHeaders<string | number | readonly string[]>(request, {
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'content-type': type,
      'content-length': Buffer.byteLength(body),
      ...(location !== undefined && { location }),
      ...(cookies && { 'set-cookie': cookies }),
      ...(policy !== undefined && { 'content-security-policy': policy }),
    }) as Record<string, string>,
  );
  response.end(request.method === 'HEAD' ? undefined : body);
}

interface SyncEndpoint extends Pick<DeliveryEndpoint, 'pagePolicy'> {
  /** Whether it has answered a request of another method. */
  readonly refuse: (request: IncomingMessage, response: ServerResponse) => boolean;
  readonly answer: (request: IncomingMessage, context: DeliveryContext) => SyncAnswer | Promise<SyncAnswer>;
}

/** Our own failures answer 503. */
export const syncEndpoint = (
  path: string,
  { refuse, answer, ...declared }: SyncEndpoint,
): DeliveryEndpoint => ({
  path,
  ...declared,
  async serve(request, response, context) {
    if (refuse(request, response)) return;
    try {
      send(request, response, await answer(request, context));
    } catch (error) {
      context.onFault(error);
      if (!response.headersSent) response.writeHead(503, { 'retry-after': '1', 'content-length': 0 }).end();
    }
  },
});
