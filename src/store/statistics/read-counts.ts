import { type Kysely, sql } from 'kysely';
import { formerSecretsIn } from '../../entities/former-secrets.ts';
import type { CountsIn } from '../../reference/counters.ts';
import { cell } from '../database/cell.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { tableOf } from '../database/tables.ts';
import { readAddresses } from './address-counts.ts';
import { askCube, cubeStarts } from './ask-cubes.ts';
import { cubeTable } from './cube-tables.ts';
import { countedOn, days, dealSums, isCountedSince, subIds, totalCosts } from './day-sums.ts';
import { pairHours, pairHoursOf, pairs } from './hour-sums.ts';
import type { ObjectKey, OpenPromises, StatisticsStore } from './interface.ts';
import { keptPromises } from './kept-promises.ts';
import { leftFacts, withOwners } from './left-facts.ts';
import type { NoticeStore } from './notices-interface.ts';
import { lateHours, shippedProcesses, takenUntil } from './shipped.ts';
import { countedSince, traffic, usedBefore } from './traffic.ts';

const dealHours = sql.table(cubeTable('dealUse', 'hour').name);

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
    from (
      select slot, supply_kind, supply_id, demand_kind, demand_id, promised, promised_nanos from ${pairHours}
      union all
      select slot, supply_kind, supply_id, demand_kind, deal_id, promised, promised_nanos from ${dealHours}
    ) as h where slot >= ${since} and (promised <> 0 or promised_nanos <> 0)
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
  const { reader } = database;
  return {
    days: (kind, ids, range) => days(database, kind, ids, range),
    dealSums: (ids) => dealSums(database, ids),
    subIds: (supply, range) => subIds(reader, supply, range),
    hours: (supply, range) => pairHoursOf(reader, supply, range),
    pairs: (object, day) => pairs(database, object, day),
    countedOn: (day) => countedOn(reader, day),
    promisedSince: (hour) => promisedSince(reader, hour),
    totalCosts: (kinds, ids) => totalCosts(database, kinds, ids),
    traffic: (kind, ids, hours) => traffic(database, kind, ids, hours),
    usedBefore: (kind, times) => usedBefore(database, kind, times),
    countedSince: (kind, times) => countedSince(database, kind, times),
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
