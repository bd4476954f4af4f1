import { queryOptions } from '@tanstack/react-query';
import type { AnswerTo } from '../../api/answers.ts';
import { call } from '../../api/call.ts';

export type Change = AnswerTo<'api/history/get'>[number];

export type FieldChange = Change['Changes'][number];

const changesMax = 1000;

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
  const { data, headers } = await call('api/history/get', { query, signal });
  return { changes: data, next: headers.get('bourse-cursor') ?? undefined };
}

/** The last changes that fit, the newest first. */
export const historyQuery = (filter: HistoryFilter, limit = changesMax) =>
  queryOptions({
    queryKey: ['history', filter, limit],
    queryFn: async ({ signal }) => (await fetchChanges(filter, { Limit: limit, signal })).changes,
    staleTime: 0,
  });
