import type { IncomingMessage, ServerResponse } from 'node:http';
import { isPrefetch } from '../../reading/caller.ts';
import { refuseMethod } from '../cors-headers.ts';
import type { DeliveryContext, DeliveryEndpoint } from '../delivery-endpoint.ts';
import { jsCheckPolicy } from './js-check.ts';
import { sendNoContent } from './send-on.ts';

/** Neither `HEAD` nor a prefetch, whose click may never come. */
const isVisit = ({ method, headers }: IncomingMessage): boolean => method === 'GET' && !isPrefetch(headers);

export type RedirectVisitor = (
  request: IncomingMessage,
  response: ServerResponse,
  context: DeliveryContext,
) => Promise<void>;

/** For visitors' browsers. Our own failures answer 503, so that they may retry. */
export const visitorEndpoint = (path: string, lead: RedirectVisitor): DeliveryEndpoint => ({
  path,
  pagePolicy: jsCheckPolicy,
  async serve(request, response, context) {
    if (refuseMethod(request, response)) return;
    if (!isVisit(request)) return sendNoContent(response);
    try {
      await lead(request, response, context);
    } catch (error) {
      context.onFault(error);
      if (!response.headersSent) response.writeHead(503, { 'retry-after': '1', 'content-length': 0 }).end();
    }
  },
});
