import { type Kysely, sql } from 'kysely';
import type { Entity } from '../../entities/entity.ts';
import { settingsFiller } from '../../entities/filled-settings.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { tableName, tableOf } from '../database/tables.ts';
import type { TeamReads, WholeDocument } from '../interface.ts';
import { lastRevision } from '../log/change-log.ts';
import { readText } from './list-texts.ts';
import type { ObjectReader } from './object-query.ts';
import { uniqueValue } from './unique-value.ts';

/** Of a transaction, or of readers. */
interface TeamReader {
  readonly database: Database;
  readonly connection: Kysely<Schema>;
  readonly teamId: number;
  readonly read: ObjectReader;
}

async function missing({ database, connection, teamId }: TeamReader, key: string, ids: readonly number[]) {
  const { rows } = await sql<{ id: number }>`select id from ${sql.table(tableName(key))}
    where team_id = ${teamId} and id in ${database.idsIn(JSON.stringify(ids))}`.execute(connection);
  const found = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => !found.has(id));
}

/** In order of ID, without connections, counts or accounts. */
async function documents(
  { database, connection, teamId }: TeamReader,
  entity: Entity,
  ids: readonly number[],
): Promise<WholeDocument[]> {
  const { rows } = await sql<{ id: number; owner_id: number | null; status: number; doc: string }>`
    select id, owner_id, status, doc from ${sql.table(tableName(entity.key))}
    where team_id = ${teamId} and id in ${database.idsIn(JSON.stringify(ids))} order by id`.execute(
    connection,
  );
  const fill = settingsFiller(entity);
  return rows.map(({ id, owner_id, status, doc }) => ({
    entity: entity.key,
    id,
    teamId,
    ownerId: owner_id ?? undefined,
    status,
    document: fill(JSON.parse(doc)),
  }));
}

export function teamReads(reader: TeamReader): TeamReads {
  const { connection, read, teamId } = reader;
  return {
    revision: () => lastRevision(connection, teamId),
    async find(entity, id) {
      // No object has the ID 0, which in a filter means any.
      if (id === 0) return undefined;
      return (await read(entity, 'single', connection, { teamId, id }))[0];
    },
    page: (entity, filter, limit) => read(entity, 'single', connection, { ...filter, teamId, limit }),
    documents: (entity, ids) => documents(reader, entity, ids),
    text: (entity, id) => readText(connection, { entity: entity.key, id }),
    missing: (key, ids) => missing(reader, key, ids),
    async taken(entity, value, exceptId) {
      const { field = '' } = entity.unique ?? {};
      const row = await connection
        .selectFrom(tableOf(entity.key))
        .select('id')
        .where('username', '=', uniqueValue(entity, { [field]: value }, teamId))
        .where('id', '!=', exceptId)
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}
