import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type CounterName, derivationOf, ownCounters } from '../../reference/counters.ts';
import { ownMember } from '../../reference/own-member.ts';
import { cell } from '../database/cell.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { snakeCase } from '../database/tables.ts';
import { type CubeTable, cubeTable, cubeTables, demandIndex } from './cube-tables.ts';
import type { CubeCondition, CubeQuestion, CubeRow } from './interface.ts';

export async function cubeStarts(reader: Kysely<Schema>): Promise<ReadonlyMap<string, number>> {
  const rows = await reader.selectFrom('cube_start').selectAll().execute();
  const slots = new Map(rows.map(({ name, slot }) => [name, Number(slot)]));
  return new Map(cubeTables.map(({ cube, grain, name }) => [`${cube} ${grain}`, slots.get(name) ?? 0]));
}

/** What one object counts alone counts for supply in rows without demand. */
function sumOf(name: CounterName, { keys, counts }: CubeTable): RawBuilder<unknown> {
  const columnOf = (counter: CounterName) => sql.ref(`c.${snakeCase(counter)}`);
  const made = derivationOf(name);
  if (made) {
    const both = sql`${columnOf(made.of)} + ${columnOf(made.and)}`;
    const value = sql`case when ${columnOf(made.where)} > 0 then ${both} else 0 end`;
    return sql`cast(sum(${value}) as double precision)`;
  }
  const column = columnOf(name);
  const hasBoth = 'supply_kind' in keys && 'demand_kind' in keys;
  const isShared = counts === 'pair' && hasBoth && ownCounters.includes(name);
  const value = isShared ? sql`case when c.demand_kind = '' then ${column} else 0 end` : column;
  return sql`cast(sum(${value}) as double precision)`;
}

/** Look-ups that cost less than reading whole intervals. */
const looksMax = 100_000;

function valuesOf({ rowsIn }: Pick<Database, 'rowsIn'>, { keys }: CubeTable, condition: CubeCondition) {
  const { columns, values } = condition;
  const cells = columns.map((column, index) => cell(index, ownMember(keys, column) ?? 'text'));
  return sql`(select distinct ${sql.join(cells)} from ${rowsIn(JSON.stringify(values))})`;
}

/** On one column, or several together. */
function conditionOf(database: Pick<Database, 'rowsIn'>, table: CubeTable, condition: CubeCondition) {
  const refs = sql.join(condition.columns.map((column) => sql.ref(`c.${column}`)));
  return sql`(${refs}) ${condition.isNot ? sql`not in` : sql`in`} ${valuesOf(database, table, condition)}`;
}

/** The condition with the fewest objects, whose rows lie together in each interval. */
function fewestObjects({ conditions }: CubeQuestion): CubeCondition | undefined {
  return conditions
    .filter(({ columns, isNot }) => !isNot && columns.some((name) => /^(supply|demand)_id$/.test(name)))
    .toSorted((one, other) => one.values.length - other.values.length)[0];
}

/** Ranges `r` of intervals; for few objects `o`, each interval by itself, where the key or an index leads to them. */
function placesOf(database: Pick<Database, 'rowsIn' | 'byIndex'>, table: CubeTable, question: CubeQuestion) {
  const { ranges, conditions } = question;
  const steps = ranges.reduce((sum, { from, until }) => sum + until - from, 0);
  const objects = fewestObjects(question);
  if (!objects || objects.values.length * steps > looksMax) {
    const rows = ranges.map(({ bucket, from, until }) => [bucket, from, until]);
    const isIn = sql`c.slot >= r.first and c.slot < r.until`;
    return { rows, from: sql`r`, objects: sql``, index: sql``, where: [isIn], conditions };
  }
  const rows = ranges.flatMap(({ bucket, from, until }) =>
    Array.from({ length: until - from }, (_, index) => [bucket, from + index, from + index + 1]),
  );
  const hasIndex = table.cube === 'pair' && objects.columns.includes('demand_id');
  const names = sql.join(objects.columns.map((name) => sql.ref(name)));
  const equal = objects.columns.map((name) => sql`${sql.ref(`c.${name}`)} = ${sql.ref(`o.${name}`)}`);
  return {
    rows,
    where: [sql`c.slot = r.first`, ...equal],
    from: sql`r cross join o`,
    index: hasIndex ? database.byIndex(demandIndex(table)) : sql``,
    objects: sql`, o(${names}) as materialized ${valuesOf(database, table, objects)}`,
    conditions: conditions.filter((one) => one !== objects),
  };
}

/** Most varied first: SQLite sorts by them. The bucket, which is often one, comes last. */
const groupsOf = (columns: readonly string[]) =>
  [...columns.filter((name) => name.endsWith('_id')), ...columns.filter((name) => !name.endsWith('_id'))].map(
    (column) => sql.ref(`c.${column}`),
  );

/** See `StatisticsStore.ask`. */
export function askCube(
  database: Pick<Database, 'reader' | 'rowsIn' | 'streamLongQuery' | 'byIndex'>,
  question: CubeQuestion,
): AsyncIterable<readonly CubeRow[]> {
  const { teamId, columns, counters, rowsMax } = question;
  const table = cubeTable(question.cube, question.grain);
  const places = placesOf(database, table, question);
  const shown = [sql`r.bucket`, ...columns.map((column) => sql.ref(`c.${column}`))];
  const sums = counters.map((name) => sumOf(name, table));
  const where = [
    ...places.where,
    sql`c.team_id = ${teamId}`,
    ...places.conditions.map((one) => conditionOf(database, table, one)),
  ];
  // What is invalid is not always refused; a currency may be that of the other side.
  const counted =
    table.counts === 'refusal' || table.counts === 'currency'
      ? sql`having ${sql.join(
          sums.map((sum) => sql`${sum} <> 0`),
          sql` or `,
        )}`
      : sql``;
  // Reads the JSON once, not for each row of the table.
  const { sql: text, parameters } = sql`
    with r(bucket, first, until) as materialized (
      select ${sql.join([0, 1, 2].map((place) => cell(place, 'bigint')))}
      from ${database.rowsIn(JSON.stringify(places.rows))})${places.objects}
    select ${sql.join([...shown, ...sums].map((value, index) => sql`${value} as ${sql.id(`c${index}`)}`))}
    from ${places.from} cross join ${sql.table(table.name)} c ${places.index}
    where ${sql.join(where, sql` and `)}
    group by ${sql.join([...groupsOf(columns), sql`r.bucket`])} ${counted} limit ${rowsMax}`.compile(
    database.reader,
  );
  return database.streamLongQuery(text, parameters);
}
