import type { IncomingMessage } from 'node:http';
import { zoneQuery } from '../../reading/query.ts';
import { isPartnerUid, matchCookies } from '../../viewer-matches.ts';
import { refuseMethod } from '../cors-headers.ts';
import type { DeliveryContext } from '../delivery-endpoint.ts';
import { pixel } from '../pixel.ts';
import { optedOut, type SyncAnswer, syncEndpoint } from './sync-answer.ts';
import { partnerNamed, syncTypeOf } from './sync-partners.ts';
import { viewerOf } from './sync-viewer.ts';

export const unknownBidder: SyncAnswer = {
  status: 400,
  body: 'bidder must be the code of an active object with user sync, as DspRtbEp-12',
};

const badUid: SyncAnswer = {
  status: 400,
  body: "uid must be the partner's ID in at most 256 characters of printable ASCII, and no macro",
};

const withheld: SyncAnswer = {
  status: 451,
  body: 'the viewer, or a signal of the request, does not permit to store this ID',
};

const emptyPage = { type: 'text/html; charset=utf-8', body: '' } as const;

/** Signs of a macro that the partner has left unfilled. */
const unfilled = /^\$\w+$/;

/** What `uid` says; undefined if that cannot be an ID. `""` ends the match. */
export function uidIn(query: ReturnType<typeof zoneQuery>): string | undefined {
  const uid = query.text('uid');
  if (query.unfilled.includes('uid') || unfilled.test(uid)) return undefined;
  return uid === '' || isPartnerUid(uid) ? uid : undefined;
}

function answer(request: IncomingMessage, context: DeliveryContext): SyncAnswer {
  const query = zoneQuery(request.url ?? '');
  const demand = partnerNamed(query.text('bidder'), context.snapshot());
  if (!demand) return unknownBidder;
  const viewer = viewerOf(request, query, demand, context);
  if (viewer.hasOptedOut) return optedOut;
  const uid = uidIn(query);
  if (uid === undefined) return badUid;
  if (uid !== '' && !viewer.maySync(demand)) return withheld;
  const matches = viewer.matches.with(demand.partner, uid, context.services.now());
  const form = query.text('f') || (syncTypeOf(demand) === 'iframe' ? 'b' : 'i');
  return {
    status: 200,
    ...(form === 'b' ? emptyPage : pixel),
    cookies: matchCookies(viewer.matches, matches),
  };
}

/** `/setuid`: as Prebid Server's. An empty `uid` ends the match. */
export const setuidEndpoint = syncEndpoint('/setuid', { refuse: refuseMethod, answer });
