import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import type { ShownEntity } from '../field-tables.ts';
import { offerUndo } from '../shell/notices.ts';
import {
  arrayIn,
  type Changed,
  changedIn,
  objectIn,
  type Stored as StoredObject,
  type Values,
} from './answers.ts';
import { type ApiRequest, sendRequest } from './call.ts';
import { rowsIn } from './values.ts';

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
export interface ListOptions {
  readonly fields?: readonly string[];
  readonly filter?: readonly Condition[];
  /** A field, with `-` before it for the greatest first. */
  readonly sort?: string | undefined;
  /** Each word must occur in name, ID or owner's name. */
  readonly words?: string | undefined;
}

/** Asks for all objects of an entity that meet the conditions, with what people know them by and the wanted fields. */
export const objectsRequest = (
  entity: ShownEntity,
  { fields = [], filter = [], sort, words }: ListOptions = {},
) =>
  ({
    path: `api/${entity.path}/get`,
    query: {
      Fields: [...new Set([...entity.knownBy, ...fields])].join(','),
      Filter: filter.length > 0 ? JSON.stringify(filter) : undefined,
      Sort: sort,
      Query: words,
    },
  }) satisfies ApiRequest;

/** All objects of an entity that meet the conditions. */
export const objectsQuery = (entity: ShownEntity, asked: ListOptions = {}) =>
  queryOptions({
    queryKey: [
      'objects',
      entity.key,
      asked.fields ?? [],
      asked.filter ?? [],
      asked.sort ?? '',
      asked.words ?? '',
    ],
    queryFn: async ({ signal }) =>
      arrayIn((await sendRequest(objectsRequest(entity, asked), { signal })).data),
  });

/** More are not asked for by their IDs. */
const askedByIdMax = 300;

/** These objects and, where they are many, maybe others: as they are now. */
export const currentObjects = (
  client: QueryClient,
  entity: ShownEntity,
  ids: readonly number[],
  fields: readonly string[],
): Promise<readonly StoredObject[]> => {
  const filter = ids.length > askedByIdMax ? [] : [{ Field: 'Id', Operator: 'in', Values: ids }];
  return client.fetchQuery({ ...objectsQuery(entity, { fields, filter }), staleTime: 0 });
};

const objectsPerPage = 500;

/** A page of a list, and how many objects all pages have. */
interface ObjectPage {
  readonly objects: readonly StoredObject[];
  readonly total: number;
  readonly cursor: string | undefined;
}

/** The objects of an entity that meet the conditions, page by page in the server's order. */
export const objectPagesQuery = (entity: ShownEntity, asked: ListOptions) =>
  infiniteQueryOptions({
    queryKey: ['objects', entity.key, 'pages', asked],
    async queryFn({ signal, pageParam }): Promise<ObjectPage> {
      const request = objectsRequest(entity, asked);
      const query = { ...request.query, Limit: objectsPerPage, Cursor: pageParam };
      const { data, headers } = await sendRequest({ ...request, query }, { signal });
      return {
        objects: arrayIn(data),
        total: Number(headers.get('bourse-total')),
        cursor: headers.get('bourse-cursor') ?? undefined,
      };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor,
  });

/** How many objects of an entity there are. */
export const objectCountQuery = (entity: ShownEntity) =>
  queryOptions({
    queryKey: ['objects', entity.key, 'count'],
    async queryFn({ signal }) {
      const request = objectsRequest(entity);
      const { headers } = await sendRequest({ ...request, query: { Fields: 'Id', Limit: 1 } }, { signal });
      return Number(headers.get('bourse-total'));
    },
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
  return { object, warnings: ownWarnings(data), tag: headers.get('etag') ?? '' };
}

/** Those about connected pairs have no path: the tab of connections shows them by itself. */
const ownWarnings = ({ Warnings = [] }: Changed): readonly Warning[] =>
  Warnings.filter((warning) => warning.Path !== undefined);

/** What the server warns of in an object as it is stored. */
export async function storedWarnings(
  { path }: ShownEntity,
  id: number,
  signal: AbortSignal,
): Promise<readonly Warning[]> {
  const request = { path: `api/${path}/get`, query: { Id: id, Warnings: 1 } } as const;
  const { data } = await sendRequest(request, { signal });
  return rowsIn(objectIn(data).Warnings).flatMap(({ Path, Message, Blocking }) =>
    typeof Path === 'string' && typeof Message === 'string'
      ? [{ Path, Message, ...(Blocking === 1 && { Blocking: 1 as const }) }]
      : [],
  );
}

type Listed = readonly StoredObject[] | InfiniteData<ObjectPage> | number;

/** What was asked of lists, with each object changed. */
function withChanged(
  all: Listed | undefined,
  changed: (one: StoredObject) => StoredObject,
): Listed | undefined {
  if (all === undefined || typeof all === 'number') return all;
  if (!('pages' in all)) return all.map(changed);
  return { ...all, pages: all.pages.map((page) => ({ ...page, objects: page.objects.map(changed) })) };
}

interface StatusChange {
  readonly id: number;
  /** What the notice calls it. */
  readonly name: string;
  readonly isActive: boolean;
}

/** Activates or deactivates an object, and shows it at once. */
async function setStatus(
  client: QueryClient,
  entity: ShownEntity,
  id: number,
  isActive: boolean,
): Promise<void> {
  const { object } = await sendObject(entity, isActive ? 'activate' : 'deactivate', { Id: id });
  const { Status, StatusString } = object;
  const changed = (one: StoredObject) => (one.Id === id ? { ...one, Status, StatusString } : one);
  client.setQueriesData<Listed>({ queryKey: ['objects', entity.key] }, (all) => withChanged(all, changed));
  await client.invalidateQueries({ queryKey: ['object', entity.key, id] });
}

/** Activates or deactivates an object, and offers to undo it. */
async function switchObject(
  client: QueryClient,
  entity: ShownEntity,
  { id, name, isActive }: StatusChange,
): Promise<void> {
  const deed = (isOn: boolean) => ({
    text: `${name} was ${isOn ? 'activated' : 'deactivated'}`,
    run: () => setStatus(client, entity, id, isOn),
  });
  await deed(isActive).run();
  offerUndo(deed(isActive), deed(!isActive));
}

export function useSwitch(entity: ShownEntity) {
  const client = useQueryClient();
  return useMutation({ mutationFn: (change: StatusChange) => switchObject(client, entity, change) });
}
