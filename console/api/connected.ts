import { infiniteQueryOptions } from '@tanstack/react-query';
import type { ShownEntity } from '../field-tables.ts';
import type { AnswerTo } from './answers.ts';
import { call } from './call.ts';

/** An object that a field names, or could name. */
export type Candidate = AnswerTo<`api/${string}/connected`>[number];

interface CandidateQuestion {
  readonly id: number;
  readonly field: string;
  readonly query?: string;
  readonly isConnected: boolean;
}

const perPage = 50;

/** Objects that a field names, or does not name, by page; as many as there are. */
export const connectedQuery = (
  { key, path }: ShownEntity,
  { id, field, query = '', isConnected }: CandidateQuestion,
) =>
  infiniteQueryOptions({
    queryKey: ['connected', key, id, field, query, isConnected],
    initialPageParam: '',
    async queryFn({ pageParam, signal }) {
      const asked = { Id: id, Field: field, Query: query, Connected: isConnected ? 1 : 0 };
      const { data, headers } = await call(`api/${path}/connected`, {
        query: { ...asked, Limit: perPage, Cursor: pageParam },
        signal,
      });
      return {
        rows: data,
        next: headers.get('bourse-cursor') ?? undefined,
        total: Number(headers.get('bourse-total') ?? data.length),
      };
    },
    getNextPageParam: ({ next }) => next,
  });
