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
  readonly UserName: string;
  readonly Entity: string;
  readonly Id: number;
  readonly Operation: 'add' | 'update' | 'activate' | 'deactivate' | 'connect' | 'revoke';
  readonly Changes: readonly FieldChange[];
}

const changesMax = 1000;

/** The changes that fit, the newest first. */
export const historyQuery = (filter: Readonly<Record<string, string | number>>) =>
  queryOptions({
    queryKey: ['history', filter],
    queryFn: async ({ signal }) => {
      const query = { ...filter, Limit: changesMax };
      return (await call<readonly Change[]>('api/history/get', { query, signal })).data.toReversed();
    },
    staleTime: 0,
  });
