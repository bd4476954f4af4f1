import { type Kysely, sql } from 'kysely';
import { cell } from '../database/cell.ts';
import type { Database } from '../database/database.ts';
import type { CountColumns, Schema } from '../database/schema.ts';
import { tableOf } from '../database/tables.ts';
import { readAddresses } from './address-counts.ts';
import { countColumns, countsOf } from './count-rows.ts';
import type { CountedObject, DayRange, ObjectKey, OpenPromises, StatisticsStore } from './interface.ts';

/** The counts as doubles, as JavaScript's numbers are; beyond 2^53 they are rounded. */
const counts = sql.join(
  countColumns.map(([column]) => sql`cast(${sql.ref(column)} as double precision) as ${sql.ref(column)}`),
);

const hoursPerDay = 24;

const within = ({ fromDay, toDay }: DayRange) => sql`day between ${fromDay} and ${toDay}`;

interface DayRow extends CountColumns, ObjectKey {
  readonly day: number;
}

interface HourRow extends CountColumns {
  readonly day: number;
  readonly hour: number;
  readonly demand_kind: string;
  readonly demand_id: number;
}

/** Small enough that reading a page keeps nothing else waiting. */
const objectsPerPage = 250;

async function spentByCampaigns(reader: Kysely<Schema>): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; total: number }>`
    select id, cast(sum(revenue_nanos) as double precision) as total
    from statistic_day where kind = 'Campaign' group by id`.execute(reader);
  return new Map(rows.map(({ id, total }) => [id, total]));
}

async function* countedOn(reader: Kysely<Schema>, day: number): AsyncGenerator<readonly CountedObject[]> {
  for (let last: ObjectKey = { kind: '', id: 0 }; ; ) {
    const { rows } = await sql<DayRow>`select kind, id, ${counts} from statistic_day
      where day = ${day} and (kind, id) > (${last.kind}, ${last.id})
      order by kind, id limit ${objectsPerPage}`.execute(reader);
    if (rows.length > 0) yield rows.map((row) => ({ kind: row.kind, id: row.id, counts: countsOf(row) }));
    if (rows.length < objectsPerPage) return;
    last = rows.at(-1) ?? last;
  }
}

interface PromisedRow extends Pick<CountColumns, 'promised' | 'promised_nanos'>, ObjectKey {
  readonly day: number;
  readonly hour: number;
  readonly supply_kind: string;
}

/** Supply and demand objects have separate rows for their promises; the rows of supply objects name no demand. */
async function promisedSince(reader: Kysely<Schema>, since: number): Promise<OpenPromises[]> {
  const [day, hour] = [Math.floor(since / hoursPerDay), since % hoursPerDay];
  const { rows } = await sql<PromisedRow>`
    select day, hour, supply_kind, case demand_kind when '' then supply_kind else demand_kind end as kind,
      case demand_kind when '' then supply_id else demand_id end as id,
      cast(sum(promised) as double precision) as promised,
      cast(sum(promised_nanos) as double precision) as promised_nanos
    from statistic_hour where (day, hour) >= (${day}, ${hour}) and (promised <> 0 or promised_nanos <> 0)
    group by 1, 2, 3, 4, 5 having sum(promised) > 0 or sum(promised_nanos) > 0`.execute(reader);
  return rows.map(({ kind, id, supply_kind, promised, promised_nanos, ...row }) => ({
    ...{ kind, id, hour: row.day * hoursPerDay + row.hour, supplyKind: supply_kind },
    ...{ promised, promisedNanos: promised_nanos },
  }));
}

/**
 * Reads the IDs first, then only the lots that are not known: a caller that asks every second knows most of them, and
 * their JSON is long.
 */
function lotsAfter({
  reader,
  rowsIn,
}: Pick<Database, 'reader' | 'rowsIn'>): StatisticsStore['requestsAfter'] {
  return async (timeMs, isKnown = () => false) => {
    const ids = await reader.selectFrom('statistic_flush').select('id').where('time', '>', timeMs).execute();
    const fresh = ids.flatMap(({ id }) => (isKnown(id) ? [] : [[id]]));
    if (fresh.length === 0) return [];
    const { rows } = await sql<{ id: string; time: number; requests: string }>`
      select f.id, f.time, f.requests from ${rowsIn(JSON.stringify(fresh))} cross join statistic_flush f
      where f.id = ${cell(0, 'text')} order by f.time`.execute(reader);
    return rows.map(({ id, time, requests }) => {
      return { id, timeMs: Number(time), requests: JSON.parse(requests) };
    });
  };
}

/** The reads of the statistics. */
export function statisticsReads(
  database: Pick<Database, 'reader' | 'idsIn' | 'rowsIn'>,
): Omit<StatisticsStore, 'add' | 'bill' | 'forget' | 'forgetHours'> {
  const { reader, idsIn } = database;
  return {
    async days(kind, ids, range) {
      const wanted = ids.length === 1 ? sql`= ${ids[0]}` : sql`in ${idsIn(JSON.stringify(ids))}`;
      const { rows } = await sql<DayRow>`select id, day, ${counts} from statistic_day
        where kind = ${kind} and id ${wanted} and ${within(range)} order by id, day`.execute(reader);
      return rows.map((row) => ({ id: row.id, day: row.day, counts: countsOf(row) }));
    },
    async subIds(supply, range) {
      const { rows } = await sql<CountColumns & { day: number; sub_id: string }>`
        select day, sub_id, ${counts} from statistic_sub_id
        where kind = ${supply.kind} and id = ${supply.id} and ${within(range)}`.execute(reader);
      // Sorted here, because databases differ in how they order texts.
      return rows
        .map((row) => ({ day: row.day, supply, subId: row.sub_id, counts: countsOf(row) }))
        .sort((a, b) => a.day - b.day || (a.subId < b.subId ? -1 : 1));
    },
    async hours(supply, range) {
      const { rows } = await sql<HourRow>`select day, hour, demand_kind, demand_id, ${counts}
        from statistic_hour where supply_kind = ${supply.kind} and supply_id = ${supply.id}
          and ${within(range)} order by day, hour, demand_kind, demand_id`.execute(reader);
      return rows.map((row) => ({
        hour: row.day * hoursPerDay + row.hour,
        supply,
        demand: row.demand_kind === '' ? undefined : { kind: row.demand_kind, id: row.demand_id },
        counts: countsOf(row),
      }));
    },
    countedOn: (day) => countedOn(reader, day),
    promisedSince: (hour) => promisedSince(reader, hour),
    spentByCampaigns: () => spentByCampaigns(reader),
    addresses: (day) => readAddresses(reader, day),
    async isCountedSince(day) {
      const query = reader.selectFrom('statistic_day').select('day').where('day', '>=', day).limit(1);
      return (await query.executeTakeFirst()) !== undefined;
    },
    requestsAfter: lotsAfter(database),
    account: (kind, username) =>
      reader
        .selectFrom(tableOf(kind))
        .select([
          'id',
          'team_id as teamId',
          (of) => of.fn.coalesce('stats_auth', sql.lit('')).as('statsAuth'),
        ])
        .where('username', '=', username)
        .executeTakeFirst(),
  };
}
