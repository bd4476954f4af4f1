import type { Opportunity } from '../opportunity.ts';
import type { Caller } from '../reading/caller.ts';
import type { Supply } from '../snapshot/supply.ts';
import { bannerEndpoint } from './banner/banner-endpoint.ts';
import { playerEndpoint } from './banner/player-endpoint.ts';
import type { AskedRequest, DeliveryContext, DeliveryEndpoint } from './delivery-endpoint.ts';
import { clickEndpoint, openEndpoint } from './pop/click-endpoint.ts';
import { directEndpoint } from './pop/direct-endpoint.ts';
import { popEndpoint } from './pop/pop-endpoint.ts';
import { rtbEndpoint } from './rtb/rtb-endpoint.ts';
import { sellersJsonEndpoint } from './sellers-json-endpoint.ts';
import { cookieSyncEndpoint } from './sync/cookie-sync-endpoint.ts';
import { optoutEndpoint } from './sync/optout-endpoint.ts';
import { setuidEndpoint } from './sync/setuid-endpoint.ts';
import { syncEntry } from './sync/sync-endpoint.ts';
import { trackerEndpoint } from './tracker-endpoint.ts';
import { vastEndpoint } from './vast/vast-endpoint.ts';

/** A path that ends in `/` covers all paths below it, except those of earlier endpoints. */
export const deliveryEndpoints: readonly DeliveryEndpoint[] = [
  vastEndpoint,
  rtbEndpoint,
  openEndpoint,
  trackerEndpoint,
  bannerEndpoint,
  playerEndpoint,
  popEndpoint,
  directEndpoint,
  clickEndpoint,
  sellersJsonEndpoint,
  cookieSyncEndpoint,
  setuidEndpoint,
  syncEntry,
  optoutEndpoint,
];

/** Reads a request as the endpoint would whose URL it has. */
export function readExplainedRequest(
  supply: Supply,
  request: AskedRequest,
  context: DeliveryContext,
  caller?: Caller,
): Opportunity | undefined {
  const able = deliveryEndpoints.filter(({ requestReader }) => requestReader?.kind === supply.kind);
  const asked = able.find(({ path }) => request.url?.split('?', 1)[0]?.endsWith(path)) ?? able[0];
  return asked?.requestReader?.read(supply, request, context, caller);
}
