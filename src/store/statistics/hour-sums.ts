import { setImmediate as turn } from 'node:timers/promises';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Entity } from '../../entities/entity.ts';
import { entities, entityOf } from '../../entities/registry.ts';
import { type CountsIn, countersIn, ownCounters } from '../../reference/counters.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { snakeCase, tableName } from '../database/tables.ts';
import { cubeTable, demandIndex } from './cube-tables.ts';
import type { CounterpartCounts, DayRange, HourCounts, ObjectHour, ObjectKey } from './interface.ts';

/** Each may have a row per counterpart and hour. */
const objectsPerLook = 10;
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

interface Source {
  readonly entity: Entity;
  /** Owners of the counted objects. */
  readonly isOwned: boolean;
}

/** Objects' own counts, or what accounts own. */
function sourcesOf(kind: string): readonly Source[] {
  const entity = entityOf(kind);
  if (entity.exchange?.side !== 'account') return [{ entity, isOwned: false }];
  return entities.flatMap((one) => (one.owner?.entity === kind ? [{ entity: one, isOwned: true }] : []));
}

type Row = CountsIn<'pair'> & { readonly id: number; readonly slot: number };

async function sumsOf(
  database: Pick<Database, 'reader' | 'idsIn' | 'byIndex'>,
  { entity, isOwned }: Source,
  ids: readonly number[],
  day: number,
): Promise<readonly Row[]> {
  const { reader, idsIn } = database;
  const side = entity.exchange?.side;
  if (side !== 'supply' && side !== 'demand') return [];
  const { sums: columns, kind, id } = sides[side];
  const wanted = idsIn(JSON.stringify(ids));
  const own = isOwned
    ? sql`(select id from ${sql.table(tableName(entity.key))} where owner_id in ${wanted})`
    : wanted;
  const shown = isOwned ? sql`o.owner_id` : id;
  const join = isOwned ? sql`join ${sql.table(tableName(entity.key))} o on o.id = ${id}` : sql``;
  const { rows } =
    await sql<Row>`select ${shown} as id, h.slot, ${columns} from ${hoursBy(database, side)} ${join}
    where ${kind} = ${entity.key} and ${id} in ${own} and ${hoursOf(day)}
    group by ${shown}, h.slot`.execute(reader);
  return rows;
}

/** Of accounts, what they own now. A tick after each batch. */
export async function* objectHours(
  database: Pick<Database, 'reader' | 'idsIn' | 'byIndex'>,
  kind: string,
  ids: readonly number[],
  { fromDay, toDay }: DayRange,
): AsyncGenerator<readonly ObjectHour[]> {
  for (const source of sourcesOf(kind)) {
    for (let from = 0; from < ids.length; from += objectsPerLook) {
      for (let day = fromDay; day <= toDay; day += 1) {
        const rows = await sumsOf(database, source, ids.slice(from, from + objectsPerLook), day);
        yield rows.map(({ id, slot, ...counts }) => ({ id, hour: Number(slot), counts }));
        await turn();
      }
    }
  }
}

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
