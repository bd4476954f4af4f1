import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Auction } from '../auction/auction.ts';
import { type Refusal, refuse } from '../reasons.ts';
import { untilTickRead } from '../tick-phases.ts';
import { corsHeaders, refuseMethod } from './cors-headers.ts';
import type { DeliveryContext, DeliveryEndpoint, RequestReader } from './delivery-endpoint.ts';
import { endLater } from './end-later.ts';
import { finishAuction } from './finish-auction.ts';

export interface DeliveryBody {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What an endpoint makes of a request: the body, if there is a bid, and the auction, if one was held. */
export interface DeliveryAnswer {
  readonly body?: DeliveryBody;
  readonly auction?: Auction;
  /** Why the ad that has won is not in the body. */
  readonly withheld?: Refusal | undefined;
}

const noStore = { 'cache-control': 'no-store' } as const;

/** Sends a body, or 204 if there is none. Any page may read the answer (CORS), and no cache may keep it. */
function send(request: IncomingMessage, response: ServerResponse, body: DeliveryBody | undefined): void {
  if (body === undefined) {
    endLater(response.writeHead(204, corsHeaders(request, noStore)));
    return;
  }
  const headers = { ...body.headers, ...noStore, 'content-length': Buffer.byteLength(body.text) };
  response.writeHead(200, corsHeaders(request, headers));
  // A string and not a Buffer, so that Node sends headers and body in one write to the socket.
  endLater(response, request.method === 'HEAD' ? undefined : body.text);
}

/** What an auction endpoint does with requests, and what it answers where there is no ad; absent = 204. */
interface AuctionEndpoint extends Pick<DeliveryEndpoint, 'pagePolicy'> {
  readonly requestReader: RequestReader;
  readonly answer: (request: IncomingMessage, context: DeliveryContext) => Promise<DeliveryAnswer>;
  readonly otherwise?: DeliveryBody;
}

/**
 * An endpoint that holds an auction for each request: 200 with the body that `answer` makes. If it makes none, or fails on
 * our side (which is logged): 200 with `otherwise`, or 204 if that is absent. `HEAD` gets that answer, too, without an
 * auction, because it shows nobody an ad.
 */
export const auctionEndpoint = (
  path: string,
  { answer, otherwise, ...declared }: AuctionEndpoint,
): DeliveryEndpoint => ({
  path,
  ...declared,
  async serve(request, response, context) {
    if (refuseMethod(request, response)) return;
    if (request.method === 'HEAD') return send(request, response, otherwise);
    try {
      await untilTickRead();
      const { body = otherwise, auction, withheld } = await answer(request, context);
      const refusal = response.destroyed ? refuse('caller_gone') : withheld;
      send(request, response, body);
      if (auction) finishAuction(auction, context, refusal);
    } catch (error) {
      context.onFault(error);
      if (!response.headersSent) send(request, response, otherwise);
    }
  },
});
