import { sql } from 'kysely';
import { entityOf } from '../../entities/registry.ts';
import { cell } from '../database/cell.ts';
import type { Database } from '../database/database.ts';
import { inBatches } from '../database/in-batches.ts';
import type { LinkChange } from '../interface.ts';
import { type Change, type LogContext, recordChanges } from '../log/change-log.ts';
import type { DeferredRevisions } from './deferred-revisions.ts';
import type { Edge } from './edges.ts';

/** More than any array holds, so that positions of a later revision come after those of an earlier one. */
const positionsPerRevision = 2 ** 20;

/** What one field of an object is to be connected to. */
export interface ConnectionWrite {
  readonly edge: Edge;
  readonly id: number;
  readonly ids: readonly number[];
  /** Revision of the change that connects them. */
  readonly revision: number;
  /** Whether the object has just been added, so that nothing is connected to it yet. */
  readonly isNew: boolean;
}

/** ID of an object on the other side, and how its field changes. */
type LinkedObject = readonly [other: number, links: LinkChange];

/** Where a writer's statements go. */
export interface ConnectionContext extends LogContext {
  readonly database: Database;
  readonly revisions: DeferredRevisions;
}

async function existing({ connection }: ConnectionContext, { edge, id }: ConnectionWrite): Promise<number[]> {
  const rows = await connection
    .selectFrom('connection')
    .select(edge.other)
    .where('kind', '=', edge.kind)
    .where(edge.self, '=', id)
    .execute();
  return rows.map((row) => row[edge.other]);
}

/** At which index the arrays of the other objects hold this one, as the links that are removed there. */
async function indexesIn(
  { database, connection }: ConnectionContext,
  { edge, id }: ConnectionWrite,
  others: readonly number[],
): Promise<LinkedObject[]> {
  const { kind, self, other, otherPosition } = edge;
  const { rows } = await sql<{ other: number; index: number }>`
    select c.${sql.ref(other)} as other, (
      select count(*) from connection before where before.kind = c.kind
        and before.${sql.ref(other)} = c.${sql.ref(other)}
        and before.${sql.ref(otherPosition)} < c.${sql.ref(otherPosition)}
    ) as "index"
    from connection c where c.kind = ${kind} and c.${sql.ref(self)} = ${id}
      and c.${sql.ref(other)} in ${database.idsIn(JSON.stringify(others))}`.execute(connection);
  return rows.map((row) => [row.other, { Added: [], Removed: [{ Id: id, Index: Number(row.index) }] }]);
}

async function removeLot(
  { database, connection }: ConnectionContext,
  { edge, id }: ConnectionWrite,
  others: readonly number[],
): Promise<void> {
  await connection
    .deleteFrom('connection')
    .where('kind', '=', edge.kind)
    .where(edge.self, '=', id)
    .where(edge.other, 'in', database.idsIn(JSON.stringify(others)))
    .execute();
}

/** Removes connections; answers how that changes the objects on the other side. */
async function remove(
  context: ConnectionContext,
  write: ConnectionWrite,
  others: readonly number[],
): Promise<readonly LinkedObject[]> {
  const links: LinkedObject[] = [];
  for await (const lot of inBatches(others)) {
    links.push(...(await indexesIn(context, write, lot)));
    await removeLot(context, write, lot);
  }
  return links;
}

async function put(
  { database, connection }: ConnectionContext,
  { edge, id, ids, revision }: ConnectionWrite,
): Promise<void> {
  const { kind, self, other, position, otherPosition } = edge;
  const base = revision * positionsPerRevision;
  const columns = sql.join(['kind', self, other, position, otherPosition].map((name) => sql.ref(name)));
  const placed = ids.map((named, index) => [named, base + index]);
  for await (const lot of inBatches(placed)) {
    await sql`insert into connection (${columns})
      select cast(${kind} as text), cast(${id} as integer), cast(${cell(0, 'bigint')} as integer),
        ${cell(1, 'bigint')}, ${cell(1, 'bigint')}
      from ${database.rowsIn(JSON.stringify(lot))} where true
      on conflict (kind, left_id, right_id)
      do update set ${sql.ref(position)} = ${sql.ref(`excluded.${position}`)}`.execute(connection);
  }
}

/** Records how a change of connections changes the objects on the other side. */
async function recordLinks(
  context: ConnectionContext,
  edge: Edge,
  links: readonly LinkedObject[],
): Promise<void> {
  const { otherField, otherEntity } = edge;
  if (otherField === undefined || links.length === 0) return;
  const { log, revisions } = context;
  const first = await log.take(links.length);
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
  for await (const lot of inBatches(changes)) await recordChanges(context, lot);
  revisions.add(
    otherEntity,
    links.map(([id]) => id),
  );
}

/**
 * Makes `ids` the objects that object `id` names in one of its fields, in their order. On the other side a new
 * connection comes last, and one that stays keeps its place; each object there gets a change of its own.
 */
export async function connect(context: ConnectionContext, write: ConnectionWrite): Promise<void> {
  const { edge, id, ids, isNew } = write;
  const before = isNew ? [] : await existing(context, write);
  const [had, wanted] = [new Set(before), new Set(ids)];
  const added = ids
    .filter((other) => !had.has(other))
    .map((other): LinkedObject => [other, { Added: [id], Removed: [] }]);
  const gone = before.filter((other) => !wanted.has(other));
  const removed = await remove(context, write, gone);
  await put(context, write);
  await recordLinks(context, edge, [...added, ...removed]);
}
