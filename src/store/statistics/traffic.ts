import { type RawBuilder, sql } from 'kysely';
import {
  connectionField,
  type DemandKindName,
  demandKindNames,
  isDeal,
  supplyKindNames,
} from '../../entities/kinds.ts';
import { type DailyCounts, dailyCounters } from '../../reference/counters.ts';
import type { Database } from '../database/database.ts';
import { snakeCase } from '../database/tables.ts';
import { cubeTable } from './cube-tables.ts';
import { sums } from './day-sums.ts';
import type {
  HourlyCount,
  HourRange,
  ObjectCost,
  ObjectDayCounts,
  ObjectStart,
  ObjectTime,
} from './interface.ts';

const dealHours = sql.table(cubeTable('dealUse', 'hour').name);
const supplyHours = sql.table(cubeTable('supply', 'hour').name);

const within = ({ fromHour, beforeHour }: HourRange) => sql`slot >= ${fromHour} and slot < ${beforeHour}`;

/** Demand objects with the supply that they are connected to; of two mirror fields, the first names the rows. */
function connectedSupply(demand: DemandKindName, ids: ReturnType<Database['idsIn']>) {
  const kinds = supplyKindNames.filter((kind) => connectionField(demand, kind) !== '');
  const ofKind = kinds.map((kind) => {
    const [own, theirs] = [
      `${demand}.${connectionField(demand, kind)}`,
      `${kind}.${connectionField(kind, demand)}`,
    ];
    const [self, other] = own < theirs ? ['left_id', 'right_id'] : ['right_id', 'left_id'];
    return sql`select ${sql.ref(self)} as id, ${sql.lit(kind)} as supply_kind, ${sql.ref(other)} as supply_id
      from connection where kind = ${sql.lit(own < theirs ? own : theirs)} and ${sql.ref(self)} in ${ids}`;
  });
  return sql.join(ofKind, sql` union all `);
}

/** See `StatisticsStore.traffic`. */
export async function traffic(
  { reader, idsIn }: Pick<Database, 'reader' | 'idsIn'>,
  kind: string,
  ids: readonly number[],
  hours: HourRange,
): Promise<HourlyCount[]> {
  const wanted = idsIn(JSON.stringify(ids));
  const demand = demandKindNames.find((name) => name === kind);
  const ofDeals = sql<HourlyCount>`
    select deal_id as id, slot as hour, cast(sum(opportunities) as double precision) as count
    from ${dealHours} where ${within(hours)} and demand_kind = ${kind} and deal_id in ${wanted}
    group by deal_id, slot`;
  const ofDemand = (of: DemandKindName) => sql<HourlyCount>`
    select connected.id as id, slot as hour, cast(sum(requests) as double precision) as count
    from (${connectedSupply(of, wanted)}) connected join ${supplyHours} counted
      on counted.supply_kind = connected.supply_kind and counted.supply_id = connected.supply_id
    where ${within(hours)} group by connected.id, slot`;
  if (!isDeal(kind) && !demand) return [];
  const { rows } = await (demand ? ofDemand(demand) : ofDeals).execute(reader);
  return rows.map(({ id, hour, count }) => ({ id: Number(id), hour: Number(hour), count }));
}

const quarterMs = 900_000;
const quartersPerHour = 4;
const hoursPerDay = 24;

type Use = DailyCounts & { readonly id: number };

/**
 * Objects with the day, hour and quarter hour of a time of each, and rows of what was counted of them; whether all
 * quarters of that hour are, as they are not in the hours of an update to a cube that has quarters.
 */
function useOf(kind: string, times: readonly { readonly id: number; readonly timeMs: number }[]) {
  const [cube, object] = isDeal(kind)
    ? (['dealUse', 'deal_id'] as const)
    : (['demand', 'demand_id'] as const);
  const wanted = times.map(({ id, timeMs }) => {
    const quarter = Math.floor(timeMs / quarterMs);
    const hour = Math.floor(quarter / quartersPerHour);
    const slots = [id, Math.floor(hour / hoursPerDay), hour, quarter];
    return sql`(${sql.join(slots.map((slot) => sql.lit(slot)))})`;
  });
  const quarters = cubeTable(cube, 'quarter').name;
  return {
    hasQuarters: sql`hour * ${sql.lit(quartersPerHour)} >= (select slot from cube_start where name = ${quarters})`,
    wanted: sql`wanted(id, day, hour, quarter) as (values ${sql.join(wanted)})`,
    counted: (grain: 'day' | 'hour' | 'quarter', columns: RawBuilder<unknown>) => sql`
      select wanted.id as id, ${columns} from wanted join ${sql.table(cubeTable(cube, grain).name)} counted
        on counted.demand_kind = ${kind} and counted.${sql.ref(object)} = wanted.id`,
  };
}

const dailyColumns = sql.join(dailyCounters.map((name) => sql.ref(snakeCase(name))));

/** See `StatisticsStore.countedSince`: quarters of its hour (all of it, if they are not known), then hours of its day, then whole days. */
export async function countedSince(
  { reader }: Pick<Database, 'reader'>,
  kind: string,
  times: readonly ObjectStart[],
): Promise<ObjectDayCounts[]> {
  if (times.length === 0) return [];
  const { wanted, counted, hasQuarters } = useOf(
    kind,
    times.map(({ id, fromMs }) => ({ id, timeMs: fromMs })),
  );
  const rowsOf = (grain: 'day' | 'hour' | 'quarter') => counted(grain, dailyColumns);
  const { rows } = await sql<Use>`
    with ${wanted}
    select id, ${sums}
    from (${rowsOf('day')} where slot > day
      union all ${rowsOf('hour')} where slot >= hour and slot < (day + 1) * ${sql.lit(hoursPerDay)}
        and (slot > hour or not ${hasQuarters})
      union all ${rowsOf('quarter')} where slot >= quarter and slot < (hour + 1) * ${sql.lit(quartersPerHour)}
        and ${hasQuarters}) used
    group by id`.execute(reader);
  return rows.map(({ id, ...counts }) => ({ kind, id: Number(id), counts }));
}

/** See `StatisticsStore.usedBefore`: whole days, then hours of its day, then quarters of its hour. */
export async function usedBefore(
  { reader }: Pick<Database, 'reader'>,
  kind: string,
  times: readonly ObjectTime[],
): Promise<ObjectCost[]> {
  if (times.length === 0) return [];
  const use = useOf(
    kind,
    times.map(({ id, beforeMs }) => ({ id, timeMs: beforeMs })),
  );
  const counted = (grain: 'day' | 'hour' | 'quarter') => use.counted(grain, sql`revenue_nanos, bills`);
  const { rows } = await sql<ObjectCost>`
    with ${use.wanted}
    select id, cast(sum(revenue_nanos) as double precision) as "totalNanos",
      cast(sum(bills) as double precision) as impressions
    from (${counted('day')} where slot < day
      union all ${counted('hour')} where slot >= day * ${sql.lit(hoursPerDay)} and slot < hour
      union all ${counted('quarter')} where slot >= hour * ${sql.lit(quartersPerHour)} and slot < quarter) used
    group by id`.execute(reader);
  return rows.map((row) => ({ ...row, kind, id: Number(row.id) }));
}
