import { CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely';
import type { Entity } from '../../entities/entity.ts';
import type { Place } from '../../fields/field.ts';
import { ownMember, setOwnMember } from '../../reference/own-member.ts';
import { createRecentCache } from '../../shared/recent-cache.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { tableName } from '../database/tables.ts';
import type { Account, Form, StoredObject, Values } from '../interface.ts';
import { edgesOf } from './edges.ts';
import { idArrayColumn, readIdArray } from './id-arrays.ts';

/** In the order of placeholders; undefined, 0 and false do not restrict. */
export interface ObjectParameters {
  readonly teamId: number;
  readonly id?: number;
  readonly ownerId?: number;
  readonly managerId?: number;
  readonly activeOnly?: boolean;
  readonly afterId?: number;
  readonly ids?: readonly number[];
  readonly limit?: number;
}

export type Row = Record<string, unknown>;

/** Each set of restrictions has its compiled query. */
type Restriction = Exclude<keyof ObjectParameters, 'limit' | 'teamId'>;

function shownIn({ fields }: Entity, form: Form): (name: string) => boolean {
  if (typeof form !== 'string') return (name) => form.includes(name);
  return (name) => form === 'single' || ownMember(fields, name)?.inArray === true;
}

interface Needs {
  /** Of the document, besides its name, which has a column. */
  readonly members: readonly string[] | 'all';
  readonly hasName: boolean;
  readonly hasAccount: boolean;
}

const nameField = 'Name';
/** Each is looked for in the JSON: more take longer than reading all of it. */
const membersMax = 12;
const inDocument: readonly Place['kind'][] = ['document', 'secret', 'lineCount'];
const ofAccount: readonly Place['kind'][] = ['ownerName', 'manager'];
/** May need any values of document and account. */
const made: readonly Place['kind'][] = ['url', 'regionUrls', 'dealState', 'pace', 'floorInForce'];

function needsOf({ fields }: Entity, form: Form): Needs {
  if (typeof form === 'string') return { members: 'all', hasName: false, hasAccount: true };
  const isAny = (kinds: readonly Place['kind'][]) => (name: string) => {
    const field = ownMember(fields, name);
    return field !== undefined && kinds.includes(field.place.kind);
  };
  const members = form.filter((name) => name !== nameField && isAny(inDocument)(name));
  const needsAll = members.length > membersMax || form.some(isAny(made));
  return {
    members: needsAll ? 'all' : members,
    hasName: form.includes(nameField),
    hasAccount: form.some(isAny([...made, ...ofAccount])),
  };
}

/** Undefined if the name's column has all that is needed: reading JSON takes longer than reading the row. */
function documentColumn(
  { members: membersOf }: Database,
  { members, hasName }: Needs,
): RawBuilder<unknown> | undefined {
  if (members === 'all') return sql`e.doc`;
  if (members.length === 0) return hasName ? sql`e.name` : undefined;
  return sql`${membersOf(sql`e.doc`, members)} as doc${hasName ? sql`, e.name` : sql``}`;
}

/** Of the row with name, login and manager: its owner's (`o`), or its own (`e`). */
function accountAlias(entity: Entity): 'e' | 'o' | undefined {
  if (entity.owner) return 'o';
  return 'AccManagerId' in entity.fields ? 'e' : undefined;
}

function derivedColumns(database: Database, entity: Entity, form: Form): RawBuilder<unknown>[] {
  const shown = shownIn(entity, form);
  const arrays = edgesOf(entity)
    .filter(({ field }) => shown(field))
    .map((edge) => idArrayColumn(database, edge));
  const counts = Object.entries(entity.fields).flatMap(([field, { place }]) => {
    if (place.kind !== 'count' || !shown(field)) return [];
    const from = sql`from ${sql.table(tableName(place.of))} where owner_id = e.id`;
    return [sql`(select cast(count(*) as integer) ${from}) as ${sql.ref(field)}`];
  });
  return [...arrays, ...counts];
}

function accountColumns(entity: Entity): RawBuilder<unknown>[] {
  const alias = accountAlias(entity);
  if (!alias) return [];
  const columns = ['name', 'username', 'stats_auth', 'manager_id'].map(
    (column) => sql`${sql.ref(`${alias}.${column}`)} as ${sql.ref(`account_${column}`)}`,
  );
  return [...columns, sql`m.first_name as manager_first`, sql`m.last_name as manager_last`];
}

function joins(entity: Entity): RawBuilder<unknown> {
  const alias = accountAlias(entity);
  const owner = entity.owner
    ? sql`left join ${sql.table(tableName(entity.owner.entity))} o on o.id = e.owner_id`
    : sql``;
  return alias ? sql`${owner} left join "user" m on m.id = ${sql.ref(`${alias}.manager_id`)}` : owner;
}

const conditions: Readonly<
  Record<Restriction, (entity: Entity, p: ObjectParameters, database: Database) => RawBuilder<unknown>>
> = {
  id: (_, { id }) => sql`e.id = ${id}`,
  ownerId: (_, { ownerId }) => sql`e.owner_id = ${ownerId}`,
  managerId: (entity, { managerId }) =>
    sql`${sql.ref(`${accountAlias(entity) ?? 'e'}.manager_id`)} = ${managerId}`,
  activeOnly: () => sql`e.status = 0`,
  afterId: (_, { afterId }) => sql`e.id > ${afterId}`,
  ids: (_, { ids }, { idsIn }) => sql`e.id in ${idsIn(JSON.stringify(ids))}`,
};

function placeholderOf(parameters: ObjectParameters, name: Restriction): unknown {
  const value = parameters[name];
  return Array.isArray(value) ? JSON.stringify(value) : value;
}

function isRestricting(value: unknown): boolean {
  return value !== undefined && value !== 0 && value !== false;
}

function restrictionsIn(parameters: ObjectParameters): Restriction[] {
  return (Object.keys(conditions) as Restriction[]).filter((name) => isRestricting(parameters[name]));
}

/** `rows`: a source of object rows, named `e`. */
function selectObjects(
  database: Database,
  entity: Entity,
  form: Form,
  rows: RawBuilder<unknown>,
): RawBuilder<Row> {
  const needs = needsOf(entity, form);
  const document = documentColumn(database, needs);
  const columns = [
    sql`e.id, e.team_id, e.status, e.revision`,
    ...(document ? [document] : []),
    ...(needs.hasAccount ? accountColumns(entity) : []),
    ...derivedColumns(database, entity, form),
  ];
  return sql<Row>`select ${sql.join(columns)} from ${rows} ${joins(entity)}`;
}

/** What the database adds to a new object: ID, revision and account. `rows`: a source of its row, named `e`. */
export function selectAddition(entity: Entity, rows: RawBuilder<unknown>): RawBuilder<Row> {
  const columns = [sql`e.id, e.revision`, ...accountColumns(entity)];
  return sql<Row>`select ${sql.join(columns)} from ${rows} ${joins(entity)}`;
}

function build(
  database: Database,
  entity: Entity,
  form: Form,
  parameters: ObjectParameters,
): RawBuilder<Row> {
  const where = [
    sql`e.team_id = ${parameters.teamId}`,
    ...restrictionsIn(parameters).map((name) => conditions[name](entity, parameters, database)),
  ];
  const isMet = sql.join(where, sql` and `);
  const table = sql`${sql.table(tableName(entity.key))} e`;
  if (parameters.limit === undefined)
    return sql<Row>`${selectObjects(database, entity, form, table)} where ${isMet}`;
  const page = sql`order by e.id limit ${parameters.limit}`;
  // The manager may be the owner's, which is joined.
  if (parameters.managerId)
    return sql<Row>`${selectObjects(database, entity, form, table)} where ${isMet} ${page}`;
  // A planner that knows little of the table would otherwise read the JSON of all objects, to sort them for one page.
  const rows = sql`(select e.* from ${table} where ${isMet} ${page}) e`;
  return sql<Row>`${selectObjects(database, entity, form, rows)} order by e.id`;
}

/** Connections, and counts. */
function derivedFields(entity: Entity, form: Form) {
  const shown = shownIn(entity, form);
  const arrays = edgesOf(entity)
    .map(({ field }) => field)
    .filter(shown);
  const counts = Object.keys(entity.fields).filter(
    (name) => ownMember(entity.fields, name)?.place.kind === 'count' && shown(name),
  );
  return { arrays, counts };
}

/** Of rows of `selectAddition`, and what was inserted. */
export function additionMaker(
  entity: Entity,
): (row: Row, inserted: Readonly<Record<'team_id' | 'doc', unknown>>) => StoredObject {
  const { arrays, counts } = derivedFields(entity, 'single');
  return (row, { team_id, doc }) => {
    const derived: Row = {};
    for (const name of arrays) setOwnMember(derived, name, []);
    for (const name of counts) setOwnMember(derived, name, 0);
    return storedObject({ ...row, team_id, doc, status: 0 }, derived, true);
  };
}

/** Of rows of `selectObjects`. */
function objectMaker(entity: Entity, form: Form): (row: Row) => StoredObject {
  const { arrays, counts } = derivedFields(entity, form);
  const { hasAccount } = needsOf(entity, form);
  return (row) => {
    const derived: Row = {};
    for (const name of arrays) setOwnMember(derived, name, readIdArray(ownMember(row, name)));
    for (const name of counts) setOwnMember(derived, name, ownMember(row, name));
    return storedObject(row, derived, hasAccount);
  };
}

const noAccount: Account = { name: '', username: '', statsAuth: '', managerId: 0, managerName: '' };

const accountOf = (row: Row): Account => ({
  name: (row.account_name ?? '') as string,
  username: (row.account_username ?? '') as string,
  statsAuth: (row.account_stats_auth ?? '') as string,
  managerId: (row.account_manager_id ?? 0) as number,
  managerName: `${row.manager_first ?? ''} ${row.manager_last ?? ''}`.trim(),
});

function documentOf({ doc, name }: Row): Values {
  const named = name === undefined ? {} : { [nameField]: name };
  return doc === undefined ? named : Object.assign(JSON.parse(doc as string), named);
}

function storedObject(row: Row, derived: Row, hasAccount: boolean): StoredObject {
  return {
    id: row.id as number,
    teamId: row.team_id as number,
    status: row.status as number,
    revision: row.revision as number,
    document: documentOf(row),
    account: hasAccount ? accountOf(row) : noAccount,
    derived,
  };
}

type ObjectQuery = (connection: Kysely<Schema>, parameters: ObjectParameters) => Promise<StoredObject[]>;

/** One statement; compiled once and cached. */
function objectQuery(database: Database, entity: Entity, form: Form): ObjectQuery {
  const objectOf = objectMaker(entity, form);
  const compiled = new Map<string, string>();
  return async (connection: Kysely<Schema>, parameters: ObjectParameters): Promise<StoredObject[]> => {
    const restrictions = restrictionsIn(parameters);
    const key = parameters.limit === undefined ? restrictions.join() : `${restrictions.join()},limit`;
    let text = compiled.get(key);
    if (text === undefined) {
      text = build(database, entity, form, parameters).compile(connection).sql;
      compiled.set(key, text);
    }
    const values = [
      parameters.teamId,
      ...restrictions.filter((name) => name !== 'activeOnly').map((name) => placeholderOf(parameters, name)),
      ...(parameters.limit === undefined ? [] : [parameters.limit]),
    ];
    const { rows } = await connection.executeQuery<Row>(CompiledQuery.raw(text, values));
    return rows.map(objectOf);
  };
}

export async function countObjects(
  connection: Kysely<Schema>,
  { key }: Entity,
  teamId: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`select cast(count(*) as integer) as count
    from ${sql.table(tableName(key))} where team_id = ${teamId}`.execute(connection);
  return rows[0]?.count ?? 0;
}

export type ObjectReader = (
  entity: Entity,
  form: Form,
  connection: Kysely<Schema>,
  parameters: ObjectParameters,
) => Promise<StoredObject[]>;

/** Clients choose fields. */
const queriesMax = 500;

/** For all entities; statements are compiled at first use. */
export function createObjectReader(database: Database): ObjectReader {
  const queries = createRecentCache<string, ObjectQuery>(queriesMax);
  return (entity, form, connection, parameters) => {
    const make = () => objectQuery(database, entity, form);
    return queries.getOrMake(`${entity.key} ${form}`, make)(connection, parameters);
  };
}
