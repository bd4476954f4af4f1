import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { ShownEntity } from '../field-tables.ts';
import { call } from './call.ts';

/** An object as the API answers it: its values by field name. */
export type Stored = Readonly<Record<string, unknown>> & { readonly Id: number };

/** A warning beside an answer: what was done, and will not have the effect that it seems to have. */
export interface Warning {
  readonly Path: string;
  readonly Message: string;
}

/** What a change comes to. */
export interface Saved {
  readonly object: Stored;
  readonly warnings: readonly Warning[];
}

/** All objects of an entity, in the form of arrays. */
export const objectsQuery = (entity: ShownEntity) =>
  queryOptions({
    queryKey: ['objects', entity.key],
    queryFn: async ({ signal }) => (await call<readonly Stored[]>(`/api/${entity.path}/get`, { signal })).data,
  });

/** One object, whole, with the tag that an update sends back to notice others' changes. */
export const objectQuery = (entity: ShownEntity, id: number) =>
  queryOptions({
    queryKey: ['object', entity.key, id],
    queryFn: async ({ signal }) => {
      const { data, headers } = await call<Stored>(`/api/${entity.path}/get`, { query: { Id: id }, signal });
      return { object: data, tag: headers.get('etag') ?? '' };
    },
  });

interface Wrapped {
  readonly Warnings?: readonly Warning[];
  readonly [wrapper: string]: unknown;
}

/** Sends values of an object, or tries them with `isTried`: everything is checked and nothing is kept. */
export async function sendObject(
  { path, wrapper }: ShownEntity,
  operation: 'add' | 'update' | 'activate' | 'deactivate',
  values: Readonly<Record<string, unknown>>,
  { tag, isTried, key }: { readonly tag?: string; readonly isTried?: boolean; readonly key?: string } = {},
): Promise<Saved> {
  const { data } = await call<Wrapped>(`/api/${path}/${operation}`, {
    body: { [wrapper]: values },
    query: { DryRun: isTried ? 1 : undefined },
    headers: { ...(tag && { 'if-match': tag }), ...(key && { 'idempotency-key': key }) },
  });
  return { object: data[wrapper] as Stored, warnings: data.Warnings ?? [] };
}

/** Activates or deactivates an object, and shows it at once. */
export function useSwitch(entity: ShownEntity) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, isActive }: { readonly id: number; readonly isActive: boolean }) =>
      sendObject(entity, isActive ? 'activate' : 'deactivate', { Id: id }),
    onSuccess: ({ object }) => {
      client.setQueryData(objectsQuery(entity).queryKey, (all) =>
        all?.map((one) => (one.Id === object.Id ? { ...one, Status: object.Status, StatusString: object.StatusString } : one)),
      );
      return client.invalidateQueries({ queryKey: ['object', entity.key, object.Id] });
    },
  });
}
