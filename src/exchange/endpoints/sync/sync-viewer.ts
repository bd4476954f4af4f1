import type { IncomingMessage } from 'node:http';
import { activities } from '../../../reference/activities.ts';
import { consentOf } from '../../auction/consent-of.ts';
import type { Privacy } from '../../opportunity.ts';
import { parseIpAddress } from '../../reading/ip-address.ts';
import type { ZoneQuery } from '../../reading/query.ts';
import type { Demand } from '../../snapshot/demand.ts';
import { hasOptedOut, type Matches, noMatches, readMatches } from '../../viewer-matches.ts';
import type { DeliveryContext } from '../delivery-endpoint.ts';
import { privacyOf } from '../privacy-of.ts';

export interface SyncViewer {
  readonly privacy: Privacy;
  readonly hasOptedOut: boolean;
  readonly matches: Matches;
  /** Whether we may write a cookie, or tell others what is in it. */
  readonly mayStore: boolean;
  /** Whether the partner may also be told of the viewer. */
  maySync(demand: Demand): boolean;
}

const ofPartners = activities.sync | activities.userIds;

/** Who asks, and what he permits, as the team enforces it. `mode`: `ConsentMode` of supply. */
export function viewerOf(
  request: IncomingMessage,
  query: ZoneQuery,
  { teamId, mode }: { readonly teamId: number; readonly mode?: number | undefined },
  context: DeliveryContext,
): SyncViewer {
  const { services } = context;
  const { cookie } = request.headers;
  const caller = context.callerOf(request);
  const ip = parseIpAddress(caller.ip);
  const privacy = privacyOf(query, caller);
  const country = ip ? context.countryOf(ip) : '';
  const consent = consentOf({ privacy, country }, teamId, mode, services);
  const isOut = hasOptedOut(cookie);
  const mayStore = !isOut && (consent.withheldHere() & activities.sync) === 0;
  return {
    privacy,
    hasOptedOut: isOut,
    matches: readMatches(cookie, services.now()) ?? noMatches,
    mayStore,
    maySync: ({ gvlId }) => mayStore && (consent.withheldFrom(gvlId) & ofPartners) === 0,
  };
}
