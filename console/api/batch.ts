import { type ApiRequest, sendRequest } from './call.ts';
import type { Values } from './objects.ts';

export interface ManyChange {
  readonly Entity: string;
  readonly Operation: 'add' | 'update' | 'activate' | 'deactivate';
  readonly Object: Values;
}

/** What one of them did: the values that differ, before and after. */
export interface Changed {
  readonly Entity: string;
  readonly Id: number;
  readonly Operation: ManyChange['Operation'];
  readonly Before: Values;
  readonly After: Values;
}

/** Many changes as one request; with `isTried` one that changes nothing. */
export const batchRequest = (Changes: readonly ManyChange[], isTried = false): ApiRequest => ({
  path: 'api/batch',
  body: { Changes },
  ...(isTried && { query: { DryRun: 1 } }),
});

/** Makes all of the changes or none; with `isTried` none, but answers what they would do. */
export async function changeMany(
  changes: readonly ManyChange[],
  isTried: boolean,
): Promise<readonly Changed[]> {
  if (changes.length === 0) return [];
  const { data } = await sendRequest<{ readonly Changes: readonly Changed[] }>(
    batchRequest(changes, isTried),
    { headers: isTried ? {} : { 'idempotency-key': crypto.randomUUID() } },
  );
  return data.Changes;
}
