import { queryOptions } from '@tanstack/react-query';
import type { AnswerTo } from '../../api/answers.ts';
import { call, pollHeaders } from '../../api/call.ts';

/** A report, or what an alert tells, on its way or there. */
export type Sending = AnswerTo<`api/${string}/sendings`>[number];

const pollMs = 15_000;

/** The last sendings of all objects of a kind, or of one, the newest first; asked for again by itself. */
export const sendingsQuery = <Path extends `api/${string}/sendings`>(path: Path, Id?: number) =>
  queryOptions({
    queryKey: ['sendings', path, Id ?? 0],
    queryFn: async ({ signal }) =>
      (
        await call(path, {
          query: Id === undefined ? {} : { Id },
          signal,
          headers: pollHeaders,
        })
      ).data,
    refetchInterval: pollMs,
  });
