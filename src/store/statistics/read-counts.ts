import { type Kysely, sql } from 'kysely';
import { formerSecretsIn } from '../../entities/former-secrets.ts';
import type { CountsIn, CountTableName } from '../../reference/counters.ts';
import { cell } from '../database/cell.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { tableOf } from '../database/tables.ts';
import { readAddresses } from './address-counts.ts';
import { askCube, cubeStarts } from './ask-cubes.ts';
import { countColumns } from './count-columns.ts';
import { busiestObjects, objectHours, pairHours, pairHoursOf, pairs, teamHour } from './hour-sums.ts';
import type {
  DayRange,
  ObjectCost,
  ObjectDayCounts,
  ObjectKey,
  OpenPromises,
  StatisticsStore,
} from './interface.ts';
import { keptPromises } from './kept-promises.ts';
import { leftFacts, withOwners } from './left-facts.ts';
import type { NoticeStore } from './notices-interface.ts';
import { lateHours, shippedProcesses, takenUntil } from './shipped.ts';

/** As doubles, like JavaScript's numbers; beyond 2^53 they are rounded. */
const counts = (by: CountTableName) =>
  sql.join(
    countColumns(by).map(
      ({ column, name }) => sql`cast(${sql.ref(column)} as double precision) as ${sql.ref(name)}`,
    ),
  );
const countsIn = { day: counts('day'), subId: counts('subId') };

const within = ({ fromDay, toDay }: DayRange) => sql`day between ${fromDay} and ${toDay}`;

/** Small enough that reading a page keeps nothing else waiting. */
const objectsPerPage = 250;

async function totalCosts(reader: Kysely<Schema>, kinds: readonly string[]): Promise<ObjectCost[]> {
  if (kinds.length === 0) return [];
  const { rows } = await sql<ObjectCost>`
    select kind, id, cast(sum(revenue_nanos) as double precision) as "totalNanos"
    from statistic_day where kind in (${sql.join(kinds)}) group by kind, id`.execute(reader);
  return rows;
}

async function* countedOn(reader: Kysely<Schema>, day: number): AsyncGenerator<readonly ObjectDayCounts[]> {
  for (let last: ObjectKey = { kind: '', id: 0 }; ; ) {
    const { rows } = await sql<
      CountsIn<'day'> & ObjectKey
    >`select kind, id, ${countsIn.day} from statistic_day
      where day = ${day} and (kind, id) > (${last.kind}, ${last.id})
      order by kind, id limit ${objectsPerPage}`.execute(reader);
    if (rows.length > 0) yield rows.map(({ kind, id, ...counts }) => ({ kind, id, counts }));
    if (rows.length < objectsPerPage) return;
    last = rows.at(-1) ?? last;
  }
}

interface PromisedRow extends Pick<CountsIn<'pair'>, 'promised' | 'promisedNanos'>, ObjectKey {
  readonly slot: number;
  readonly supply_kind: string;
}

/** Supply and demand have separate rows for promises; those of supply name no demand. */
async function promisedSince(reader: Kysely<Schema>, since: number): Promise<OpenPromises[]> {
  const { rows } = await sql<PromisedRow>`
    select slot, supply_kind, case demand_kind when '' then supply_kind else demand_kind end as kind,
      case demand_kind when '' then supply_id else demand_id end as id,
      cast(sum(promised) as double precision) as promised,
      cast(sum(promised_nanos) as double precision) as ${sql.ref('promisedNanos')}
    from ${pairHours} where slot >= ${since} and (promised <> 0 or promised_nanos <> 0)
    group by 1, 2, 3, 4 having sum(promised) > 0 or sum(promised_nanos) > 0`.execute(reader);
  return rows.map(({ slot, supply_kind: supplyKind, ...row }) => ({
    ...row,
    hour: Number(slot),
    supplyKind,
  }));
}

/** IDs first, then only unknown batches: a caller that asks every second knows most, and their JSON is long. */
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

async function isCountedSince(reader: Kysely<Schema>, day: number): Promise<boolean> {
  const query = reader.selectFrom('statistic_day').select('day').where('day', '>=', day).limit(1);
  return (await query.executeTakeFirst()) !== undefined;
}

export function statisticsReads(
  database: Pick<Database, 'reader' | 'idsIn' | 'rowsIn' | 'streamLongQuery' | 'byIndex'>,
): Omit<
  StatisticsStore,
  | 'add'
  | 'bill'
  | 'dropLeftFacts'
  | keyof NoticeStore
  | 'forgetKeptPromises'
  | 'forget'
  | 'onWritten'
  | 'forgetCubes'
  | 'forgetNames'
  | 'keepBidSamples'
  | 'forgetBidSamples'
  | 'bidSamples'
  | 'noteShipped'
> {
  const { reader, idsIn } = database;
  return {
    async days(kind, ids, range) {
      const wanted = ids.length === 1 ? sql`= ${ids[0]}` : sql`in ${idsIn(JSON.stringify(ids))}`;
      const { rows } = await sql<CountsIn<'day'> & { id: number; day: number }>`
        select id, day, ${countsIn.day} from statistic_day
        where kind = ${kind} and id ${wanted} and ${within(range)} order by id, day`.execute(reader);
      return rows.map(({ id, day, ...counts }) => ({ id, day, counts }));
    },
    async subIds(supply, range) {
      const { rows } = await sql<CountsIn<'subId'> & { day: number; sub_id: string }>`
        select day, sub_id, ${countsIn.subId} from statistic_sub_id
        where kind = ${supply.kind} and id = ${supply.id} and ${within(range)}`.execute(reader);
      // Databases differ in how they order texts.
      return rows
        .map(({ day, sub_id: subId, ...counts }) => ({ day, supply, subId, counts }))
        .sort((a, b) => a.day - b.day || (a.subId < b.subId ? -1 : 1));
    },
    hours: (supply, range) => pairHoursOf(reader, supply, range),
    objectHours: (kind, ids, range) => objectHours(database, kind, ids, range),
    pairs: (object, day) => pairs(database, object, day),
    teamHour: (teamId, hour) => teamHour(reader, teamId, hour),
    busiest: (kind, teamId, of) => busiestObjects(reader, kind, teamId, of),
    countedOn: (day) => countedOn(reader, day),
    promisedSince: (hour) => promisedSince(reader, hour),
    totalCosts: (kinds) => totalCosts(reader, kinds),
    addresses: (day) => readAddresses(reader, day),
    isCountedSince: (day) => isCountedSince(reader, day),
    keptPromises: (of) => keptPromises(reader, of),
    takenUntil: (source) => takenUntil(reader, source),
    shippedProcesses: () => shippedProcesses(reader),
    lateHours: (teamId, range) => lateHours(reader, teamId, range),
    leftFacts: (name, lotsMax) => leftFacts(reader, name, lotsMax),
    withOwners: (facts) => withOwners(database, reader, facts),
    cubeStarts: () => cubeStarts(reader),
    ask: (question) => askCube(database, question),
    requestsAfter: lotsAfter(database),
    async account(kind, username) {
      const row = await reader
        .selectFrom(tableOf(kind))
        .select(['id', 'team_id as teamId', 'stats_auth', 'doc'])
        .where('username', '=', username)
        .executeTakeFirst();
      if (!row) return undefined;
      const { id, teamId, stats_auth, doc } = row;
      const formerSecrets = formerSecretsIn(JSON.parse(doc))?.StatsAuth ?? [];
      return { id, teamId, statsAuth: stats_auth ?? '', formerSecrets };
    },
  };
}
