import type { SupplyObject } from '../configuration.ts';
import type { CompiledDeal } from './deal.ts';

/** Active deals by the supply that they are for. */
export interface DealIndex {
  /** The most important first; undefined if there is none. */
  of(supply: Pick<SupplyObject, 'entity' | 'id' | 'teamId'>): readonly CompiledDeal[] | undefined;
}

/** The lower number first. */
const byPriority = (one: CompiledDeal, other: CompiledDeal) =>
  one.priority - other.priority || one.id - other.id;

export function dealIndex(deals: Iterable<CompiledDeal>): DealIndex {
  const active = [...deals].filter(({ isActive }) => isActive).toSorted(byPriority);
  const ofTeam = Map.groupBy(
    active.filter(({ supply }) => supply.size === 0),
    ({ teamId }) => teamId,
  );
  const named = active.flatMap((deal) =>
    [...deal.supply].flatMap(([kind, ids]) => [...ids].map((id) => ({ key: `${kind}:${id}`, deal }))),
  );
  const ofSupply = Map.groupBy(named, ({ key }) => key);
  return {
    of({ entity, id, teamId }) {
      const all = ofTeam.get(teamId);
      const own = ofSupply.get(`${entity}:${id}`)?.map(({ deal }) => deal);
      return all && own ? [...all, ...own].toSorted(byPriority) : (own ?? all);
    },
  };
}
