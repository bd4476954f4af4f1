import { queryOptions } from '@tanstack/react-query';
import { call, pollHeaders } from '../../api/call.ts';
import type { ShownEntity } from '../../field-tables.ts';

/** A report, or what an alert tells, on its way or there. */
export interface Sending {
  readonly Id: number;
  readonly ReportId?: number;
  readonly Channel: 'mail' | 'webhook';
  readonly To: string;
  readonly Due: string;
  readonly State: 'waiting' | 'sent' | 'failed';
  readonly Attempts: number;
  /** `""` where there was none, or is none to come. */
  readonly LastAttempt: string;
  readonly NextAttempt: string;
  readonly Error: string;
}

const pollMs = 15_000;

/** The last sendings of all objects of a kind, or of one, the newest first; asked for again by itself. */
export const sendingsQuery = ({ path }: ShownEntity, Id?: number) =>
  queryOptions({
    queryKey: ['sendings', path, Id ?? 0],
    queryFn: async ({ signal }) =>
      (
        await call<readonly Sending[]>(`api/${path}/sendings`, {
          query: Id === undefined ? {} : { Id },
          signal,
          headers: pollHeaders,
        })
      ).data,
    refetchInterval: pollMs,
  });
