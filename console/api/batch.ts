import type { AnswerTo } from './answers.ts';
import { type ApiRequest, sendRequest } from './call.ts';
import type { Values } from './objects.ts';

export interface ManyChange {
  readonly Entity: string;
  readonly Operation: 'add' | 'update' | 'activate' | 'deactivate';
  readonly Object: Values;
}

export type BatchAnswer = AnswerTo<'api/batch'>;

/** What one of them did: the values that differ, before and after. */
export type ObjectChange = BatchAnswer['Changes'][number];

interface BatchOptions {
  /** Of the bulk change, which can have several requests. */
  readonly id: string;
  /** Nothing is changed. */
  readonly isTried?: boolean;
}

/** Many changes as one request, which leaves out those that are refused. */
export const batchRequest = (Changes: readonly ManyChange[], { id, isTried = false }: BatchOptions) =>
  ({
    path: 'api/batch',
    query: { SkipRefused: 1, ...(isTried && { DryRun: 1 }) },
    body: { BatchId: id, Changes },
  }) satisfies ApiRequest;

/** Makes the changes that are not refused. `part`: which part of the bulk change they are; sent again, it is not done again. */
export async function sendBatch(
  changes: readonly ManyChange[],
  options: BatchOptions & { readonly part: number },
): Promise<BatchAnswer> {
  const headers = { ...(!options.isTried && { 'idempotency-key': `${options.id}-${options.part}` }) };
  return (await sendRequest(batchRequest(changes, options), { headers })).data;
}
