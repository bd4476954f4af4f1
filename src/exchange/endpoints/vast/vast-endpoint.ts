import type { IncomingMessage } from 'node:http';
import { emptyVast } from '../../../protocols/vast/build-vast.ts';
import { authenticate } from '../../auction/authenticate.ts';
import { runAuction } from '../../auction/run-auction.ts';
import { zoneQuery } from '../../reading/query.ts';
import { isRefusal, refuse } from '../../reasons.ts';
import type { Supply } from '../../snapshot/supply.ts';
import { vastVersionFor } from '../../vast-version.ts';
import { auctionEndpoint, type DeliveryAnswer, type DeliveryBody } from '../auction-endpoint.ts';
import type { DeliveryContext } from '../delivery-endpoint.ts';
import { urlReader } from '../url-reader.ts';
import { readVastRequest } from './read-opportunity.ts';
import { vastDocument } from './vast-document.ts';

const headers = { 'content-type': 'application/xml; charset=utf-8' } as const;
const bodyOf = (text: string): DeliveryBody => ({ text, headers });

async function answer(request: IncomingMessage, context: DeliveryContext): Promise<DeliveryAnswer> {
  const query = zoneQuery(request.url ?? '');
  const credentials = { kind: 'VastTag', id: query.text('zone'), auth: query.text('auth') } as const;
  const supply = authenticate(context.snapshot(), credentials, context.services.now());
  if (isRefusal(supply)) return {};
  const caller = context.callerOf(request);
  const read = (as: Supply) => readVastRequest(as, query, caller, context);
  const auction = await runAuction(supply, read(supply), context.services, read);
  const document = vastDocument(auction, context);
  if (document !== undefined) return { body: bodyOf(document), auction };
  return { body: bodyOf(emptyVast(vastVersionFor(supply))), auction, withheld: refuse('invalid_creative') };
}

/** `/vast`: always 200 with valid XML, so that players move on. */
export const vastEndpoint = auctionEndpoint('/vast', {
  requestReader: urlReader('VastTag', readVastRequest),
  answer,
  otherwise: bodyOf(emptyVast('3.0')),
});
