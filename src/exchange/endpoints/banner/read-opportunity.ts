import type { Opportunity } from '../../opportunity.ts';
import type { Caller } from '../../reading/caller.ts';
import type { ZoneQuery } from '../../reading/query.ts';
import type { Supply } from '../../snapshot/supply.ts';
import type { DeliveryContext } from '../delivery-endpoint.ts';
import { readPlacement } from '../placement.ts';

/** From the zone URL's macros, the object's fields, and the caller. */
export function readBannerRequest(
  supply: Supply,
  query: ZoneQuery,
  caller: Caller,
  context: DeliveryContext,
): Opportunity {
  return { ...readPlacement(supply, query, caller, context), media: 'banner', video: undefined };
}
