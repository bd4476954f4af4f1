import { CompiledQuery, type RawBuilder, sql } from 'kysely';
import type { Entity } from '../entities/entity.ts';
import { settingsFiller } from '../entities/filled-settings.ts';
import { type FormerSecrets, formerSecretsIn } from '../entities/former-secrets.ts';
import { listTextOf } from '../entities/list-text-of.ts';
import { entityOf } from '../entities/registry.ts';
import type { ConfigurationFeed, ConfigurationObject } from '../exchange/configuration.ts';
import { credentialHash } from '../exchange/credential-hash.ts';
import { isForDelivery } from '../fields/field.ts';
import { ownMember, setOwnMember } from '../reference/own-member.ts';
import { formerZonesIn } from '../shared/limit-days.ts';
import type { Database } from './database/database.ts';
import { tableName } from './database/tables.ts';
import { lastRevision } from './log/change-log.ts';
import { readChanged } from './log/read-changes.ts';
import { edgesOf } from './objects/edges.ts';
import { idArrayColumn, readIdArray } from './objects/id-arrays.ts';
import { readText } from './objects/list-texts.ts';

const objectsPerPage = 500;
/** A server may be far away. */
const objectsPerQuestion = 5000;

type Row = Record<string, unknown>;

function textRevisionColumn(entity: Entity): RawBuilder<unknown>[] {
  if (listTextOf(entity) === undefined) return [];
  return [
    sql`(select max(revision) from list_text where entity = ${sql.lit(entity.key)} and entity_id = e.id)
      as text_revision`,
  ];
}

function select(database: Database, entity: Entity, where: RawBuilder<unknown>): string {
  const columns = [
    sql`e.id, e.team_id, e.owner_id, e.status, e.doc`,
    ...edgesOf(entity).map((edge) => idArrayColumn(database, edge)),
    ...textRevisionColumn(entity),
  ];
  return sql`select ${sql.join(columns)} from ${sql.table(tableName(entity.key))} e ${where}`.compile(
    database.reader,
  ).sql;
}

/** That delivery checks. */
const credentialsOf = ({ fields }: Entity): readonly string[] =>
  Object.entries(fields).flatMap(([name, field]) =>
    field.place.kind === 'secret' && isForDelivery(field) ? [name] : [],
  );

/** Of those fields only; undefined if there are none. */
function hashedFormer(former: FormerSecrets, names: readonly string[]): FormerSecrets | undefined {
  const hashed = names.flatMap((name) => {
    const secrets = ownMember(former, name)?.map(({ Value, UntilMs }) => ({
      Value: credentialHash(Value),
      UntilMs,
    }));
    return secrets ? [[name, secrets] as const] : [];
  });
  return hashed.length > 0 ? Object.fromEntries(hashed) : undefined;
}

/** With what delivery reads only: credentials as hashes (`credentialHash`). */
function rowReader(entity: Entity): (row: Row) => ConfigurationObject {
  const fill = settingsFiller(entity);
  const credentials = credentialsOf(entity);
  const hashed = (settings: Row): Row => {
    for (const name of credentials)
      setOwnMember(settings, name, credentialHash(String(ownMember(settings, name))));
    return settings;
  };
  const fields = edgesOf(entity).map(({ field }) => field);
  return (row) => {
    const connections: Record<string, readonly number[]> = {};
    const document = JSON.parse(row.doc as string);
    const former = formerSecretsIn(document);
    const formerSecrets = former && hashedFormer(former, credentials);
    const formerZones = formerZonesIn(document);
    for (const field of fields) setOwnMember(connections, field, readIdArray(ownMember(row, field)));
    return {
      entity: entity.key,
      id: row.id as number,
      teamId: row.team_id as number,
      ownerId: (row.owner_id ?? undefined) as number | undefined,
      status: row.status as number,
      settings: hashed(fill(document)),
      connections,
      ...(formerSecrets && { formerSecrets }),
      ...(formerZones && { formerZones }),
      textRevision: (row.text_revision ?? 0) as number,
    } as ConfigurationObject;
  };
}

/** Statements are compiled once. */
function pageReader(database: Database, entity: Entity) {
  const objectOf = rowReader(entity);
  const after = select(database, entity, sql`where e.id > ${0} order by e.id limit ${objectsPerPage}`);
  const among = select(database, entity, sql`where e.id in ${database.idsIn('')} order by e.id`);
  const read = async (text: string, values: readonly unknown[]) =>
    (await database.reader.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows;
  const rowsMax = database.isPipelined ? objectsPerQuestion : objectsPerPage;
  return {
    objectOf,
    rowsMax,
    after: (id: number) => read(after, [id, rowsMax]),
    /** As far as they exist. */
    among: async (ids: readonly number[]) => (await read(among, [JSON.stringify(ids)])).map(objectOf),
  };
}

type PageReader = ReturnType<typeof pageReader>;

async function* allPages({ after, objectOf, rowsMax }: PageReader) {
  for (let rows = await after(0); rows.length > 0; ) {
    const asked = rows.length < rowsMax ? Promise.resolve([]) : after(rows.at(-1)?.id as number);
    // Whoever reads on learns of a failure.
    asked.catch(() => undefined);
    for (let from = 0; from < rows.length; from += objectsPerPage)
      yield rows.slice(from, from + objectsPerPage).map(objectOf);
    rows = await asked;
  }
}

async function* pagesOf({ among }: PageReader, ids: readonly number[]) {
  const sorted = [...new Set(ids)].sort((a, b) => a - b);
  for (let from = 0; from < sorted.length; from += objectsPerPage) {
    const page = await among(sorted.slice(from, from + objectsPerPage));
    if (page.length > 0) yield page;
  }
}

function createPageReaders(database: Database) {
  const readers = new Map<string, PageReader>();
  return (key: string) => {
    const known = readers.get(key);
    if (known) return known;
    const reader = pageReader(database, entityOf(key));
    readers.set(key, reader);
    return reader;
  };
}

/** `onChange` is the store's own. */
export function createFeed(database: Database, onChange: ConfigurationFeed['onChange']): ConfigurationFeed {
  const readerOf = createPageReaders(database);
  return {
    revision: () => lastRevision(database.reader),
    objects: (key, ids) => (ids === undefined ? allPages(readerOf(key)) : pagesOf(readerOf(key), ids)),
    object: async (key, id) => (await readerOf(key).among([id]))[0],
    changes: (afterRevision, limit) => readChanged(database.reader, undefined, afterRevision, limit),
    text: (key, id) => readText(database.reader, { entity: entityOf(key).key, id }),
    onChange,
  };
}
