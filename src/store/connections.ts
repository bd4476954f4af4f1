import type { Kysely } from 'kysely';
import { entityOf } from '../entities/registry.ts';
import { type Change, type Recording, record } from './change-log.ts';
import type { Database } from './database.ts';
import type { Edge } from './edges.ts';
import type { Links } from './interface.ts';
import type { Schema } from './schema.ts';
import { tableOf } from './tables.ts';

const rowsPerStatement = 500;
/** More than any array holds, so that positions of a later revision come after those of an earlier one. */
const positionsPerRevision = 2 ** 20;

/** Which connections of one object are to be which. */
export interface Connecting {
  readonly edge: Edge;
  readonly id: number;
  readonly ids: readonly number[];
  /** Of the change that connects. */
  readonly revision: number;
  /** Whether the object has just been added, so that nothing is connected to it yet. */
  readonly isNew: boolean;
}

interface Existing {
  readonly other: number;
  readonly otherPosition: number;
}

async function existing(connection: Kysely<Schema>, { edge, id }: Connecting): Promise<Existing[]> {
  const rows = await connection
    .selectFrom('connection')
    .select([`${edge.other} as other`, `${edge.otherPosition} as otherPosition`])
    .where('kind', '=', edge.kind)
    .where(edge.self, '=', id)
    .execute();
  return rows as Existing[];
}

/** Where in the other object's array this one stands. */
async function indexIn(
  connection: Kysely<Schema>,
  edge: Edge,
  { other, otherPosition }: Existing,
): Promise<number> {
  const { count } = await connection
    .selectFrom('connection')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('kind', '=', edge.kind)
    .where(edge.other, '=', other)
    .where(edge.otherPosition, '<', otherPosition)
    .executeTakeFirstOrThrow();
  return Number(count);
}

async function remove(database: Database, connection: Kysely<Schema>, { edge, id, ids }: Connecting) {
  await connection
    .deleteFrom('connection')
    .where('kind', '=', edge.kind)
    .where(edge.self, '=', id)
    .where(edge.other, 'not in', database.idsIn(JSON.stringify(ids)))
    .execute();
}

async function put(connection: Kysely<Schema>, { edge, id, ids, revision }: Connecting): Promise<void> {
  const base = revision * positionsPerRevision;
  for (let from = 0; from < ids.length; from += rowsPerStatement) {
    const rows = ids.slice(from, from + rowsPerStatement).map((other, index) => ({
      kind: edge.kind,
      [edge.self]: id,
      [edge.other]: other,
      [edge.position]: base + from + index,
      [edge.otherPosition]: base + from + index,
    }));
    await connection
      .insertInto('connection')
      .values(rows as never)
      .onConflict((conflict) =>
        conflict
          .columns(['kind', 'left_id', 'right_id'])
          .doUpdateSet((excluded) => ({ [edge.position]: excluded.ref(`excluded.${edge.position}`) })),
      )
      .execute();
  }
}

/** What the objects on the other side see of it: each one that is newly connected, or no more. */
async function changesBeyond(
  recording: Recording,
  { edge, id, ids }: Connecting,
  before: readonly Existing[],
) {
  const wanted = new Set(ids);
  const had = new Set(before.map(({ other }) => other));
  const links: [other: number, links: Links][] = ids
    .filter((other) => !had.has(other))
    .map((other) => [other, { Added: [id], Removed: [] }]);
  for (const row of before) {
    if (wanted.has(row.other)) continue;
    const Index = await indexIn(recording.connection, edge, row);
    links.push([row.other, { Added: [], Removed: [{ Id: id, Index }] }]);
  }
  return links;
}

async function recordBeyond(
  database: Database,
  recording: Recording,
  edge: Edge,
  links: readonly [other: number, links: Links][],
): Promise<void> {
  const { otherField, otherEntity } = edge;
  if (otherField === undefined || links.length === 0) return;
  const first = await recording.log.take(links.length);
  const entity = entityOf(otherEntity);
  const changes = links.map(
    ([id, link], index): Change => ({
      revision: first + index,
      entity,
      id,
      operation: 'connect',
      before: null,
      after: {},
      links: { [otherField]: link },
    }),
  );
  await record(recording, changes);
  const table = tableOf(otherEntity);
  const others = JSON.stringify(links.map(([id]) => id));
  await recording.connection
    .updateTable(table)
    .set(({ selectFrom }) => ({
      revision: selectFrom('change')
        .select(({ fn }) => fn.max('revision').as('revision'))
        .where('entity', '=', otherEntity)
        .whereRef('entity_id', '=', `${table}.id` as 'change.entity_id'),
    }))
    .where('id', 'in', database.idsIn(others))
    .execute();
}

/**
 * Makes `ids` the objects that object `id` names in one of its fields, in their order. On the other side a new
 * connection comes last, and one that stays keeps its place; each object there gets a change of its own.
 */
export async function connect(
  database: Database,
  recording: Recording,
  connecting: Connecting,
): Promise<void> {
  const { connection } = recording;
  const before = connecting.isNew ? [] : await existing(connection, connecting);
  const beyond = await changesBeyond(recording, connecting, before);
  if (before.length > 0) await remove(database, connection, connecting);
  await put(connection, connecting);
  await recordBeyond(database, recording, connecting.edge, beyond);
}
