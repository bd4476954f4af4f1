import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Auction } from '../../auction/auction.ts';
import { authenticate } from '../../auction/authenticate.ts';
import { runAuction } from '../../auction/run-auction.ts';
import { zoneQuery } from '../../reading/query.ts';
import { isRefusal, type Refusal, refuse } from '../../reasons.ts';
import type { Supply } from '../../snapshot/supply.ts';
import type { DeliveryContext, DeliveryEndpoint } from '../delivery-endpoint.ts';
import { finishAuction } from '../finish-auction.ts';
import { urlReader } from '../url-reader.ts';
import { popClick } from './pop-click.ts';
import { readDirectRequest, readFeedRequest } from './read-opportunity.ts';
import { redirectVisit, sendBack, sendNoContent } from './send-on.ts';
import { visitorEndpoint } from './visitor-endpoint.ts';

/** Returns why the visitor was sent back, if so. */
async function lead(
  auction: Auction,
  request: IncomingMessage,
  response: ServerResponse,
  context: DeliveryContext,
): Promise<Refusal | undefined> {
  if (response.destroyed) return refuse('caller_gone');
  const click = popClick(auction);
  if (!click) {
    sendBack(response, auction.supply);
    return refuse('invalid_creative');
  }
  const isSent = await redirectVisit({ ad: click.ad, token: '', jsAnswer: '', request, response, context });
  return isSent ? undefined : refuse('visitor_refused');
}

async function redirect(request: IncomingMessage, response: ServerResponse, context: DeliveryContext) {
  const query = zoneQuery(request.url ?? '');
  const credentials = {
    kind: 'PopFeed',
    id: query.text('feed'),
    auth: query.text('auth'),
    field: 'AuthDirectUrl',
  } as const;
  const supply = authenticate(context.snapshot(), credentials, context.services.now());
  if (isRefusal(supply)) return sendNoContent(response);
  const visitor = {
    ...context.callerOf(request),
    acceptLanguage: request.headers['accept-language'],
  };
  const read = (as: Supply) => readDirectRequest(as, query, visitor, context);
  const auction = await runAuction(supply, read(supply), context.services, read);
  let refusal: Refusal | undefined = refuse('technical_error');
  try {
    refusal = await lead(auction, request, response, context);
  } catch (error) {
    // The impression may be counted already, so its promises must expire instead of being taken back.
    auction.promises.clear();
    throw error;
  } finally {
    finishAuction(auction, context, refusal);
  }
}

/** In an explained URL, parameters describe the visitor, as in a feed's. */
const requestReader = urlReader('PopFeed', (...asked) => ({ ...readFeedRequest(...asked), isDirect: true }));

/** `/direct`: auction and click in one; without a winner, redirects to `FallbackUrl`, else 204. */
export const directEndpoint: DeliveryEndpoint = { ...visitorEndpoint('/direct', redirect), requestReader };
