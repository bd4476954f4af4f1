import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type CounterName, ownCounters } from '../../reference/counters.ts';
import { cell } from '../database/cell.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { snakeCase } from '../database/tables.ts';
import { type CubeTable, cubeTables } from './cube-tables.ts';
import type { CubeCondition, CubeQuestion, CubeRow } from './interface.ts';

/** From when on each table is whole. */
export async function cubeStarts(reader: Kysely<Schema>): Promise<ReadonlyMap<string, number>> {
  const rows = await reader.selectFrom('cube_start').selectAll().execute();
  const slots = new Map(rows.map(({ name, slot }) => [name, Number(slot)]));
  return new Map(cubeTables.map(({ cube, grain, name }) => [`${cube} ${grain}`, slots.get(name) ?? 0]));
}

/** What one object counts alone stands for supply in rows without demand. */
function sumOf(name: CounterName, { keys, counts }: CubeTable): RawBuilder<unknown> {
  const column = sql.ref(`c.${snakeCase(name)}`);
  const isShared = counts === 'pair' && 'demand_kind' in keys && ownCounters.includes(name);
  const value = isShared ? sql`case when c.demand_kind = '' then ${column} else 0 end` : column;
  return sql`cast(sum(${value}) as double precision)`;
}

/** A condition on one column, or on several together. */
function conditionOf({ rowsIn }: Pick<Database, 'rowsIn'>, { keys }: CubeTable, condition: CubeCondition) {
  const { columns, values, isNot } = condition;
  const cells = columns.map((column, index) => cell(index, keys[column] ?? 'text'));
  const refs = sql.join(columns.map((column) => sql.ref(`c.${column}`)));
  const list = sql`(select ${sql.join(cells)} from ${rowsIn(JSON.stringify(values))})`;
  return isNot ? sql`(${refs}) not in ${list}` : sql`(${refs}) in ${list}`;
}

/** Ranges of the steps of time; step by step where objects are named, whose rows lie together in each. */
function rangesOf({ ranges, conditions, grain }: CubeQuestion) {
  const isNamed = conditions.some(
    ({ columns, isNot }) => !isNot && columns.some((name) => name.endsWith('_id')),
  );
  if (!isNamed || grain !== 'day') return ranges.map(({ bucket, from, until }) => [bucket, from, until]);
  return ranges.flatMap(({ bucket, from, until }) =>
    Array.from({ length: until - from }, (_, index) => [bucket, from + index, from + index + 1]),
  );
}

/** Answers a question to a cube; see `StatisticsStore.ask`. */
export function askCube(
  database: Pick<Database, 'reader' | 'rowsIn' | 'aside'>,
  question: CubeQuestion,
): AsyncIterable<readonly CubeRow[]> {
  const { teamId, columns, counters, conditions, rowsMax } = question;
  const table = cubeTables.find(({ cube, grain }) => cube === question.cube && grain === question.grain);
  if (!table) throw new Error(`${question.cube} is not kept by the ${question.grain}`);
  const shown = [cell(0, 'bigint'), ...columns.map((column) => sql.ref(`c.${column}`))];
  const sums = counters.map((name) => sumOf(name, table));
  const places = shown.map((_, index) => sql.lit(index + 1));
  const conditionsOf = [
    sql`c.team_id = ${teamId}`,
    ...conditions.map((one) => conditionOf(database, table, one)),
  ];
  const { sql: text, parameters } = sql`
    select ${sql.join([...shown, ...sums].map((value, index) => sql`${value} as ${sql.id(`c${index}`)}`))}
    from ${database.rowsIn(JSON.stringify(rangesOf(question)))} cross join ${sql.table(table.name)} c
    where c.slot >= ${cell(1, 'bigint')} and c.slot < ${cell(2, 'bigint')}
      and ${sql.join(conditionsOf, sql` and `)}
    group by ${sql.join(places)} limit ${rowsMax}`.compile(database.reader);
  return database.aside(text, parameters);
}
