import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

/** What a change did to one field. */
export interface FieldChange {
  readonly Field: string;
  readonly Old?: unknown;
  readonly New?: unknown;
  readonly Added?: readonly number[];
  readonly Removed?: readonly number[];
  readonly Written?: 1;
}

/** One change of an object. */
export interface Change {
  readonly Revision: number;
  readonly Time: string;
  readonly UserId: number;
  readonly UserName: string;
  readonly Entity: string;
  readonly Id: number;
  readonly Operation: 'add' | 'update' | 'activate' | 'deactivate' | 'connect' | 'revoke' | 'rotate';
  readonly Changes: readonly FieldChange[];
}

const changesMax = 1000;

/** What a history is asked for. */
export type HistoryFilter = Readonly<Record<string, string | number | undefined>>;

/** A page of a history, and where the next one begins. */
export interface ChangesPage {
  readonly changes: readonly Change[];
  /** Undefined on the last page. */
  readonly next: string | undefined;
}

/** The changes that fit, the newest first, a page at a time. */
export async function fetchChanges(
  filter: HistoryFilter,
  { Limit, Cursor, signal }: { Limit: number; Cursor?: string | undefined; signal: AbortSignal },
): Promise<ChangesPage> {
  const query = { ...filter, Order: 'newest', Limit, Cursor };
  const { data, headers } = await call<readonly Change[]>('api/history/get', { query, signal });
  return { changes: data, next: headers.get('bourse-cursor') ?? undefined };
}

/** The last changes that fit, the newest first. */
export const historyQuery = (filter: HistoryFilter) =>
  queryOptions({
    queryKey: ['history', filter],
    queryFn: async ({ signal }) => (await fetchChanges(filter, { Limit: changesMax, signal })).changes,
    staleTime: 0,
  });
