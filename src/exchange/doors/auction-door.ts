import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Auction } from '../auction/auction.ts';
import { type Refusal, refuse } from '../reasons.ts';
import type { Door, DoorContext } from './door.ts';
import { endLater } from './end-later.ts';
import { openToAll, refuseMethod } from './open-to-all.ts';
import { report } from './report.ts';

/** What is sent. */
export interface Body {
  readonly text: string;
  /** Headers that tell what it is. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A body, where there is a bid, with the auction that was held for it. */
export interface Answer {
  readonly body?: Body;
  readonly auction?: Auction;
  /** Why the ad that has won is not in the body. */
  readonly withheld?: Refusal | undefined;
}

const unkept = { 'cache-control': 'no-store' } as const;

/** Sends a body that any page may read and nobody keeps; 204 where there is none. */
function send(request: IncomingMessage, response: ServerResponse, body: Body | undefined): void {
  if (body === undefined) {
    endLater(response.writeHead(204, openToAll(request, unkept)));
    return;
  }
  const headers = { ...body.headers, ...unkept, 'content-length': Buffer.byteLength(body.text) };
  response.writeHead(200, openToAll(request, headers));
  // As text: then headers and body are one write to the socket.
  endLater(response, request.method === 'HEAD' ? undefined : body.text);
}

/**
 * A door that holds an auction for each request: 200 with what `answer` makes of it. Where it makes nothing, and where
 * something fails on our side, which is told to the log: 200 with `otherwise`, or 204 where that is absent. `HEAD` is
 * answered so too, without an auction: who only looks is shown no ad.
 */
export const auctionDoor = (
  path: string,
  answer: (request: IncomingMessage, context: DoorContext) => Promise<Answer>,
  otherwise?: Body,
): Door => ({
  path,
  async serve(request, response, context) {
    if (refuseMethod(request, response)) return;
    if (request.method === 'HEAD') return send(request, response, otherwise);
    try {
      const { body = otherwise, auction, withheld } = await answer(request, context);
      const refusal = response.destroyed ? refuse('caller_gone') : withheld;
      send(request, response, body);
      if (auction) report(auction, context, refusal);
    } catch (error) {
      context.onFault(error);
      if (!response.headersSent) send(request, response, otherwise);
    }
  },
});
