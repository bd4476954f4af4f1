import { sql } from 'kysely';
import { lastRevision } from './change-log.ts';
import type { TeamReads } from './interface.ts';
import { readText } from './list-texts.ts';
import type { ObjectReader } from './object-query.ts';
import { tableName, tableOf } from './tables.ts';
import { type DocumentQuery, readDocuments } from './whole-documents.ts';

/** Where a team is read: on the connection of a transaction, or on that of readers. */
interface Desk extends DocumentQuery {
  readonly read: ObjectReader;
}

async function missing({ database, connection, teamId }: Desk, key: string, ids: readonly number[]) {
  const { rows } = await sql<{ id: number }>`select id from ${sql.table(tableName(key))}
    where team_id = ${teamId} and id in ${database.idsIn(JSON.stringify(ids))}`.execute(connection);
  const found = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => !found.has(id));
}

/** The reads of a team on one connection. */
export function teamReads(desk: Desk): TeamReads {
  const { connection, read, teamId } = desk;
  return {
    revision: () => lastRevision(connection, teamId),
    async find(entity, id) {
      // No object has the ID 0, which in a filter means any.
      if (id === 0) return undefined;
      return (await read(entity, 'single', connection, { teamId, id }))[0];
    },
    page: (entity, filter, limit) => read(entity, 'single', connection, { ...filter, teamId, limit }),
    documents: (entity, ids) => readDocuments(desk, entity, ids),
    text: (entity, id) => readText(connection, { entity: entity.key, id }),
    missing: (key, ids) => missing(desk, key, ids),
    async taken(entity, field, value, exceptId) {
      if (field !== 'Username') throw new Error(`no column holds ${entity.key}.${field}`);
      const row = await connection
        .selectFrom(tableOf(entity.key))
        .select('id')
        .where('username', '=', value)
        .where('id', '!=', exceptId)
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}
