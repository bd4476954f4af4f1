import type { SupplyObject } from '../configuration.ts';
import type { CompiledDeal } from './deal.ts';
import type { Supply } from './supply.ts';

export interface DealIndex {
  of(supply: Pick<SupplyObject, 'entity' | 'id' | 'teamId'>): Pick<Supply, 'deals' | 'inactiveDeals'>;
}

/** The lower number first. */
const byPriority = (one: CompiledDeal, other: CompiledDeal) =>
  one.priority - other.priority || one.id - other.id;

function findIn(deals: Iterable<CompiledDeal>) {
  const sorted = [...deals].toSorted(byPriority);
  const ofTeam = Map.groupBy(
    sorted.filter(({ supply }) => supply.size === 0),
    ({ teamId }) => teamId,
  );
  const named = sorted.flatMap((deal) =>
    [...deal.supply].flatMap(([kind, ids]) => [...ids].map((id) => ({ key: `${kind}:${id}`, deal }))),
  );
  const ofSupply = Map.groupBy(named, ({ key }) => key);
  return ({ entity, id, teamId }: Parameters<DealIndex['of']>[0]) => {
    const all = ofTeam.get(teamId);
    const own = ofSupply.get(`${entity}:${id}`)?.map(({ deal }) => deal);
    return all && own ? [...all, ...own].toSorted(byPriority) : (own ?? all);
  };
}

export function dealIndex(deals: Iterable<CompiledDeal>): DealIndex {
  const byStatus = Map.groupBy(deals, ({ isActive }) => isActive);
  const [active, inactive] = [true, false].map((status) => findIn(byStatus.get(status) ?? []));
  return { of: (supply) => ({ deals: active?.(supply), inactiveDeals: inactive?.(supply) }) };
}
