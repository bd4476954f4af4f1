import { useQueries } from '@tanstack/react-query';
import { namesQuery } from '../api/names.ts';
import { entityOf } from '../field-tables.ts';
import type { Change } from '../objects/history/history.ts';

/** The names of all objects that changes are about, by `<entity> <ID>`. */
export function useNamesOf(changes: readonly Change[]): ReadonlyMap<string, string> {
  const known = changes.filter(({ Entity }) => entityOf(Entity));
  const byEntity = Map.groupBy(known, ({ Entity }) => Entity);
  const asked = [...byEntity].map(([key, of]) => ({ key, ids: [...new Set(of.map(({ Id }) => Id))].sort() }));
  return useQueries({
    queries: asked.map(({ key, ids }) => namesQuery(key, ids)),
    combine: (results) =>
      new Map(
        results.flatMap(({ data = {} }, index) =>
          Object.entries(data).map(([id, name]) => [`${asked[index]?.key} ${id}`, name] as const),
        ),
      ),
  });
}
