import type { AnswerTo } from './answers.ts';
import { type ApiRequest, sendRequest } from './call.ts';
import type { Values } from './objects.ts';

export interface ManyChange {
  readonly Entity: string;
  readonly Operation: 'add' | 'update' | 'activate' | 'deactivate';
  readonly Object: Values;
}

/** What one of them did: the values that differ, before and after. */
export type ObjectChange = AnswerTo<'api/batch'>['Changes'][number];

/** Many changes as one request; with `isTried` one that changes nothing. */
export const batchRequest = (Changes: readonly ManyChange[], isTried = false) =>
  ({
    path: 'api/batch',
    body: { Changes },
    ...(isTried && { query: { DryRun: 1 } }),
  }) satisfies ApiRequest;

/** Makes all of the changes or none; with `isTried` none, but answers what they would do. */
export async function changeMany(
  changes: readonly ManyChange[],
  isTried: boolean,
): Promise<readonly ObjectChange[]> {
  if (changes.length === 0) return [];
  const { data } = await sendRequest(batchRequest(changes, isTried), {
    headers: isTried ? {} : { 'idempotency-key': crypto.randomUUID() },
  });
  return data.Changes;
}
