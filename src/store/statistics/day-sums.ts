import { type Kysely, sql } from 'kysely';
import { isAccount, isDeal } from '../../entities/kinds.ts';
import { entities } from '../../entities/registry.ts';
import {
  type CounterName,
  type DailyCounts,
  dailyCounters,
  type ShownCounts,
  shownCounters,
} from '../../reference/counters.ts';
import { otherValue } from '../../reference/cubes.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { snakeCase, tableName } from '../database/tables.ts';
import { cubeTable, subIdArchive } from './cube-tables.ts';
import type {
  DayCounts,
  DayRange,
  DealSums,
  ObjectCost,
  ObjectDayCounts,
  ObjectKey,
  SubIdCounts,
} from './interface.ts';

/** As doubles, like JavaScript's numbers; beyond 2^53 they are rounded. */
const sumsOf = (names: readonly CounterName[]) =>
  sql.join(
    names.map((name) => sql`cast(sum(${sql.ref(snakeCase(name))}) as double precision) as ${sql.ref(name)}`),
  );
export const sums = sumsOf(dailyCounters);
const shownNames = shownCounters.map(({ counter }) => counter);

const sideBy = (side: 'supply' | 'demand', owner: string) => ({
  table: sql.table(cubeTable(side, 'day').name),
  kind: sql.ref(`${side}_kind`),
  id: sql.ref(`${side}_id`),
  owner: sql.ref(owner),
});
const sides = {
  supply: sideBy('supply', 'publisher_id'),
  demand: sideBy('demand', 'advertiser_id'),
  deal: {
    table: sql.table(cubeTable('dealUse', 'day').name),
    kind: sql.ref('demand_kind'),
    id: sql.ref('deal_id'),
    owner: sql.ref('publisher_id'),
  },
};
const { demand, deal } = sides;

/** Kinds of supply, and of accounts that own it. */
const ofSupply: ReadonlySet<string> = new Set(
  entities.flatMap(({ key, owner, exchange }) =>
    exchange?.side === 'supply' ? [key, owner?.entity ?? key] : [],
  ),
);
const sideOf = (kind: string) => (isDeal(kind) ? deal : sides[ofSupply.has(kind) ? 'supply' : 'demand']);

/** Days come first in the keys; naming each leads to its objects. */
const within = ({ fromDay, toDay }: DayRange) =>
  sql`slot in (${sql.join(Array.from({ length: toDay - fromDay + 1 }, (_, index) => fromDay + index))})`;

/** See `StatisticsStore.days`. */
export async function days(
  { reader, idsIn }: Pick<Database, 'reader' | 'idsIn'>,
  kind: string,
  ids: readonly number[],
  range: DayRange,
): Promise<DayCounts[]> {
  const { table, ...side } = sideOf(kind);
  const id = isAccount(kind) ? side.owner : side.id;
  const ofKind = isAccount(kind) ? sql`` : sql`and ${side.kind} = ${kind}`;
  const wanted = ids.length === 1 ? sql`= ${ids[0]}` : sql`in ${idsIn(JSON.stringify(ids))}`;
  const { rows } = await sql<DailyCounts & { object: number; slot: number }>`
    select ${id} as object, slot, ${sums} from ${table} where ${within(range)} ${ofKind} and ${id} ${wanted}
    group by ${id}, slot order by ${id}, slot`.execute(reader);
  return rows.map(({ object, slot, ...counts }) => ({ id: Number(object), day: Number(slot), counts }));
}

/** Of a deal's row, as cubes have it (`attributeValue`). */
const code = sql`substr(d.username, length(cast(d.team_id as text)) + 2)`;
const countedCode = sql`case when ${code} = ${otherValue} or substr(${code}, 1, 1) = '\\' then '\\' || ${code} else ${code} end`;

/** See `StatisticsStore.dealSums`. */
export async function dealSums(
  { reader, idsIn }: Pick<Database, 'reader' | 'idsIn'>,
  ids: readonly number[],
): Promise<DealSums[]> {
  const { rows } = await sql<DealSums>`
    select d.id, ${sumsOf(['impressions', 'dealCalls', 'bids', 'wins'])}
    from ${sql.table(tableName('Deal'))} d join ${sql.table(cubeTable('teamDeal', 'day').name)} c
      on c.team_id = d.team_id and c.deal = ${countedCode}
    where d.id in ${idsIn(JSON.stringify(ids))} group by d.id`.execute(reader);
  return rows.map((row) => ({ ...row, id: Number(row.id) }));
}

