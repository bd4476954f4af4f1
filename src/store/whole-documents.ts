import { type Kysely, sql } from 'kysely';
import type { Entity } from '../entities/entity.ts';
import { settingsFiller } from '../entities/filled-settings.ts';
import type { Database } from './database.ts';
import type { WholeDocument } from './interface.ts';
import type { Schema } from './schema.ts';
import { tableName } from './tables.ts';

/** The team whose documents are read, and the connection to read them on. */
export interface DocumentQuery {
  readonly database: Database;
  readonly connection: Kysely<Schema>;
  readonly teamId: number;
}

/** Documents of the team's objects with these IDs, in order of ID, without connections, counts or accounts. */
export async function readDocuments(
  { database, connection, teamId }: DocumentQuery,
  entity: Entity,
  ids: readonly number[],
): Promise<WholeDocument[]> {
  const { rows } = await sql<{ id: number; owner_id: number | null; doc: string }>`
    select id, owner_id, doc from ${sql.table(tableName(entity.key))}
    where team_id = ${teamId} and id in ${database.idsIn(JSON.stringify(ids))} order by id`.execute(
    connection,
  );
  const fill = settingsFiller(entity);
  return rows.map(({ id, owner_id, doc }) => ({
    entity: entity.key,
    id,
    ownerId: owner_id ?? undefined,
    document: fill(JSON.parse(doc)),
  }));
}
