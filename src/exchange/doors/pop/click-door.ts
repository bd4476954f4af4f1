import type { IncomingMessage, ServerResponse } from 'node:http';
import { isFeedClick } from '../../trackers/tracked-ad.ts';
import type { DoorContext } from '../door.ts';
import { zoneQuery } from '../query.ts';
import { clickPath } from './click-url.ts';
import { sendBack, sendOn } from './send-on.ts';
import { visitorDoor } from './visitor-door.ts';

/** Any time is before the end of a token: expired ones are read too, for where to send who comes too late. */
const whenever = 0;

async function follow(request: IncomingMessage, response: ServerResponse, context: DoorContext) {
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
export const clickDoor = visitorDoor(clickPath, follow);
