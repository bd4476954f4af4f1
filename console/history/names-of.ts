import { useQueries } from '@tanstack/react-query';
import { namesQuery } from '../api/names.ts';
import { changedObjects } from './changed-objects.ts';

/** The names of all objects that changes are about, by `<entity> <ID>`. */
export function useNamesOf(
  changes: readonly { readonly Entity: string; readonly Id: number }[],
): ReadonlyMap<string, string> {
  const asked = changedObjects(changes);
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
