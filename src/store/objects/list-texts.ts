import { setImmediate as turn } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { TextParts } from '../interface.ts';

export interface List {
  readonly entity: string;
  readonly id: number;
}

/** Earlier revisions stay readable. Yields between parts. An empty text is one empty part, to have a revision. */
export async function writeText(
  connection: Kysely<Schema>,
  { entity, id, revision }: List & { readonly revision: number },
  parts: TextParts,
): Promise<void> {
  for (const [part, text] of (parts.length === 0 ? [''] : parts).entries()) {
    await connection
      .insertInto('list_text')
      .values({ entity, entity_id: id, revision, part, text })
      .execute();
    await turn();
  }
}

/** As of another revision (by default the last); undefined if none did. */
export async function textRevision(
  connection: Kysely<Schema>,
  { entity, id }: List,
  atRevision: number = Number.MAX_SAFE_INTEGER,
): Promise<number | undefined> {
  const { rows } = await sql<{ revision: number | null }>`select max(revision) as revision from list_text
    where entity = ${entity} and entity_id = ${id} and revision <= ${atRevision}`.execute(connection);
  return rows[0]?.revision ?? undefined;
}

/** Undefined if the text has fewer. */
export async function readPart(
  connection: Kysely<Schema>,
  { entity, id }: List,
  revision: number,
  part: number,
): Promise<string | undefined> {
  const row = await connection
    .selectFrom('list_text')
    .select('text')
    .where('entity', '=', entity)
    .where('entity_id', '=', id)
    .where('revision', '=', revision)
    .where('part', '=', part)
    .executeTakeFirst();
  return row?.text;
}

/** As of a revision (by default the last), one part at a time. */
export async function* readText(
  connection: Kysely<Schema>,
  list: List,
  atRevision?: number,
): AsyncGenerator<string> {
  const revision = await textRevision(connection, list, atRevision);
  if (revision === undefined) return;
  for (let part = 0; ; part += 1) {
    const text = await readPart(connection, list, revision, part);
    if (text === undefined) return;
    if (text !== '') yield text;
  }
}
