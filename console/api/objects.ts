import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { ShownEntity } from '../field-tables.ts';
import { call } from './call.ts';

/** Values by field name, as the API takes and answers them. */
export type Values = Readonly<Record<string, unknown>>;

/** An object as the API answers it. */
export type Stored = Values & { readonly Id: number };

/** A warning beside an answer: what was done, and will not have the effect that it seems to have. */
export interface Warning {
  readonly Path: string;
  readonly Message: string;
}

/** What a change comes to. */
export interface Saved {
  readonly object: Stored;
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
interface Asked {
  readonly fields?: readonly string[];
  readonly filter?: readonly Condition[];
}

/** What people know an object by. */
const knownBy: readonly string[] = ['Id', 'Name', 'Username', 'Mail', 'Status', 'StatusString'];

function fieldsToAsk({ fields, owner }: ShownEntity, wanted: readonly string[]): string {
  const named = [...knownBy, ...(owner ? [owner.field, `${owner.entity}Name`] : []), ...wanted];
  const existing = new Set(fields.map(({ name }) => name));
  return [...new Set(named)].filter((name) => existing.has(name)).join(',');
}

/** All objects of an entity that meet the conditions, with what people know them by and the wanted fields. */
export const objectsQuery = (entity: ShownEntity, { fields = [], filter = [] }: Asked = {}) =>
  queryOptions({
    queryKey: ['objects', entity.key, fields, filter],
    queryFn: async ({ signal }) => {
      const query = {
        Fields: fieldsToAsk(entity, fields),
        Filter: filter.length > 0 ? JSON.stringify(filter) : undefined,
      };
      return (await call<readonly Stored[]>(`api/${entity.path}/get`, { query, signal })).data;
    },
  });

/** One object, but for the text of a list, with the tag that an update sends back to notice others' changes. */
export const objectQuery = (entity: ShownEntity, id: number) =>
  queryOptions({
    queryKey: ['object', entity.key, id],
    queryFn: async ({ signal }) => {
      const query = { Id: id, WithoutText: entity.side === 'list' ? 1 : undefined };
      const { data, headers } = await call<Stored>(`api/${entity.path}/get`, { query, signal });
      return { object: data, tag: headers.get('etag') ?? '' };
    },
  });

interface Wrapped {
  readonly Warnings?: readonly Warning[];
  readonly [wrapper: string]: unknown;
}

/** What is done with one object. */
export type Operation = 'add' | 'update' | 'activate' | 'deactivate';

interface SendOptions {
  /** Tag of the object that the change was made to; another's change meanwhile refuses it. */
  readonly tag?: string;
  /** Everything is checked, and nothing kept. */
  readonly isTried?: boolean;
  /** Says that a repetition is the same request. */
  readonly key?: string;
  readonly signal?: AbortSignal | undefined;
}

/** Sends values of an object. Rejects with `CallError`, whose faults name the fields. */
export async function sendObject(
  { path, wrapper }: ShownEntity,
  operation: Operation,
  values: Values,
  { tag, isTried, key, signal }: SendOptions = {},
): Promise<Saved> {
  const { data, headers } = await call<Wrapped>(`api/${path}/${operation}`, {
    body: { [wrapper]: values },
    query: { DryRun: isTried ? 1 : undefined },
    headers: { ...(tag && { 'if-match': tag }), ...(key && { 'idempotency-key': key }) },
    signal,
  });
  return { object: data[wrapper] as Stored, warnings: data.Warnings ?? [], tag: headers.get('etag') ?? '' };
}

/** Activates or deactivates an object, and shows it at once. */
export function useSwitch(entity: ShownEntity) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, isActive }: { readonly id: number; readonly isActive: boolean }) =>
      sendObject(entity, isActive ? 'activate' : 'deactivate', { Id: id }),
    onSuccess: ({ object: { Id, Status, StatusString } }) => {
      const changed = (one: Stored) => (one.Id === Id ? { ...one, Status, StatusString } : one);
      client.setQueriesData<readonly Stored[]>({ queryKey: ['objects', entity.key] }, (all) =>
        all?.map(changed),
      );
      return client.invalidateQueries({ queryKey: ['object', entity.key, Id] });
    },
  });
}
