import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type Cube, type CubeName, cubes, otherValue } from '../../reference/cubes.ts';
import { cell } from '../database/cell.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import type { TrafficCounts } from './interface.ts';

interface NamedValue {
  readonly cube: CubeName;
  readonly kind: string;
  readonly id: number;
  readonly day: number;
  readonly name: string;
}

const keyOf = ({ cube, kind, id, day, name }: NamedValue) => JSON.stringify([cube, kind, id, day, name]);
const objectOf = ({ cube, kind, id, day }: NamedValue) => JSON.stringify([cube, kind, id, day]);

/** Undefined if it needs none: its values are ours, all empty, or the rest. */
function namedIn({ cube, day, supply, demand, values }: TrafficCounts): NamedValue | undefined {
  const { named, attributes }: Cube = cubes[cube];
  const object = named?.of === 'demand' ? demand : supply;
  if (!named || !object) return undefined;
  const texts = values.filter((_, index) => attributes[index] !== 'medium');
  const isFree = texts.every((text) => text === '') || texts.every((text) => text === otherValue);
  return isFree ? undefined : { cube, day, kind: object.kind, id: object.id, name: texts.join('\n') };
}

type Names = Pick<Database, 'rowsIn'>;

/** All batches lock their rows in the same order. */
const inOrder = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]) =>
  one < other ? -1 : 1;

async function insertNames(
  { rowsIn }: Names,
  connection: Kysely<Schema>,
  rows: readonly (readonly (string | number)[])[],
  onConflict: RawBuilder<unknown>,
) {
  await sql`insert into cube_name (cube, kind, id, day, name)
    select ${cell(0, 'text')}, ${cell(1, 'text')}, ${cell(2, 'bigint')}, ${cell(3, 'bigint')}, ${cell(4, 'text')}
    from ${rowsIn(JSON.stringify(rows))} where true
    on conflict (cube, kind, id, day, name) do ${onConflict}`.execute(connection);
}

async function keptNames({ rowsIn }: Names, connection: Kysely<Schema>, wanted: readonly NamedValue[]) {
  const keys = wanted.map(({ cube, kind, id, day, name }) => [cube, kind, id, day, name]);
  const { rows } = await sql<NamedValue>`select n.cube, n.kind, n.id, n.day, n.name
    from ${rowsIn(JSON.stringify(keys))} cross join cube_name n
    where n.cube = ${cell(0, 'text')} and n.kind = ${cell(1, 'text')} and n.id = ${cell(2, 'bigint')}
      and n.day = ${cell(3, 'bigint')} and n.name = ${cell(4, 'text')}`.execute(connection);
  return new Set(rows.map((row) => keyOf({ ...row, day: Number(row.day) })));
}

/** How many names their objects have on the day. */
async function sizesOf({ rowsIn }: Names, connection: Kysely<Schema>, wanted: readonly NamedValue[]) {
  const objects = new Map(wanted.map((one) => [objectOf(one), one]));
  const keys = [...objects.values()].map(({ cube, kind, id, day }) => [cube, kind, id, day]);
  const { rows } = await sql<Omit<NamedValue, 'name'> & { readonly size: number }>`
    select n.cube, n.kind, n.id, n.day, count(*) as size
    from ${rowsIn(JSON.stringify(keys))} cross join cube_name n
    where n.cube = ${cell(0, 'text')} and n.kind = ${cell(1, 'text')} and n.id = ${cell(2, 'bigint')}
      and n.day = ${cell(3, 'bigint')} and n.name <> '' group by n.cube, n.kind, n.id, n.day`.execute(
    connection,
  );
  return new Map(rows.map((row) => [objectOf({ ...row, day: Number(row.day), name: '' }), Number(row.size)]));
}

/** Keeps other writers from admitting names of the same objects and days until the commit. */
async function lockObjects({ rowsIn }: Names, connection: Kysely<Schema>, wanted: readonly NamedValue[]) {
  const objects = new Map(wanted.map((one) => [objectOf(one), one]));
  const keys = [...objects].sort(inOrder).map(([, { cube, kind, id, day }]) => [cube, kind, id, day, '']);
  await insertNames({ rowsIn }, connection, keys, sql`update set name = excluded.name`);
}

/** As far as there is room; kept from now on. */
async function admitted(names: Names, connection: Kysely<Schema>, wanted: readonly NamedValue[]) {
  const sizes = await sizesOf(names, connection, wanted);
  const fresh: NamedValue[] = [];
  for (const one of wanted) {
    const size = sizes.get(objectOf(one)) ?? 0;
    const most = (cubes[one.cube] as Cube).named?.most ?? 0;
    sizes.set(objectOf(one), size < most ? size + 1 : size);
    if (size < most) fresh.push(one);
  }
  const rows = fresh.map(({ cube, kind, id, day, name }) => [cube, kind, id, day, name]);
  if (rows.length > 0) await insertNames(names, connection, rows, sql`nothing`);
  return fresh.map(keyOf);
}

/** Values keep their names if they have a row or their object has room today; others become `otherValue`. */
export async function admitNames(
  database: Names,
  connection: Kysely<Schema>,
  traffic: readonly TrafficCounts[],
): Promise<readonly TrafficCounts[]> {
  const wanted = new Map<string, NamedValue>();
  for (const row of traffic) {
    const named = namedIn(row);
    if (named) wanted.set(keyOf(named), named);
  }
  if (wanted.size === 0) return traffic;
  const kept = await keptNames(database, connection, [...wanted.values()]);
  const isUnknown = (one: NamedValue) => !kept.has(keyOf(one));
  let unknown = [...wanted.values()].filter(isUnknown);
  if (unknown.length > 0) {
    await lockObjects(database, connection, unknown);
    for (const key of await keptNames(database, connection, unknown)) kept.add(key);
    unknown = unknown.filter(isUnknown);
    for (const key of await admitted(database, connection, unknown)) kept.add(key);
  }
  return traffic.map((row) => {
    const named = namedIn(row);
    if (!named || kept.has(keyOf(named))) return row;
    const { attributes }: Cube = cubes[row.cube];
    const values = row.values.map((value, index) => (attributes[index] === 'medium' ? value : otherValue));
    return { ...row, values };
  });
}
