import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type ZoneQuery, zoneQuery } from '../../reading/query.ts';
import type { Demand } from '../../snapshot/demand.ts';
import type { Supply } from '../../snapshot/supply.ts';
import { matchCookies, ownEntry } from '../../viewer-matches.ts';
import { refuseMethod } from '../cors-headers.ts';
import type { DeliveryContext } from '../delivery-endpoint.ts';
import { pixel } from '../pixel.ts';
import { syncsMax } from './cookie-sync-endpoint.ts';
import { badRedirect, isOfPartner, isSyncDomain, namesId, redirectTarget } from './redirect-target.ts';
import { uidIn, unknownBidder } from './setuid-endpoint.ts';
import { type SyncAnswer, syncEndpoint, unknownSupply } from './sync-answer.ts';
import { syncPage, syncPagePolicy } from './sync-page.ts';
import { partnerNamed, partnersOf, shuffled, supplyOf, syncTypeOf, syncUrlOf } from './sync-partners.ts';
import { type SyncViewer, viewerOf } from './sync-viewer.ts';

const unmatched = (supply: Supply, { matches, maySync }: SyncViewer, random: () => number): Demand[] =>
  shuffled(
    partnersOf(supply).filter((demand) => matches.of(demand.partner) === undefined && maySync(demand)),
    random,
  );

/** The same request without `type`: only its redirect is left. */
function redirectAlone(url: string): string {
  const next = new URL(url, 'http://localhost');
  next.searchParams.delete('type');
  return next.pathname + next.search;
}

function pageFor(supply: Supply, viewer: SyncViewer, next: string | undefined, context: DeliveryContext) {
  const { random, baseUrl } = context.services;
  const loads = unmatched(supply, viewer, random)
    .slice(0, syncsMax)
    .map((demand) => ({ type: syncTypeOf(demand), url: syncUrlOf(demand, viewer.privacy, baseUrl()) }));
  return {
    status: 200,
    type: 'text/html; charset=utf-8',
    policy: syncPagePolicy,
    body: syncPage(loads, next),
  } as const;
}

/** One partner's redirect, or a pixel if all are matched. */
function imageFor(supply: Supply, viewer: SyncViewer, { services }: DeliveryContext): SyncAnswer {
  const one = unmatched(supply, viewer, services.random).find((demand) => syncTypeOf(demand) === 'redirect');
  if (!one) return { status: 200, ...pixel };
  return { status: 302, location: syncUrlOf(one, viewer.privacy, services.baseUrl()) };
}

/** For a supply object: partners match the viewer, or the matches go where they are kept for it. */
function forSupply(request: IncomingMessage, query: ZoneQuery, context: DeliveryContext): SyncAnswer {
  const supply = supplyOf(query, context);
  if (!supply) return unknownSupply;
  const viewer = viewerOf(
    request,
    query,
    { teamId: supply.teamId, mode: supply.settings.ConsentMode },
    context,
  );
  const [type, redirect] = [query.text('type'), query.text('redirect')];
  if (redirect === '')
    return type === 'iframe'
      ? pageFor(supply, viewer, undefined, context)
      : imageFor(supply, viewer, context);
  const { matchSealer, services } = context;
  const sealed = viewer.mayStore ? matchSealer.seal(viewer.matches, services.now()) : '';
  const location = redirectTarget(redirect, sealed, isSyncDomain(supply));
  if (location === undefined)
    return badRedirect(
      "whose host is among the supply object's SyncDomains, or below one of them; add it there",
    );
  if (type === 'iframe') return pageFor(supply, viewer, redirectAlone(request.url ?? ''), context);
  return { status: 302, location };
}

const ownIdBytes = 16;

/** A partner's own start: it tells its ID, is told one of ours, or both. */
function forPartner(request: IncomingMessage, query: ZoneQuery, context: DeliveryContext): SyncAnswer {
  const demand = partnerNamed(query.text('bidder'), context.snapshot());
  if (!demand) return unknownBidder;
  const viewer = viewerOf(request, query, demand, context);
  const isPermitted = viewer.maySync(demand);
  const entry = ownEntry(demand.partner);
  const ownId = viewer.matches.of(entry) ?? randomBytes(ownIdBytes).toString('base64url');
  const redirect = query.text('redirect');
  const location = redirectTarget(redirect, isPermitted ? ownId : '', isOfPartner(demand));
  if (location === undefined) return badRedirect("on the site of the partner's SyncUrl");
  if (!isPermitted) return { status: 302, location };
  const now = context.services.now();
  const uid = uidIn(query) ?? '';
  const known = namesId(redirect) ? viewer.matches.with(entry, ownId, now) : viewer.matches;
  const matches = uid === '' ? known : known.with(demand.partner, uid, now);
  return { status: 302, location, cookies: matchCookies(viewer.matches, matches) };
}

/** `/sync`: by a tag on a page, by a supply partner that keeps our matches, or by a demand partner. */
export const syncEntry = syncEndpoint('/sync', {
  refuse: refuseMethod,
  pagePolicy: syncPagePolicy,
  answer(request, context) {
    const query = zoneQuery(request.url ?? '');
    const isPartner = query.text('bidder') !== '';
    return isPartner ? forPartner(request, query, context) : forSupply(request, query, context);
  },
});
