import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { ChangeTable, Schema } from '../database/schema.ts';
import type { ChangedObject, ChangeFilter, ChangeRecord } from '../interface.ts';

function parsed(text: string | null) {
  return text === null ? null : JSON.parse(text);
}

function recordOf(row: ChangeTable): ChangeRecord {
  return {
    revision: Number(row.revision),
    timeMs: Number(row.time),
    userId: row.user_id,
    entity: row.entity,
    id: row.entity_id,
    operation: row.operation,
    before: parsed(row.before),
    after: parsed(row.after),
    links: parsed(row.links) ?? {},
  };
}

type LogReader = Pick<Database, 'reader' | 'hasMember'>;

/** Filtered, in order of revision. */
function changesOf({ reader, hasMember }: LogReader, teamId: number, filter: ChangeFilter) {
  const { field } = filter;
  const isOfFew = (filter.id ?? filter.ownerId ?? filter.formerOwnerId) !== undefined;
  // The plus keeps SQLite from walking the team's whole log if an index of object or owner leads to a few rows.
  const team = filter.entity !== undefined && isOfFew ? sql<number>`+team_id` : sql.ref<number>('team_id');
  let query = reader.selectFrom('change').where(team, '=', teamId);
  if (filter.entity !== undefined) query = query.where('entity', '=', filter.entity);
  if (filter.exceptEntities) query = query.where('entity', 'not in', filter.exceptEntities);
  if (filter.id !== undefined) query = query.where('entity_id', '=', filter.id);
  if (filter.ownerId !== undefined) query = query.where('owner_id', '=', filter.ownerId);
  if (filter.formerOwnerId !== undefined) query = query.where('former_owner_id', '=', filter.formerOwnerId);
  if (filter.userId !== undefined) query = query.where('user_id', '=', filter.userId);
  if (field !== undefined) {
    const columns = ['after', 'links', 'before'].map((column) => hasMember(sql.ref(column), field));
    query = query.where(sql<boolean>`(${sql.join(columns, sql` or `)})`);
  }
  if (filter.fromMs !== undefined) query = query.where('time', '>=', filter.fromMs);
  if (filter.untilMs !== undefined) query = query.where('time', '<', filter.untilMs);
  if (filter.afterRevision !== undefined) query = query.where('revision', '>', filter.afterRevision);
  if (filter.upToRevision !== undefined) query = query.where('revision', '<=', filter.upToRevision);
  return query.orderBy('revision', filter.newestFirst ? 'desc' : 'asc');
}

/** Filtered, in order of revision. */
export async function readChanges(
  log: LogReader,
  teamId: number,
  filter: ChangeFilter,
  limit: number,
): Promise<ChangeRecord[]> {
  const rows = await changesOf(log, teamId, filter).selectAll().limit(limit).execute();
  return rows.map(recordOf);
}

/** Revisions only: a change can hold a megabyte. */
export async function readRevisions(
  log: LogReader,
  teamId: number,
  filter: ChangeFilter,
  limit: number,
): Promise<number[]> {
  const rows = await changesOf(log, teamId, filter).select('revision').limit(limit).execute();
  return rows.map(({ revision }) => Number(revision));
}

/** Of a team or (`undefined`) of all, in order. */
export async function readChanged(
  connection: Kysely<Schema>,
  teamId: number | undefined,
  afterRevision: number,
  limit: number,
): Promise<ChangedObject[]> {
  let query = connection.selectFrom('change').select(['revision', 'entity', 'entity_id as id']);
  if (teamId !== undefined) query = query.where('team_id', '=', teamId);
  const rows = await query.where('revision', '>', afterRevision).orderBy('revision').limit(limit).execute();
  return rows.map(({ revision, entity, id }) => ({ revision: Number(revision), entity, id }));
}
