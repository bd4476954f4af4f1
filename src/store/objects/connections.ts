import { sql } from 'kysely';
import { entityOf } from '../../entities/registry.ts';
import { cell } from '../database/cell.ts';
import type { Database } from '../database/database.ts';
import { inBatches } from '../database/in-batches.ts';
import type { LinkChange } from '../interface.ts';
import { type Change, type LogContext, recordChanges } from '../log/change-log.ts';
import type { DeferredRevisions } from './deferred-revisions.ts';
import type { Edge } from './edges.ts';

/** More than any array holds, so that later revisions' positions come last. */
const positionsPerRevision = 2 ** 20;

export interface ConnectionWrite {
  readonly edge: Edge;
  readonly id: number;
  readonly ids: readonly number[];
  /** Of the change that connects them. */
  readonly revision: number;
  /** Just added, so nothing is connected to it yet. */
  readonly isNew: boolean;
}

/** On the other side, with how its field changes. */
type LinkedObject = readonly [other: number, links: LinkChange];

/** Where statements go. */
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

/** The object's indexes in the other objects' arrays, as removed links. */
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

/** Returns how objects on the other side change. */
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

/** For the objects on the other side. */
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
 * Sets the objects that `id` names in a field, in order. On the other side a new connection comes last and an old one
 * keeps its place; each object there gets a change.
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
