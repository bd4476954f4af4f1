import { type Kysely, sql } from 'kysely';
import type { Database } from './database.ts';
import type { Schema } from './schema.ts';
import type { AddressImpression, AddressImpressions } from './statistics-interface.ts';

const rowsPerPage = 5000;

const keyOf = ({ day, kind, id, address }: AddressImpression) => JSON.stringify([day, kind, id, address]);

/** One row for each object, day and address. All writers sort, and so lock, the rows in the same order. */
function rowsOf(impressions: readonly AddressImpression[]): (string | number)[][] {
  const counted = new Map<string, (string | number)[]>();
  for (const one of impressions) {
    const { day, kind, id, address } = one;
    const before = Number(counted.get(keyOf(one))?.at(-1) ?? 0);
    counted.set(keyOf(one), [day, kind, id, address, before + 1]);
  }
  return [...counted].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

/** Adds impressions to their addresses, in the transaction that counts them. */
export async function addAddressImpressions(
  database: Pick<Database, 'rowsIn'>,
  connection: Kysely<Schema>,
  impressions: readonly AddressImpression[],
): Promise<void> {
  if (impressions.length === 0) return;
  await sql`insert into address_impressions (day, kind, id, address, impressions)
    select cast(value ->> 0 as bigint), value ->> 1, cast(value ->> 2 as bigint), value ->> 3,
      cast(value ->> 4 as bigint)
    from ${database.rowsIn(JSON.stringify(rowsOf(impressions)))} where true
    on conflict (day, kind, id, address) do update
    set impressions = address_impressions.impressions + excluded.impressions`.execute(connection);
}

/** Impressions of a day by object and address, page by page. */
export async function* readAddressImpressions(
  reader: Kysely<Schema>,
  day: number,
): AsyncGenerator<readonly AddressImpressions[]> {
  for (let last = { kind: '', id: 0, address: '' }; ; ) {
    const rows = await reader
      .selectFrom('address_impressions')
      .select(['day', 'kind', 'id', 'address', 'impressions'])
      .where('day', '=', day)
      .where(sql<boolean>`(kind, id, address) > (${last.kind}, ${last.id}, ${last.address})`)
      .orderBy('kind')
      .orderBy('id')
      .orderBy('address')
      .limit(rowsPerPage)
      .execute();
    if (rows.length > 0) yield rows.map((row) => ({ ...row, impressions: Number(row.impressions) }));
    if (rows.length < rowsPerPage) return;
    last = rows.at(-1) ?? last;
  }
}

/** Deletes at most `rowsMax` addresses of days before `beforeDay`. Answers whether more may be left. */
export async function forgetAddresses(
  connection: Kysely<Schema>,
  beforeDay: number,
  rowsMax: number,
): Promise<boolean> {
  const { rows } = await sql`delete from address_impressions where (day, kind, id, address) in (
    select day, kind, id, address from address_impressions where day < ${beforeDay} limit ${rowsMax}
  ) returning day`.execute(connection);
  return rows.length === rowsMax;
}
