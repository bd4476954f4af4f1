import { type Kysely, sql } from 'kysely';
import { cell } from '../database/cell.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import type { KeptPromise, KeptPromises, KeptPromisesOf } from './interface.ts';

/** A row per process, object and minute of a batch, which no other batch writes to. */
export async function keepPromises(
  database: Pick<Database, 'rowsIn'>,
  connection: Kysely<Schema>,
  kept: readonly KeptPromise[],
): Promise<void> {
  if (kept.length === 0) return;
  const sums = new Map<string, { readonly key: readonly unknown[]; impressions: number; nanos: number }>();
  for (const { holder, to, minute, kind, id, nanos } of kept) {
    const key = [holder, to, minute, kind, id];
    const name = JSON.stringify(key);
    const sum = sums.get(name) ?? { key, impressions: 0, nanos: 0 };
    sums.set(name, sum);
    sum.impressions += 1;
    sum.nanos += nanos;
  }
  const rows = [...sums.values()].map(({ key, impressions, nanos }) => [...key, impressions, nanos]);
  const types = ['bigint', 'text', 'bigint', 'text', 'bigint', 'bigint', 'bigint'] as const;
  const cells = types.map((type, index) => cell(index, type));
  await sql`insert into kept_promise (holder, "to", minute, kind, id, impressions, nanos)
    select ${sql.join(cells)} from ${database.rowsIn(JSON.stringify(rows))} where true`.execute(connection);
}

/** See `StatisticsStore.keptPromises`. */
export async function keptPromises(reader: Kysely<Schema>, of: KeptPromisesOf): Promise<KeptPromises[]> {
  const rows = await reader
    .selectFrom('kept_promise')
    .select(['minute', 'kind', 'id'])
    .select(({ fn }) => [
      fn.sum<number>('impressions').as('impressions'),
      fn.sum<number>('nanos').as('nanos'),
    ])
    .where('holder', '=', of.holder)
    .where('to', '=', of.to)
    .where('minute', '>=', of.fromMinute)
    .where('minute', '<', of.beforeMinute)
    .groupBy(['minute', 'kind', 'id'])
    .execute();
  return rows.map(({ minute, kind, id, impressions, nanos }) => ({
    minute: Number(minute),
    kind,
    id,
    impressions: Number(impressions),
    nanos: Number(nanos),
  }));
}

/** See `StatisticsStore.forgetKeptPromises`. */
export async function forgetKeptPromises(connection: Kysely<Schema>, of: KeptPromisesOf): Promise<void> {
  await connection
    .deleteFrom('kept_promise')
    .where('holder', '=', of.holder)
    .where('to', '=', of.to)
    .where('minute', '>=', of.fromMinute)
    .where('minute', '<', of.beforeMinute)
    .execute();
}