/** Small enough that reading a page keeps nothing else waiting. */
const objectsPerPage = 250;

/** See `StatisticsStore.countedOn`. */
export async function* countedOn(
  reader: Kysely<Schema>,
  day: number,
): AsyncGenerator<readonly ObjectDayCounts[]> {
  for (const { table, kind, id } of Object.values(sides)) {
    // What has no demand is no object's.
    for (let last: ObjectKey | undefined = { kind: '', id: 0 }; last; ) {
      const { rows } = await sql<DailyCounts & ObjectKey>`
        select ${kind} as kind, ${id} as id, ${sums} from ${table}
        where slot = ${day} and (${kind}, ${id}) > (${last.kind}, ${last.id})
        group by ${kind}, ${id} order by ${kind}, ${id} limit ${objectsPerPage}`.execute(reader);
      yield rows.map(({ kind: of, id: number, ...counts }) => ({ kind: of, id: Number(number), counts }));
      last = rows.length < objectsPerPage ? undefined : rows.at(-1);
    }
  }
}

/** See `StatisticsStore.totalCosts`. */
export async function totalCosts(
  { reader, idsIn }: Pick<Database, 'reader' | 'idsIn'>,
  kinds: readonly string[],
  ids?: readonly number[],
): Promise<ObjectCost[]> {
  if (kinds.length === 0) return [];
  const totals = ({ table, kind, id }: typeof demand) => sql`
    select ${kind} as kind, ${id} as id, cast(sum(revenue_nanos) as double precision) as "totalNanos",
      cast(sum(bills) as double precision) as impressions
    from ${table} where ${kind} in (${sql.join(kinds)})
      ${ids ? sql`and ${id} in ${idsIn(JSON.stringify(ids))}` : sql``} group by ${kind}, ${id}`;
  const { rows } = await sql<ObjectCost>`${totals(demand)} union all ${totals(deal)}`.execute(reader);
  return rows.map((row) => ({ ...row, id: Number(row.id) }));
}

/** Everything that is counted has supply. */
export async function isCountedSince(reader: Kysely<Schema>, day: number): Promise<boolean> {
  const { rows } = await sql`select 1 as one from ${sides.supply.table} where slot >= ${day} limit 1`.execute(
    reader,
  );
  return rows.length > 0;
}

const subIdDays = sql.table(cubeTable('subId', 'day').name);
const isAnyShown = sql.join(
  shownCounters.map(({ counter }) => sql`${sql.ref(snakeCase(counter))} <> 0`),
  sql` or `,
);
/** Undoes the escape of `attributeValue`. */
const sentSubId = sql.raw("case when substr(sub_id, 1, 1) = '\\' then substr(sub_id, 2) else sub_id end");
const archiveEnd = sql`(select coalesce(max(slot), 0) from cube_start where name = ${subIdArchive.name})`;
const archived = sql.join(
  shownNames.map((name) =>
    subIdArchive.counters.some((one) => one === name)
      ? sql`cast(${sql.ref(snakeCase(name))} as double precision)`
      : sql`0`,
  ),
);

type SubIdRow = ShownCounts & { readonly slot: number; readonly subId: string };

/** See `StatisticsStore.subIds`. */
export async function subIds(
  reader: Kysely<Schema>,
  supply: ObjectKey,
  range: DayRange,
): Promise<SubIdCounts[]> {
  const { kind, id } = supply;
  const { rows } = await sql<SubIdRow>`
    select slot, ${sentSubId} as "subId", ${sumsOf(shownNames)} from ${subIdDays}
    where ${within(range)} and slot >= ${archiveEnd} and supply_kind = ${kind} and supply_id = ${id}
      and (${isAnyShown}) group by slot, ${sentSubId}
    union all select day, sub_id, ${archived} from ${sql.table(subIdArchive.name)}
    where kind = ${kind} and id = ${id} and day between ${range.fromDay} and ${range.toDay}
      and day < ${archiveEnd}`.execute(reader);
  const found = rows.map(({ slot, subId, ...counts }) => ({ day: Number(slot), supply, subId, counts }));
  // Databases differ in how they order texts.
  return found.sort((a, b) => a.day - b.day || (a.subId < b.subId ? -1 : 1));
}
