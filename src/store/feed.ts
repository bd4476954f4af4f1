import { CompiledQuery, type RawBuilder, sql } from 'kysely';
import type { Entity } from '../entities/entity.ts';
import { entityOf } from '../entities/registry.ts';
import type { Field, Place } from '../fields/field.ts';
import { lastRevision } from './change-log.ts';
import type { Database } from './database.ts';
import { edgesOf } from './edges.ts';
import type { Feed, FeedChange, FeedObject } from './feed-interface.ts';
import { idArrayColumn, readIdArray } from './id-arrays.ts';
import { readText } from './list-texts.ts';
import { tableName } from './tables.ts';

const objectsPerPage = 500;

type Row = Record<string, unknown>;

/** What a field of the document holds where it was never written, by where the field table says its value comes from. */
const omittedAt: Readonly<Partial<Record<Place['kind'], (field: Field) => unknown>>> = {
  document: ({ omitted }) => omitted,
  secret: () => '',
  lineCount: () => 0,
};

/** The document of an object of which nobody has sent anything. Objects share its empty lists. */
function omittedDocument({ fields }: Entity): Readonly<Row> {
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
function documentFiller(entity: Entity): (stored: Readonly<Row>) => Readonly<Row> {
  const omitted = omittedDocument(entity);
  const names = Object.keys(omitted);
  return (stored) => {
    const document = { ...omitted };
    for (const name of names) {
      const value = stored[name];
      if (value !== undefined && !isEmptyList(value)) document[name] = value;
    }
    return document;
  };
}

function textRevisionColumn(entity: Entity): RawBuilder<unknown>[] {
  const hasText = Object.values(entity.fields).some(({ place }) => place.kind === 'listText');
  if (!hasText) return [];
  return [
    sql`(select max(revision) from list_text where entity = ${sql.lit(entity.key)} and entity_id = e.id)
      as text_revision`,
  ];
}

/** Which objects a page is of: those after an ID, of a list of IDs where there is one. */
interface Page {
  readonly afterId: number;
  readonly ids: string | undefined;
}

function pageQuery(database: Database, entity: Entity, isOfIds: boolean): CompiledQuery {
  const columns = [
    sql`e.id, e.team_id, e.owner_id, e.status, e.doc`,
    ...edgesOf(entity).map((edge) => idArrayColumn(database, edge)),
    ...textRevisionColumn(entity),
  ];
  const among = isOfIds ? sql`and e.id in ${database.idsIn('')}` : sql``;
  return sql`select ${sql.join(columns)} from ${sql.table(tableName(entity.key))} e
    where e.id > ${0} ${among} order by e.id limit ${objectsPerPage}`.compile(database.reader);
}

/** Reads objects of one entity page by page; its two statements are compiled once. */
function pageReader(database: Database, entity: Entity): (page: Page) => Promise<FeedObject[]> {
  const fill = documentFiller(entity);
  const fields = edgesOf(entity).map(({ field }) => field);
  const all = pageQuery(database, entity, false).sql;
  const some = pageQuery(database, entity, true).sql;
  const objectOf = (row: Row): FeedObject => {
    const connections: Record<string, readonly number[]> = {};
    for (const field of fields) connections[field] = readIdArray(row[field]);
    return {
      entity: entity.key,
      id: row.id as number,
      teamId: row.team_id as number,
      ownerId: (row.owner_id ?? undefined) as number | undefined,
      status: row.status as number,
      document: fill(JSON.parse(row.doc as string)),
      connections,
      textRevision: (row.text_revision ?? 0) as number,
    };
  };
  return async ({ afterId, ids }) => {
    const query =
      ids === undefined
        ? CompiledQuery.raw(all, [afterId, objectsPerPage])
        : CompiledQuery.raw(some, [afterId, ids, objectsPerPage]);
    const { rows } = await database.reader.executeQuery<Row>(query);
    return rows.map(objectOf);
  };
}

function createPageReaders(database: Database) {
  const readers = new Map<string, ReturnType<typeof pageReader>>();
  return (key: string) => {
    const known = readers.get(key);
    if (known) return known;
    const reader = pageReader(database, entityOf(key));
    readers.set(key, reader);
    return reader;
  };
}

/** The feed of a database. `onChange` is the store's own. */
export function createFeed(database: Database, onChange: Feed['onChange']): Feed {
  const readerOf = createPageReaders(database);
  async function* objects(key: string, picked?: readonly number[]) {
    const read = readerOf(key);
    const ids = picked && JSON.stringify(picked);
    for (let afterId = 0; ; ) {
      const page = await read({ afterId, ids });
      if (page.length > 0) yield page;
      if (page.length < objectsPerPage) return;
      afterId = page.at(-1)?.id ?? afterId;
    }
  }
  return {
    revision: () => lastRevision(database.reader),
    objects,
    async object(key, id) {
      for await (const [object] of objects(key, [id])) return object;
      return undefined;
    },
    async changes(afterRevision, limit) {
      const rows = await database.reader
        .selectFrom('change')
        .select(['revision', 'entity', 'entity_id as id'])
        .where('revision', '>', afterRevision)
        .orderBy('revision')
        .limit(limit)
        .execute();
      return rows.map(({ revision, entity, id }): FeedChange => ({ revision, entity, id }));
    },
    text: (key, id) => readText(database.reader, { entity: entityOf(key).key, id }),
    onChange,
  };
}
