import type { IncomingMessage, ServerResponse } from 'node:http';
import { isFeedClick } from '../../trackers/tokens.ts';
import type { Door, DoorContext } from '../door.ts';
import { refuseMethod } from '../open-to-all.ts';
import { zoneQuery } from '../query.ts';
import { clickPath } from './click-url.ts';
import { isVisit, sendBack, sendNowhere, sendOn } from './send-on.ts';

/** Any time is before the end of a token: expired ones are read too, for where to send who comes too late. */
const whenever = 0;

async function follow(request: IncomingMessage, response: ServerResponse, context: DoorContext) {
  if (!isVisit(request)) return sendNowhere(response);
  const url = request.url ?? '';
  const token = url.slice(clickPath.length).split('?', 1)[0] ?? '';
  const ad = context.tokens.read(token, whenever);
  const supply = ad && context.snapshot().supply(ad.supply.kind, ad.supply.id);
  const isLive = ad && isFeedClick(ad) && context.services.now() < ad.expiresMs;
  if (!isLive) return sendBack(response, supply);
  const jsAnswer = zoneQuery(url).text('js');
  await sendOn({ ad, token, jsAnswer, request, response, context });
}

/** `/click/<token>`: where a pop's visitor passes through us, within ten minutes of the auction. */
export const clickDoor: Door = {
  path: clickPath,
  async serve(request, response, context) {
    if (refuseMethod(request, response)) return;
    try {
      await follow(request, response, context);
    } catch (error) {
      context.onFault(error);
      if (!response.headersSent) response.writeHead(503, { 'retry-after': '1', 'content-length': 0 }).end();
    }
  },
};
