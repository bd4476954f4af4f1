import { type Kysely, sql } from 'kysely';
import type { Entity } from '../entities/entity.ts';
import type { Field, Place } from '../fields/field.ts';
import type { Database } from './database.ts';
import type { Values, WholeDocument } from './interface.ts';
import type { Schema } from './schema.ts';
import { tableName } from './tables.ts';

/** What a field of the document holds where it was never written, by where the field table says its value comes from. */
const omittedAt: Readonly<Partial<Record<Place['kind'], (field: Field) => unknown>>> = {
  document: ({ omitted }) => omitted,
  secret: () => '',
  lineCount: () => 0,
};

/** The document of an object of which nobody has sent anything. Objects share its empty lists. */
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

/** Which documents, and where they are read. */
export interface DocumentQuery {
  readonly database: Database;
  readonly connection: Kysely<Schema>;
  readonly teamId: number;
}

/** Documents of those of the team's objects that the IDs name, in order of ID, without anything else of theirs. */
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
