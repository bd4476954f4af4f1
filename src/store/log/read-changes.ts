import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { ChangeTable, Schema } from '../database/schema.ts';
import type { BatchPart, ChangedObject, ChangeFilter, ChangeRecord } from '../interface.ts';

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
    ...(row.batch_id === null ? {} : { batchId: row.batch_id }),
  };
}

type LogReader = Pick<Database, 'reader' | 'hasMember'>;

type Condition = RawBuilder<boolean>;
type Column = (name: keyof ChangeTable) => RawBuilder<unknown>;

const equal = (column: RawBuilder<unknown>, value: string | number | undefined): Condition[] =>
  value === undefined ? [] : [sql<boolean>`${column} = ${value}`];

/** All but the revisions, of columns of the table or of an alias. */
function conditionsOf(of: Column, hasMember: Database['hasMember'], filter: ChangeFilter): Condition[] {
  const { exceptEntities, field, fromMs, untilMs } = filter;
  return [
    ...equal(of('entity'), filter.entity),
    ...(exceptEntities ? [sql<boolean>`${of('entity')} not in (${sql.join(exceptEntities)})`] : []),
    ...equal(of('entity_id'), filter.id),
    ...equal(of('owner_id'), filter.ownerId),
    ...equal(of('former_owner_id'), filter.formerOwnerId),
    ...equal(of('user_id'), filter.userId),
    ...equal(of('batch_id'), filter.batchId),
    ...(field === undefined ? [] : [withField(of, hasMember, field)]),
    ...(fromMs === undefined ? [] : [sql<boolean>`${of('time')} >= ${fromMs}`]),
    ...(untilMs === undefined ? [] : [sql<boolean>`${of('time')} < ${untilMs}`]),
  ];
}

function withField(of: Column, hasMember: Database['hasMember'], field: string): Condition {
  const columns = (['after', 'links', 'before'] as const).map((name) => hasMember(of(name), field));
  return sql`(${sql.join(columns, sql` or `)})`;
}

const ofTable: Column = (name) => sql.ref(`change.${name}`);
const ofEarlier: Column = (name) => sql.ref(`earlier.${name}`);

/** No change of the same batch before it meets the conditions. */
function isFirstOfBatch(hasMember: Database['hasMember'], filter: ChangeFilter): Condition {
  const isEarlier = sql<boolean>`earlier.team_id = change.team_id and earlier.batch_id = change.batch_id
    and earlier.revision < change.revision`;
  const conditions = [isEarlier, ...conditionsOf(ofEarlier, hasMember, filter)];
  return sql`(change.batch_id is null or not exists
    (select 1 from change earlier where ${sql.join(conditions, sql` and `)}))`;
}

/** Filtered, in order of revision. */
function changesOf({ reader, hasMember }: LogReader, teamId: number, filter: ChangeFilter) {
  const isOfFew = (filter.id ?? filter.ownerId ?? filter.formerOwnerId) !== undefined;
  // The plus keeps SQLite from walking the team's whole log if an index of object or owner leads to a few rows.
  const team = filter.entity !== undefined && isOfFew ? sql<number>`+team_id` : sql.ref<number>('team_id');
  let query = reader.selectFrom('change').where(team, '=', teamId);
  for (const condition of conditionsOf(ofTable, hasMember, filter)) query = query.where(condition);
  if (filter.oncePerBatch) query = query.where(isFirstOfBatch(hasMember, filter));
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

const connecting = 'connect';

/** Of each batch, by entity and operation, without changes that only connected. */
export async function readBatchParts(
  connection: Kysely<Schema>,
  teamId: number,
  batchIds: readonly string[],
): Promise<BatchPart[]> {
  if (batchIds.length === 0) return [];
  const rows = await connection
    .selectFrom('change')
    .where('team_id', '=', teamId)
    .where('batch_id', 'in', batchIds)
    .where('operation', '<>', connecting)
    .groupBy(['batch_id', 'entity', 'operation'])
    .orderBy(({ fn }) => fn.min('revision'))
    .select(({ fn }) => [
      'batch_id',
      'entity',
      'operation',
      fn.count<number>('entity_id').distinct().as('objects'),
      sql<number>`case when min(coalesce(before, '')) = max(coalesce(before, ''))
        and min(after) = max(after) then 1 else 0 end`.as('same'),
    ])
    .execute();
  return rows.map(({ batch_id, entity, operation, objects, same }) => ({
    batchId: String(batch_id),
    entity,
    operation,
    objects: Number(objects),
    isSame: Number(same) === 1,
  }));
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
