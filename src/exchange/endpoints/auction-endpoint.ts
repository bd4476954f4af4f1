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

export interface DeliveryAnswer {
  readonly body?: DeliveryBody;
  readonly auction?: Auction;
  /** Why the winning ad is not in the body. */
  readonly withheld?: Refusal | undefined;
}

const noStore = { 'cache-control': 'no-store' } as const;

/** 204 without a body. Any page may read it (CORS), and no cache may store it. */
function send(request: IncomingMessage, response: ServerResponse, body: DeliveryBody | undefined): void {
  if (body === undefined) {
    endLater(response.writeHead(204, corsHeaders(request, noStore)));
    return;
  }
  const headers = { ...body.headers, ...noStore, 'content-length': Buffer.byteLength(body.text) };
  response.writeHead(200, corsHeaders(request, headers));
  // A string, so that Node writes headers and body to the socket at once.
  endLater(response, request.method === 'HEAD' ? undefined : body.text);
}

/** What it answers without an ad; absent = 204. */
interface AuctionEndpoint extends Pick<DeliveryEndpoint, 'pagePolicy'> {
  readonly requestReader: RequestReader;
  readonly answer: (request: IncomingMessage, context: DeliveryContext) => Promise<DeliveryAnswer>;
  readonly otherwise?: DeliveryBody;
}

/**
 * Holds an auction per request. Without a body from `answer`, or after a fault of ours: `otherwise`, or 204. `HEAD`
 * gets that too, without an auction.
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
