import type { SupplyKind } from '../../entities/kinds.ts';
import type { Opportunity } from '../opportunity.ts';
import { type Caller, unknownCaller } from '../reading/caller.ts';
import { type ZoneQuery, zoneQuery } from '../reading/query.ts';
import type { Supply } from '../snapshot/supply.ts';
import type { DeliveryContext, RequestReader } from './delivery-endpoint.ts';

export function urlReader(
  kind: SupplyKind,
  read: (supply: Supply, query: ZoneQuery, caller: Caller, context: DeliveryContext) => Opportunity,
): RequestReader {
  return {
    kind,
    read: (supply, { url = '' }, context, caller = unknownCaller) =>
      read(supply, zoneQuery(url), caller, context),
  };
}
