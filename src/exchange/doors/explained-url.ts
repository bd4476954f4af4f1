import type { SupplyKind } from '../../entities/kinds.ts';
import type { Opportunity } from '../opportunity.ts';
import { type Caller, unknownCaller } from '../reading/caller.ts';
import { type ZoneQuery, zoneQuery } from '../reading/query.ts';
import type { Supply } from '../snapshot/supply.ts';
import type { DoorContext, Explained } from './door.ts';

/** How requests to the URLs of a door are explained and tested. */
export function explainedUrl(
  kind: SupplyKind,
  read: (supply: Supply, query: ZoneQuery, caller: Caller, context: DoorContext) => Opportunity,
): Explained {
  return {
    kind,
    read: (supply, { url = '' }, context, caller = unknownCaller) =>
      read(supply, zoneQuery(url), caller, context),
  };
}
