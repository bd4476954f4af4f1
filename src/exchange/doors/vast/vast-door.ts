import type { IncomingMessage, ServerResponse } from 'node:http';
import { emptyVast, type VastVersion } from '../../../protocols/vast/build-vast.ts';
import type { Auction } from '../../auction/auction.ts';
import { authenticate } from '../../auction/authenticate.ts';
import { runAuction } from '../../auction/run-auction.ts';
import { isRefusal } from '../../reasons.ts';
import type { Supply } from '../../snapshot/supply.ts';
import type { Door, DoorContext } from '../door.ts';
import { endLater } from '../end-later.ts';
import { openToAll, refuseMethod } from '../open-to-all.ts';
import { zoneQuery } from '../query.ts';
import { report } from '../report.ts';
import { readOpportunity } from './read-opportunity.ts';
import { vastDocument } from './vast-document.ts';

/** VAST version of a tag, and of answers for none (specification 2.5, `Version`). */
function versionOf(supply: Supply | undefined): VastVersion {
  return supply?.document.Version === 1 ? '4.0' : '3.0';
}

function send(request: IncomingMessage, response: ServerResponse, document: string): void {
  response.writeHead(200, {
    'content-type': 'application/xml; charset=utf-8',
    'content-length': Buffer.byteLength(document),
    'cache-control': 'no-store',
    ...openToAll(request),
  });
  // As text: then headers and body are one write to the socket.
  endLater(response, request.method === 'HEAD' ? undefined : document);
}

/** The document for a request, an ad or none, with the auction that was held for it. */
interface Answer {
  readonly document: string;
  readonly auction?: Auction;
}

async function answer(request: IncomingMessage, context: DoorContext): Promise<Answer> {
  const query = zoneQuery(request.url ?? '');
  const credentials = { kind: 'VastTag', id: query.text('zone'), auth: query.text('auth') } as const;
  const supply = authenticate(context.snapshot(), credentials);
  if (isRefusal(supply)) return { document: emptyVast(versionOf(undefined)) };
  const opportunity = readOpportunity(supply, query, context.callerOf(request), context);
  const auction = await runAuction(supply, opportunity, context.services);
  return { document: vastDocument(auction, context) ?? emptyVast(versionOf(supply)), auction };
}

/**
 * `/vast`: always 200 with valid XML, also where there is no ad, so that players move on (delivery, "The doors").
 * What fails on our side is told to the log, and answered with no ad.
 */
export const vastDoor: Door = {
  path: '/vast',
  async serve(request, response, context) {
    if (refuseMethod(request, response)) return;
    try {
      const { document, auction } = await answer(request, context);
      send(request, response, document);
      if (auction) report(auction, context);
    } catch (error) {
      context.onFault(error);
      if (!response.headersSent) send(request, response, emptyVast(versionOf(undefined)));
    }
  },
};
