import type { IncomingMessage, ServerResponse } from 'node:http';
import { authenticate } from '../../auction/authenticate.ts';
import { runAuction } from '../../auction/run-auction.ts';
import { withdraw } from '../../auction/withdraw.ts';
import { isRefusal } from '../../reasons.ts';
import type { DoorContext } from '../door.ts';
import { zoneQuery } from '../query.ts';
import { report } from '../report.ts';
import { popClick } from './pop-click.ts';
import { readDirectRequest } from './read-opportunity.ts';
import { sendBack, sendNowhere, sendOn } from './send-on.ts';
import { visitorDoor } from './visitor-door.ts';

async function redirect(request: IncomingMessage, response: ServerResponse, context: DoorContext) {
  const query = zoneQuery(request.url ?? '');
  const supply = authenticate(context.snapshot(), {
    kind: 'PopFeed',
    id: query.text('feed'),
    auth: query.text('auth'),
    field: 'AuthDirectUrl',
  });
  if (isRefusal(supply)) return sendNowhere(response);
  const visitor = {
    ...context.callerOf(request),
    acceptLanguage: request.headers['accept-language'],
  };
  const opportunity = readDirectRequest(supply, query, visitor, context);
  const auction = await runAuction(supply, opportunity, context.services);
  report(auction, context);
  const click = popClick(auction);
  if (!click) return sendBack(response, supply);
  const isSent = await sendOn({ ad: click.ad, token: '', jsAnswer: '', request, response, context });
  if (!isSent) withdraw(auction, click.ranked);
}

/** `/direct`: auction and click in one; nothing won: `FallbackUrl`, else 204 (delivery, "The doors"). */
export const directDoor = visitorDoor('/direct', redirect);
