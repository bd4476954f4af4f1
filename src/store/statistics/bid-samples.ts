import { type Kysely, sql } from 'kysely';
import { cell } from '../database/cell.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import type { BidSamples } from './bid-samples-interface.ts';
import type { ObjectKey } from './interface.ts';

const hoursPerDay = 24;
const rowsForgottenMax = 1000;
/** More than a day of all countries; processes that keep restarting make more rows. */
const rowsReadMax = 20_000;

const key = sql.raw('day, kind, id, hour, country, writer');

/** Replaces the writer's samples of the same hours. */
export async function keepBidSamples(
  { rowsIn }: Pick<Database, 'rowsIn'>,
  connection: Kysely<Schema>,
  writer: string,
  samples: readonly BidSamples[],
): Promise<void> {
  if (samples.length === 0) return;
  const rows = samples.map(({ hour, kind, id, country, auctions, sampled }) => [
    Math.floor(hour / hoursPerDay),
    kind,
    id,
    hour,
    country,
    auctions,
    JSON.stringify(sampled),
  ]);
  await sql`insert into bid_sample (day, kind, id, hour, country, auctions, sampled, writer)
    select ${cell(0, 'bigint')}, ${cell(1, 'text')}, ${cell(2, 'bigint')}, ${cell(3, 'bigint')}, ${cell(4, 'text')},
      ${cell(5, 'bigint')}, ${cell(6, 'text')}, cast(${writer} as text)
    from ${rowsIn(JSON.stringify(rows))} where true
    on conflict (${key}) do update set auctions = excluded.auctions, sampled = excluded.sampled`.execute(
    connection,
  );
}

/** Of a supply object on a day, by all writers, in the order of time. */
export async function readBidSamples(
  reader: Kysely<Schema>,
  { kind, id }: ObjectKey,
  day: number,
): Promise<BidSamples[]> {
  const rows = await reader
    .selectFrom('bid_sample')
    .select(['hour', 'country', 'auctions', 'sampled'])
    .where('day', '=', day)
    .where('kind', '=', kind)
    .where('id', '=', id)
    .orderBy('hour')
    .orderBy('country')
    .orderBy('writer')
    .limit(rowsReadMax)
    .execute();
  return rows.map(({ hour, country, auctions, sampled }) => ({
    hour,
    kind,
    id,
    country,
    auctions: Number(auctions),
    sampled: JSON.parse(sampled) as number[][],
  }));
}

/** Returns whether more may be left. */
export async function forgetBidSamples(connection: Kysely<Schema>, beforeDay: number): Promise<boolean> {
  const { rows } = await sql`delete from bid_sample where (${key}) in (
    select ${key} from bid_sample where day < ${beforeDay} limit ${rowsForgottenMax}
  ) returning day`.execute(connection);
  return rows.length === rowsForgottenMax;
}
