import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { arrayIn } from '../api/answers.ts';
import { sendRequest } from '../api/call.ts';
import { objectsRequest } from '../api/objects.ts';
import { entityOf } from '../field-tables.ts';

const foundMax = 20;
const pauseMs = 150;

/** Objects of some kinds whose names have a text, those of each kind under its name. */
export function useObjectSearch(kinds: readonly string[], query: string) {
  const [settled] = useDebouncedValue(query.trim(), pauseMs);
  const entities = kinds.flatMap((kind) => entityOf(kind) ?? []);
  return useQueries({
    queries: entities.map((entity) => {
      const filter = settled === '' ? [] : [{ Field: 'Name', Operator: 'contains', Values: [settled] }];
      const request = objectsRequest(entity, { filter, sort: 'Name' });
      return {
        queryKey: ['found', entity.key, settled],
        queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
          arrayIn(
            (await sendRequest({ ...request, query: { ...request.query, Limit: foundMax } }, { signal }))
              .data,
          ),
        placeholderData: keepPreviousData,
        staleTime: 30_000,
      };
    }),
    combine: (results) =>
      results.flatMap(({ data }, index) => {
        const entity = entities[index];
        return entity && data ? [{ entity, objects: data }] : [];
      }),
  });
}
