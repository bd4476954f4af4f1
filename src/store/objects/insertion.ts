import { type Kysely, sql } from 'kysely';
import type { Entity } from '../../entities/entity.ts';
import type { Database } from '../database/database.ts';
import type { ObjectTable, Schema } from '../database/schema.ts';
import { tableName } from '../database/tables.ts';
import type { StoredObject } from '../interface.ts';
import { additionMaker, selectAddition } from './object-query.ts';

/** Without what the statement sets: ID, status and revision. */
export type NewObject = Omit<ObjectTable, 'id' | 'status' | 'revision'>;

/** Besides the values of the object's row. */
export interface LoggedAddition {
  readonly timeMs: number;
  readonly userId: number;
  /** JSON of the stored values. */
  readonly after: string;
  readonly batchId: string | undefined;
}

/** Returns the single form, or undefined if its username is taken. */
type Insertion = (
  connection: Kysely<Schema>,
  object: NewObject,
  by: LoggedAddition,
) => Promise<StoredObject | undefined>;

/** Placeholder for each run's value. */
const value = sql`${null}`;

/**
 * IDs count up under the writers' lock. A sequence would not go back after a dry run, which would then show an ID that
 * the object never gets.
 */
function compileInsertion(database: Database, entity: Entity): Insertion {
  const table = tableName(entity.key);
  const insert = sql`insert into ${sql.table(table)}
      (id, team_id, owner_id, manager_id, name, username, stats_auth, doc, status, revision)
    values ((select coalesce(max(id), 0) + 1 from ${sql.table(table)}),
      ${value}, ${value}, ${value}, ${value}, ${value}, ${value}, ${value}, 0,
      (select coalesce(max(revision), 0) + 1 from change))
    on conflict (username) where username is not null do nothing`;
  const run = database.compileInsertion({
    table,
    insert,
    record: (rows) => sql`insert into change
      (time, user_id, "after", batch_id, revision, team_id, owner_id, entity, entity_id, operation)
      select ${value}, ${value}, ${value}, ${value}, e.revision, e.team_id, e.owner_id, ${sql.lit(entity.key)}, e.id, 'add'
      from ${rows}`,
    read: (rows) => selectAddition(entity, rows),
  });
  const objectOf = additionMaker(entity);
  return async (connection, object, { timeMs, userId, after, batchId }) => {
    const { team_id, owner_id, manager_id, name, username, stats_auth, doc } = object;
    const values = [team_id, owner_id, manager_id, name, username, stats_auth, doc];
    const row = await run(connection, values, [timeMs, userId, after, batchId ?? null]);
    return row && objectOf(row, object);
  };
}

export type ObjectInserter = (entity: Entity, ...insertion: Parameters<Insertion>) => ReturnType<Insertion>;

/** For all entities; statements are compiled at first use. */
export function createObjectInserter(database: Database): ObjectInserter {
  const insertions = new Map<Entity, Insertion>();
  return (entity, ...insertion) => {
    let insert = insertions.get(entity);
    if (!insert) {
      insert = compileInsertion(database, entity);
      insertions.set(entity, insert);
    }
    return insert(...insertion);
  };
}
