import { entityOf } from '../field-tables.ts';

/** Which objects changes are about, by entity: each once. */
export function changedObjects(changes: readonly { readonly Entity: string; readonly Id: number }[]) {
  const known = changes.filter(({ Entity }) => entityOf(Entity));
  const byEntity = Map.groupBy(known, ({ Entity }) => Entity);
  return [...byEntity].map(([key, of]) => ({
    key,
    ids: [...new Set(of.map(({ Id }) => Id))].sort((one, other) => one - other),
  }));
}
