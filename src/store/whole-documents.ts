import { type Kysely, sql } from 'kysely';
import type { Entity } from '../entities/entity.ts';
import type { Field, Place } from '../fields/field.ts';
import type { Database } from './database.ts';
import type { Values, WholeDocument } from './interface.ts';
import type { Schema } from './schema.ts';
import { tableName } from './tables.ts';

/** The value of a document field that was never written, by the kind of place that the field table gives for it. */
const omittedAt: Readonly<Partial<Record<Place['kind'], (field: Field) => unknown>>> = {
  document: ({ omitted }) => omitted,
  secret: () => '',
  lineCount: () => 0,
};

/** The document of an object for which nothing was sent. Objects share its empty lists. */
function omittedDocument({ fields }: Entity): Values {
  const rows = Object.entries(fields).flatMap(([name, field]) => {
    const omitted = omittedAt[field.place.kind];
    return omitted ? [[name, Object.freeze(omitted(field))] as const] : [];
  });
  return Object.fromEntries(rows);
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Fills stored documents of an entity; all of them then have the same form, so that each takes little memory. */
export function documentFiller(entity: Entity): (stored: Values) => Values {
  const omitted = omittedDocument(entity);
  const names = Object.keys(omitted);
  return (stored) => {
    const document: Record<string, unknown> = { ...omitted };
    for (const name of names) {
      const value = stored[name];
      if (value !== undefined && !isEmptyList(value)) document[name] = value;
    }
    return document;
  };
}

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
  const fill = documentFiller(entity);
  return rows.map(({ id, owner_id, doc }) => ({
    entity: entity.key,
    id,
    ownerId: owner_id ?? undefined,
    document: fill(JSON.parse(doc)),
  }));
}
