import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import type { AddressCounts, AddressTotal } from './interface.ts';

const rowsPerPage = 5000;
const hoursPerDay = 24;

type Row = readonly [...key: (string | number)[], impressions: number, promised: number];

/**
 * The day after which nobody needs a row, and its hour: of that day, or of a viewer, whose impressions count on several
 * days, since 1970.
 */
const timeOf = ({ hour, untilDay }: Pick<AddressCounts, 'hour' | 'untilDay'>) =>
  untilDay === undefined ? [Math.floor(hour / hoursPerDay), hour % hoursPerDay] : [untilDay, hour];
const hourIn = ({ day, hour }: { readonly day: number; readonly hour: number }) =>
  hour < hoursPerDay ? { hour: day * hoursPerDay + hour } : { hour, untilDay: day };

/** Per object, hour and address; sorted alike by all writers, so that they lock in the same order. */
function rowsOf(counted: readonly AddressCounts[]): Row[] {
  const rows = new Map<string, Row>();
  for (const { kind, id, address, impressions, promised, ...time } of counted) {
    const key = [...timeOf(time), kind, id, address];
    const name = JSON.stringify(key);
    const [impressionsBefore = 0, promisedBefore = 0] = (rows.get(name)?.slice(-2) ?? []) as number[];
    rows.set(name, [...key, impressionsBefore + impressions, promisedBefore + promised]);
  }
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

/** Of a day. Others write other hours, or wait for the row. A viewer's hours stand for themselves. */
const dayTotal = sql`, cast(case when hour >= ${sql.lit(hoursPerDay)} then impressions else impressions + coalesce((select sum(o.impressions) from address_impressions o
  where o.day = address_impressions.day and o.kind = address_impressions.kind and o.id = address_impressions.id
    and o.address = address_impressions.address and o.hour <> address_impressions.hour), 0) end as double precision)`;

/** In the counting transaction. Returns the totals if the database is a server. */
export async function addAddresses(
  { rowsIn, pool }: Pick<Database, 'rowsIn' | 'pool'>,
  connection: Kysely<Schema>,
  counted: readonly AddressCounts[],
): Promise<AddressTotal[]> {
  if (counted.length === 0) return [];
  const returning = sql`returning day, hour, kind, id, address ${dayTotal} as impressions`;
  const { rows } = await sql<
    AddressTotal & { day: number }
  >`insert into address_impressions (day, hour, kind, id, address, impressions, promised)
    select cast(value ->> 0 as bigint), cast(value ->> 1 as bigint), value ->> 2, cast(value ->> 3 as bigint),
      value ->> 4, cast(value ->> 5 as bigint), cast(value ->> 6 as bigint)
    from ${rowsIn(JSON.stringify(rowsOf(counted)))} where true
    on conflict (day, kind, id, address, hour) do update
    set impressions = address_impressions.impressions + excluded.impressions,
      promised = address_impressions.promised + excluded.promised
    ${pool ? returning : sql``}`.execute(connection);
  return rows.map(({ day, hour, ...total }) => ({ ...total, ...hourIn({ day, hour }) }));
}

/** Of a day and later ones, by object, address and hour, in pages. */
export async function* readAddresses(
  reader: Kysely<Schema>,
  day: number,
): AsyncGenerator<readonly AddressCounts[]> {
  for (let last = { day, kind: '', id: 0, address: '', hour: 0 }; ; ) {
    const rows = await reader
      .selectFrom('address_impressions')
      .select(['day', 'hour', 'kind', 'id', 'address', 'impressions', 'promised'])
      .where(
        sql<boolean>`(day, kind, id, address, hour) > (${last.day}, ${last.kind}, ${last.id}, ${last.address},
          ${last.hour})`,
      )
      .where(sql<boolean>`(day = ${day} or hour >= ${hoursPerDay})`)
      .orderBy('day')
      .orderBy('kind')
      .orderBy('id')
      .orderBy('address')
      .orderBy('hour')
      .limit(rowsPerPage)
      .execute();
    if (rows.length > 0) {
      yield rows.map(({ day: ofDay, hour, impressions, promised, ...row }) => ({
        ...row,
        ...hourIn({ day: ofDay, hour }),
        impressions: Number(impressions),
        promised: Number(promised),
      }));
    }
    if (rows.length < rowsPerPage) return;
    last = rows.at(-1) ?? last;
  }
}

/** Days before that of `beforeHour`, and earlier hours without impressions. Returns whether more may be left. */
export async function forgetAddresses(
  connection: Kysely<Schema>,
  beforeHour: number,
  rowsMax: number,
): Promise<boolean> {
  const [day, hour] = [Math.floor(beforeHour / hoursPerDay), beforeHour % hoursPerDay];
  const key = sql.raw('day, kind, id, address, hour');
  const old = await sql`delete from address_impressions where (${key}) in (
    select ${key} from address_impressions where day < ${day} limit ${rowsMax}
  ) returning day`.execute(connection);
  const unshown = await sql`delete from address_impressions where (${key}) in (
    select ${key} from address_impressions
    where impressions = 0 and (day, hour) < (${day}, ${hour}) limit ${rowsMax}
  ) returning day`.execute(connection);
  return Math.max(old.rows.length, unshown.rows.length) === rowsMax;
}
