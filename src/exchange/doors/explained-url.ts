import type { SupplyKind } from '../../entities/kinds.ts';
import type { Opportunity } from '../opportunity.ts';
import { type Caller, unknownCaller } from '../reading/caller.ts';
import { type ZoneQuery, zoneQuery } from '../reading/query.ts';
import type { Supply } from '../snapshot/supply.ts';
import type { DoorContext, Explained } from './door.ts';

/** How the URLs of a door are explained: nobody calls, and only what the URL itself declares is known. */
export function explainedUrl(
  kind: SupplyKind,
  read: (supply: Supply, query: ZoneQuery, caller: Caller, context: DoorContext) => Opportunity,
): Explained {
  return {
    kind,
    read: (supply, { url = '' }, context) => read(supply, zoneQuery(url), unknownCaller, context),
  };
}
