import type { IncomingMessage } from 'node:http';
import { emptyVast } from '../../../protocols/vast/build-vast.ts';
import { authenticate } from '../../auction/authenticate.ts';
import { runAuction } from '../../auction/run-auction.ts';
import { zoneQuery } from '../../reading/query.ts';
import { isRefusal, refuse } from '../../reasons.ts';
import type { Supply } from '../../snapshot/supply.ts';
import { vastVersionFor } from '../../vast-version.ts';
import { type Answer, auctionDoor, type Body } from '../auction-door.ts';
import type { DoorContext } from '../door.ts';
import { explainedUrl } from '../explained-url.ts';
import { readVastRequest } from './read-opportunity.ts';
import { vastDocument } from './vast-document.ts';

const headers = { 'content-type': 'application/xml; charset=utf-8' } as const;
const bodyOf = (text: string): Body => ({ text, headers });

async function answer(request: IncomingMessage, context: DoorContext): Promise<Answer> {
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

/** `/vast`: always 200 with valid XML, also where there is no ad, so that players move on. */
export const vastDoor = auctionDoor('/vast', {
  explained: explainedUrl('VastTag', readVastRequest),
  answer,
  otherwise: bodyOf(emptyVast('3.0')),
});
