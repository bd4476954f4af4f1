import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type CounterName, type CountTableName, countersIn } from '../../reference/counters.ts';
import {
  type Attribute,
  type Cube,
  type CubeName,
  cubeRows,
  type Grain,
  grains,
  numberAttributes,
  type Retention,
} from '../../reference/cubes.ts';
import type { CellType } from '../database/cell.ts';
import type { Database } from '../database/database.ts';
import { runAtOnce } from '../database/run-at-once.ts';
import type { Schema } from '../database/schema.ts';
import { snakeCase } from '../database/tables.ts';

const minuteMs = 60_000;

/** Of a side's objects; 0 and `""` = none. */
const sideColumns = {
  supply: { publisher_id: 'bigint', supply_kind: 'text', supply_id: 'bigint' },
  demand: { advertiser_id: 'bigint', demand_kind: 'text', demand_id: 'bigint' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, CellType>>>>;

/** A cube has one table per grain. */
export interface CubeTable {
  readonly cube: CubeName;
  readonly grain: Grain;
  readonly kept: Retention;
  readonly name: string;
  readonly counts: CountTableName;
  /** `slot`: intervals since 1970. With objects, `team_id` follows from them. */
  readonly keys: Readonly<Record<string, CellType>>;
}

const attributeColumn = (attribute: Attribute): string => snakeCase(attribute);

const typeOf = (attribute: Attribute): CellType => (numberAttributes.includes(attribute) ? 'bigint' : 'text');

function keysOf({ objects, attributes }: Cube): CubeTable['keys'] {
  const sides = objects.flatMap((side) => Object.entries(sideColumns[side]));
  const values = attributes.map((name) => [attributeColumn(name), typeOf(name)] as const);
  return Object.fromEntries([['slot', 'bigint'], ['team_id', 'bigint'], ...sides, ...values]);
}

export const cubeTables: readonly CubeTable[] = cubeRows.flatMap(([cube, row]) =>
  (Object.entries(row.grains) as [Grain, Retention][]).map(([grain, kept]) => ({
    cube,
    grain,
    kept,
    name: `cube_${snakeCase(cube)}_${grain}`,
    keys: keysOf(row),
    counts: row.counts ?? 'traffic',
  })),
);

export function cubeTable(cube: CubeName, grain: Grain): CubeTable {
  const table = cubeTables.find((one) => one.cube === cube && one.grain === grain);
  if (!table) throw new Error(`${cube} is not kept by the ${grain}`);
  return table;
}

/** Subids of days before the one that `cube_start` has under this name (`migrations/sub-ids.ts`). */
export const subIdArchive = {
  name: 'statistic_sub_id',
  counters: ['requests', 'bids', 'wins', 'bills', 'impressions', 'clicks', 'spentNanos', 'revenueNanos'],
} as const satisfies { readonly name: string; readonly counters: readonly CounterName[] };

export const countersOf = ({ counts }: CubeTable): readonly CounterName[] => countersIn(counts);

/** Intervals since 1970. */
export const slotOf = (grain: Grain, timeMs: number) => Math.floor(timeMs / (grains[grain] * minuteMs));

/**
 * Time first, then objects, because questions are about them. The team replaces absent objects, as in requests refused
 * before any demand.
 */
export function uniqueColumns({ keys, counts }: CubeTable): readonly string[] {
  const hasNone = counts === 'refusal' || counts === 'pair';
  const hasObject = 'supply_kind' in keys || ('demand_kind' in keys && !hasNone);
  const names = Object.keys(keys).filter((name) => name !== 'team_id' || !hasObject);
  const isOwner = (name: string) => name === 'publisher_id' || name === 'advertiser_id';
  return [...names.filter((name) => !isOwner(name)), ...names.filter(isOwner)];
}

const column = (name: string, type: string) => sql`${sql.ref(name)} ${sql.raw(type)} not null`;

const countColumn = (name: CounterName) => sql`${column(snakeCase(name), 'bigint')} default 0`;

function declared(table: CubeTable): RawBuilder<unknown> {
  const keys = Object.entries(table.keys).map(([name, type]) =>
    column(name, type === 'text' ? 'text' : 'integer'),
  );
  return sql.join([...keys, ...countersOf(table).map(countColumn)]);
}

export const demandIndex = ({ name }: CubeTable): string => `${name}_demand`;

/** Time first: an index that began with the object would scatter inserts and double the cost of a new row. */
function indexOf({ cube, grain, name }: CubeTable): RawBuilder<unknown> | undefined {
  const on = (suffix: string, columns: string) =>
    sql`create index if not exists ${sql.id(`${name}_${suffix}`)} on ${sql.table(name)} (slot, ${sql.raw(columns)})`;
  // Deals show what they have delivered so far.
  if (cube === 'teamDeal')
    return sql`create index if not exists ${sql.id(`${name}_deal`)} on ${sql.table(name)} (team_id, deal)`;
  if (cube === 'pair') return on('demand', 'demand_kind, demand_id');
  // Accounts read what they owned day by day.
  if (cube === 'supply' && grain === 'day') return on('owner', 'publisher_id');
  return cube === 'demand' && grain === 'day' ? on('owner', 'advertiser_id') : undefined;
}

/** By a row of nulls. */
async function presentColumns(connection: Kysely<Schema>, table: string): Promise<Set<string>> {
  const { rows } = await sql<object>`select t.* from (select 1 as one) as o left join ${sql.table(table)} as t
    on false`.execute(connection);
  return new Set(Object.keys(rows[0] ?? {}));
}

/** Of counters younger than the table: a new counter needs no migration. */
async function addCountColumns(connection: Kysely<Schema>, table: CubeTable): Promise<void> {
  const present = await presentColumns(connection, table.name);
  for (const name of countersOf(table).filter((one) => !present.has(snakeCase(one))))
    await sql`alter table ${sql.table(table.name)} add column ${countColumn(name)}`.execute(connection);
}

async function createTable(
  { keyOrdered }: Pick<Database, 'keyOrdered'>,
  connection: Kysely<Schema>,
  table: CubeTable,
): Promise<void> {
  await sql`create table if not exists ${sql.table(table.name)} (${declared(table)},
    primary key (${sql.join(uniqueColumns(table).map((name) => sql.ref(name)))})) ${keyOrdered}`.execute(
    connection,
  );
  await indexOf(table)?.execute(connection);
  await addCountColumns(connection, table);
}

async function isAnyIn(connection: Kysely<Schema>, { name }: CubeTable): Promise<boolean> {
  const { rows } = await sql`select 1 as one from ${sql.table(name)} limit 1`.execute(connection);
  return rows.length > 0;
}

/** Whether `createCubeTables` has nothing to do. `tables`: columns by table. */
export const hasCubeTables = (tables: ReadonlyMap<string, ReadonlySet<string>>): boolean =>
  ['cube_start', 'cube_name'].every((name) => tables.has(name)) &&
  cubeTables.every((table) =>
    countersOf(table).every((name) => tables.get(table.name)?.has(snakeCase(name))),
  );

/** How long servers of the version before may still count beside the first new one: in none of its new tables. */
const updateMs = 3_600_000;

/** No migration for new cubes. A new table is complete from the next interval after an update on (`cube_start`). */
export async function createCubeTables(
  database: Pick<Database, 'keyOrdered'>,
  connection: Kysely<Schema>,
  now: () => number,
): Promise<void> {
  await sql`create table if not exists cube_start (name text primary key, slot bigint not null)`.execute(
    connection,
  );
  await sql`create table if not exists cube_name (cube text not null, kind text not null, id integer not null,
    day integer not null, name text not null, primary key (cube, kind, id, day, name))
    ${database.keyOrdered}`.execute(connection);
  const known = new Set(
    (await connection.selectFrom('cube_start').select('name').execute()).map(({ name }) => name),
  );
  const counted = cubeTable('supply', 'day');
  const isLate = known.has(counted.name) && (await isAnyIn(connection, counted));
  await runAtOnce(cubeTables, async (table) => {
    await createTable(database, connection, table);
    if (known.has(table.name)) return;
    const slot = isLate ? slotOf(table.grain, now() + updateMs) + 1 : 0;
    await connection.insertInto('cube_start').values({ name: table.name, slot }).execute();
  });
}
