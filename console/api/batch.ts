import { call } from './call.ts';
import type { Values } from './objects.ts';

/** One of many changes that are made as one. */
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

/** Makes all of the changes or none; with `isTried` none, but answers what they would do. */
export async function changeMany(
  Changes: readonly ManyChange[],
  isTried: boolean,
): Promise<readonly Changed[]> {
  if (Changes.length === 0) return [];
  const { data } = await call<{ readonly Changes: readonly Changed[] }>('api/batch', {
    body: { Changes },
    query: { DryRun: isTried ? 1 : undefined },
    headers: isTried ? {} : { 'idempotency-key': crypto.randomUUID() },
  });
  return data.Changes;
}
