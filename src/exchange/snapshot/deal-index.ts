import type { SupplyObject } from '../configuration.ts';
import { byOwner, teamOwner } from './by-owner.ts';
import type { CompiledDeal } from './deal.ts';
import type { Supply } from './supply.ts';

export interface DealIndex {
  of(supply: Pick<SupplyObject, 'entity' | 'id' | 'teamId'>): Pick<Supply, 'deals' | 'inactiveDeals'>;
}

/** The lower number first. */
const byPriority = (one: CompiledDeal, other: CompiledDeal) =>
  one.priority - other.priority || one.id - other.id;

function findIn(deals: Iterable<CompiledDeal>) {
  const groups = byOwner(deals);
  return ({ entity, id, teamId }: Parameters<DealIndex['of']>[0]) => {
    const found = [teamOwner(teamId), `${entity}:${id}`].flatMap((owner) => groups.get(owner) ?? []);
    return found.length === 0 ? undefined : found.toSorted(byPriority);
  };
}

export function dealIndex(deals: Iterable<CompiledDeal>): DealIndex {
  const byStatus = Map.groupBy(deals, ({ isActive }) => isActive);
  const [active, inactive] = [true, false].map((status) => findIn(byStatus.get(status) ?? []));
  return { of: (supply) => ({ deals: active?.(supply), inactiveDeals: inactive?.(supply) }) };
}
