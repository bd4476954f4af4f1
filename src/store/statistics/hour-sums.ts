import { type Kysely, type RawBuilder, sql } from 'kysely';
import { entityOf } from '../../entities/registry.ts';
import { type CountsIn, countersIn, ownCounters } from '../../reference/counters.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { snakeCase } from '../database/tables.ts';
import { cubeTable, demandIndex } from './cube-tables.ts';
import type { CounterpartCounts, DayRange, HourCounts, ObjectKey } from './interface.ts';

const hoursPerDay = 24;

const table = cubeTable('pair', 'hour');
/** `slot`: hours since 1970. */
export const pairHours = sql.table(table.name);

/** Hours come first in the indexes; naming each of a day leads to its objects. */
const hoursOf = (day: number) =>
  sql`h.slot in (${sql.join(Array.from({ length: hoursPerDay }, (_, hour) => day * hoursPerDay + hour))})`;

const within = ({ fromDay, toDay }: DayRange) =>
  sql`h.slot >= ${fromDay * hoursPerDay} and h.slot < ${(toDay + 1) * hoursPerDay}`;

/** What one object counts alone counts for supply in rows without demand. */
function sums(side: 'supply' | 'demand'): RawBuilder<unknown> {
  const columns = countersIn('pair').map((name) => {
    const isOwn = side === 'supply' && ownCounters.includes(name);
    const column = sql.ref(`h.${snakeCase(name)}`);
    const value = isOwn ? sql`case when h.demand_kind = '' then ${column} else 0 end` : column;
    return sql`cast(sum(${value}) as double precision) as ${sql.ref(name)}`;
  });
  return sql.join(columns);
}

const sides = {
  supply: { sums: sums('supply'), kind: sql.ref('h.supply_kind'), id: sql.ref('h.supply_id') },
  demand: { sums: sums('demand'), kind: sql.ref('h.demand_kind'), id: sql.ref('h.demand_id') },
};

/** The key leads to supply's, an index to demand's. */
const hoursBy = ({ byIndex }: Pick<Database, 'byIndex'>, side: keyof typeof sides) =>
  side === 'supply' ? sql`${pairHours} h` : sql`${pairHours} h ${byIndex(demandIndex(table))}`;

/** With each counterpart of that day (since 1970). */
export async function pairs(
  database: Pick<Database, 'reader' | 'byIndex'>,
  { kind, id }: ObjectKey,
  day: number,
): Promise<readonly CounterpartCounts[]> {
  const side = entityOf(kind).exchange?.side === 'supply' ? 'supply' : 'demand';
  const [own, other] = [sides[side], sides[side === 'supply' ? 'demand' : 'supply']];
  const { rows } = await sql<ObjectKey & CountsIn<'pair'>>`
    select ${other.kind} as kind, ${other.id} as id, ${sides.demand.sums} from ${hoursBy(database, side)}
    where ${own.kind} = ${kind} and ${own.id} = ${id} and h.demand_kind <> '' and ${hoursOf(day)}
    group by ${other.kind}, ${other.id}`.execute(database.reader);
  return rows.map(({ kind: metKind, id: metId, ...counts }) => ({ kind: metKind, id: metId, counts }));
}

/** Whoever owned them. */
export async function pairHoursOf(
  reader: Kysely<Schema>,
  supply: ObjectKey,
  range: DayRange,
): Promise<HourCounts[]> {
  const { rows } = await sql<CountsIn<'pair'> & { slot: number; demand_kind: string; demand_id: number }>`
    select h.slot, h.demand_kind, h.demand_id, ${sides.demand.sums} from ${pairHours} h
    where h.supply_kind = ${supply.kind} and h.supply_id = ${supply.id} and ${within(range)}
    group by 1, 2, 3 order by 1, 2, 3`.execute(reader);
  return rows.map(({ slot, demand_kind: kind, demand_id: id, ...counts }) => ({
    hour: Number(slot),
    supply,
    counts,
    demand: kind === '' ? undefined : { kind, id },
  }));
}
