import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { ShownEntity } from '../field-tables.ts';
import { arrayIn, changedIn, objectIn, type Stored as StoredObject, type Values } from './answers.ts';
import { type ApiRequest, sendRequest } from './call.ts';

export type { Stored, Values } from './answers.ts';

/** A warning beside an answer: what was done, and will not have the effect that it seems to have. */
export interface Warning {
  readonly Path: string;
  readonly Message: string;
  /** The object can't serve until this is solved. */
  readonly Blocking?: 1;
}

export interface SaveResult {
  readonly object: StoredObject;
  readonly warnings: readonly Warning[];
  /** The object's new tag. */
  readonly tag: string;
}

/** A condition on a field, as arrays take it. */
export interface Condition {
  readonly Field: string;
  readonly Operator: string;
  readonly Values: readonly (string | number)[];
}

/** What is asked of an array beside what every list shows. */
interface ListOptions {
  readonly fields?: readonly string[];
  readonly filter?: readonly Condition[];
  /** A field, with `-` before it for the greatest first. */
  readonly sort?: string | undefined;
}

/** Asks for all objects of an entity that meet the conditions, with what people know them by and the wanted fields. */
export const objectsRequest = (entity: ShownEntity, { fields = [], filter = [], sort }: ListOptions = {}) =>
  ({
    path: `api/${entity.path}/get`,
    query: {
      Fields: [...new Set([...entity.knownBy, ...fields])].join(','),
      Filter: filter.length > 0 ? JSON.stringify(filter) : undefined,
      Sort: sort,
    },
  }) satisfies ApiRequest;

/** All objects of an entity that meet the conditions. */
export const objectsQuery = (entity: ShownEntity, asked: ListOptions = {}) =>
  queryOptions({
    queryKey: ['objects', entity.key, asked.fields ?? [], asked.filter ?? [], asked.sort ?? ''],
    queryFn: async ({ signal }) =>
      arrayIn((await sendRequest(objectsRequest(entity, asked), { signal })).data),
  });

/** Asks for one object as it is, or as it was at a time, but for the text of a list. */
export const objectRequest = ({ path, side }: ShownEntity, Id: number, AsOf?: string) =>
  ({
    path: `api/${path}/get`,
    query: { Id, AsOf, WithoutText: side === 'list' ? 1 : undefined },
  }) satisfies ApiRequest;

/** One object, but for the text of a list, with the tag that an update sends back to notice others' changes. */
export const objectQuery = (entity: ShownEntity, id: number) =>
  queryOptions({
    queryKey: ['object', entity.key, id],
    queryFn: async ({ signal }) => {
      const { data, headers } = await sendRequest(objectRequest(entity, id), { signal });
      return { object: objectIn(data), tag: headers.get('etag') ?? '' };
    },
  });

export type Operation = 'add' | 'update' | 'activate' | 'deactivate';

interface ChangeOptions {
  /** Tag of the object that the change was made to; another's change meanwhile refuses it. */
  readonly tag?: string | undefined;
  /** Everything is checked, and nothing kept. */
  readonly isTried?: boolean;
  /** An added object starts inactive. */
  readonly isInactive?: boolean;
}

/** What is done with one object, as a request. */
export const changeRequest = (
  { path, wrapper }: ShownEntity,
  operation: Operation,
  values: Values,
  { tag, isTried, isInactive }: ChangeOptions = {},
) =>
  ({
    path: `api/${path}/${operation}`,
    body: { [wrapper]: values },
    ...((isTried || isInactive) && {
      query: { ...(isTried && { DryRun: 1 }), ...(isInactive && { Inactive: 1 }) },
    }),
    ...(tag && { headers: { 'If-Match': tag } }),
  }) satisfies ApiRequest;

interface SendOptions extends ChangeOptions {
  /** Says that a repetition is the same request. */
  readonly key?: string;
  readonly signal?: AbortSignal | undefined;
}

/** Sends values of an object. Rejects with `CallError`, whose faults name the fields. */
export async function sendObject(
  entity: ShownEntity,
  operation: Operation,
  values: Values,
  { key, signal, ...options }: SendOptions = {},
): Promise<SaveResult> {
  const { data, headers } = await sendRequest(changeRequest(entity, operation, values, options), {
    headers: { ...(key && { 'idempotency-key': key }) },
    signal,
  });
  const object = changedIn(data, entity.wrapper);
  // Those about connected pairs have no path: the tab of connections shows them by itself.
  const warnings = (data.Warnings ?? []).filter((warning) => warning.Path !== undefined);
  return { object, warnings, tag: headers.get('etag') ?? '' };
}

/** Activates or deactivates an object, and shows it at once. */
export function useSwitch(entity: ShownEntity) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, isActive }: { readonly id: number; readonly isActive: boolean }) =>
      sendObject(entity, isActive ? 'activate' : 'deactivate', { Id: id }),
    onSuccess: ({ object: { Id, Status, StatusString } }) => {
      const changed = (one: StoredObject) => (one.Id === Id ? { ...one, Status, StatusString } : one);
      client.setQueriesData<readonly StoredObject[]>({ queryKey: ['objects', entity.key] }, (all) =>
        all?.map(changed),
      );
      return client.invalidateQueries({ queryKey: ['object', entity.key, Id] });
    },
  });
}
