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

export function pairTable(grain: Grain): CubeTable {
  const table = cubeTables.find((one) => one.cube === 'pair' && one.grain === grain);
  if (!table) throw new Error(`pairs are not kept by the ${grain}`);
  return table;
}

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

function declared(table: CubeTable): RawBuilder<unknown> {
  const keys = Object.entries(table.keys).map(([name, type]) =>
    column(name, type === 'text' ? 'text' : 'integer'),
  );
  const counts = countersOf(table).map((name) => sql`${column(snakeCase(name), 'bigint')} default 0`);
  return sql.join([...keys, ...counts]);
}

export const demandIndex = ({ name }: CubeTable): string => `${name}_demand`;

/** Time first: an index that began with the object would scatter inserts and double the cost of a new row. */
function indexesOf(table: CubeTable): readonly RawBuilder<unknown>[] {
  if (table.cube !== 'pair') return [];
  return [
    sql`create index if not exists ${sql.id(demandIndex(table))} on ${sql.table(table.name)}
      (slot, demand_kind, demand_id)`,
  ];
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
  for (const index of indexesOf(table)) await index.execute(connection);
}

async function hasCounted(connection: Kysely<Schema>): Promise<boolean> {
  const row = await connection.selectFrom('statistic_day').select('day').limit(1).executeTakeFirst();
  return row !== undefined;
}

/** No migration for new cubes. A new table is complete from the next interval on (`cube_start`). */
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
  const isLate = await hasCounted(connection);
  for (const table of cubeTables) {
    await createTable(database, connection, table);
    if (known.has(table.name)) continue;
    const slot = isLate ? slotOf(table.grain, now()) + 1 : 0;
    await connection.insertInto('cube_start').values({ name: table.name, slot }).execute();
  }
}
