import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Kysely } from 'kysely';
import { openConfiguredStore } from '../../src/store/configured-store.ts';
import type { Schema } from '../../src/store/database/schema.ts';
import { openPostgres } from '../../src/store/dialects/postgres.ts';
import { openSqlite } from '../../src/store/dialects/sqlite.ts';
import { migrations } from '../../src/store/migrations/migrate.ts';
import { rawEngines } from './raw-engines.ts';

const opened = async (url: string) => {
  const store = await openConfiguredStore(url);
  const revision = await store.revision();
  await store.close();
  return revision;
};

const [sqlite, postgres] = rawEngines();
const tablesOf = {
  [sqlite.name]:
    "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name",
  [postgres.name]: "select tablename as name from pg_tables where schemaname = 'public' order by tablename",
};

const had = (...names: readonly string[]) =>
  names.map(
    (name) => `insert into kysely_migration (name, timestamp) values ('${name}', '2027-01-01T00:00:00.000Z')`,
  );
const requires = (migration: string, version: string) =>
  `insert into required_form (migration, version) values ('${migration}', '${version}')`;

/** Databases of this version that a newer one has migrated: what it has done, and what this one says; '' = it works. */
const newer: readonly (readonly [what: string, statements: readonly string[], says: string])[] = [
  ['only added', had('0901-added', '0902-added'), ''],
  ['removed what this one no longer uses', [...had('0901-removed'), requires('0001-initial', '0.1.0')], ''],
  [
    'changed what this one uses, and then added',
    [
      ...had('0901-changed', '0902-changed', '0903-added'),
      requires('0901-changed', '8.0.0'),
      requires('0902-changed', '9.1.0'),
    ],
    'this database needs Bourse 9.1.0 or newer; this is 0.1.0. A newer version has changed something that this one uses (0902-changed). Start that version on it',
  ],
];

/** What makes a database of another line, from an empty one or from one of this version. */
const others: readonly (readonly [
  what: string,
  isEmpty: boolean,
  statements: readonly string[],
  names: string,
])[] = [
  [
    'of a version that was never released',
    false,
    had('0000-auctions', '0001-auctions'),
    '0000-auctions, 0001-auctions',
  ],
  [
    'of the migrations that became one before the first release',
    false,
    [
      'delete from kysely_migration',
      ...had('0001-start', '0002-cubes', '0005-alerts'),
      requires('0002-cubes', '0.1.0'),
    ],
    '0001-start, 0002-cubes, 0005-alerts',
  ],
  [
    'from before the first release',
    true,
    [
      'create table migration (name text primary key)',
      "insert into migration (name) values ('001-foundation')",
      'create table team (id integer primary key)',
    ],
    '001-foundation',
  ],
];

for (const { name, fresh, run } of [sqlite, postgres]) {
  const tables = async (url: string) => (await run(url, [tablesOf[name] ?? ''])).map((row) => row.name);

  describe(`on ${name}, a database`, () => {
    for (const [what, statements, says] of newer) {
      test(`to which a newer version has ${what} ${says === '' ? 'is worked on' : 'is refused'}`, async () => {
        const url = await fresh();
        await opened(url);
        await run(
          url,
          statements.map((statement) => statement.replace(/\)$/, ') on conflict do nothing')),
        );
        const opening = openConfiguredStore(url);
        if (says !== '') return assert.rejects(opening, (error: Error) => error.message.includes(says));
        const store = await opening;
        const names = await run(url, ["select name from kysely_migration where name > '09' order by name"]);
        assert.deepEqual(
          store.newerMigrations,
          names.map((row) => row.name),
        );
        assert.equal(await store.changedMeanwhile(), undefined);
        await run(url, [requires('0999-later', '9.9.9')]);
        assert.match(String(await store.changedMeanwhile()), /needs Bourse 9\.9\.9 or newer/);
        await store.close();
      });
    }

    for (const [what, isEmpty, statements, names] of others) {
      test(`${what} is refused by name, and left as it is`, async () => {
        const url = await fresh();
        if (!isEmpty) await opened(url);
        await run(url, statements);
        const before = await tables(url);
        const says =
          /BOURSE_DATABASE_URL: .* an unreleased version of Bourse.*\((.*)\)\. .*an empty database/;
        await assert.rejects(opened(url), (error: Error) => says.exec(error.message)?.[1] === names);
        assert.deepEqual(await tables(url), before);
      });
    }

    test('that cannot be brought to the form of now is left as it was, and the cause is told', async () => {
      const url = await fresh();
      await run(url, ['create table secret (x integer)']);
      await assert.rejects(opened(url), /secret"? already exists/);
      assert.deepEqual(await tables(url), ['secret']);
      await run(url, ['drop table secret']);
      assert.equal(await opened(url), 0);
    });
  });
}

test('on PostgreSQL, a database may hold one installation in each schema', async () => {
  const url = await postgres.fresh();
  const names = ['first', 'second'];
  await postgres.run(
    url,
    names.map((schema) => `create schema ${schema}`),
  );
  for (const schema of names) assert.equal(await opened(`${url}?options=-c%20search_path%3D${schema}`), 0);
  const rows = await postgres.run(url, [
    "select schemaname from pg_tables where tablename = 'kysely_migration' order by schemaname",
  ]);
  assert.deepEqual(
    rows.map(({ schemaname }) => schemaname),
    names,
  );
});

/** What a migration must leave as it was where it only adds: each column with its type, and what rows must have. */
async function formOf(connection: Kysely<Schema>): Promise<ReadonlyMap<string, string>> {
  const tables = await connection.introspection.getTables();
  return new Map(
    tables.flatMap(({ name: table, columns }) =>
      columns.map((column) => {
        const isOptional = column.isNullable || column.hasDefaultValue || column.isAutoIncrementing;
        return [`${table}.${column.name}`, `${column.dataType}${isOptional ? '' : ', required'}`] as const;
      }),
    ),
  );
}

/** What a step did that versions before it cannot live with. */
function harm(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): string[] {
  const tables = new Set([...before.keys()].map((key) => key.split('.')[0]));
  const changed = [...before].filter(([key, form]) => now.get(key) !== form).map(([key]) => key);
  const demanded = [...now].filter(
    ([key, form]) => !before.has(key) && tables.has(key.split('.')[0]) && form.endsWith('required'),
  );
  return [...changed, ...demanded.map(([key]) => key)];
}

const openers = [
  [sqlite, (url: string) => openSqlite(url.slice('sqlite:'.length))],
  [postgres, (url: string) => openPostgres(url, 1)],
] as const;
for (const [{ name: engine, fresh }, open] of openers) {
  test(`on ${engine}, each migration that says that it only adds does`, async () => {
    const database = await open(await fresh());
    const harmful = await database.onWriter(async (connection) => {
      const found: string[] = [];
      for (const [name, { up, requires }] of Object.entries(migrations).toSorted()) {
        const before = await formOf(connection);
        await up(database, connection as unknown as Kysely<unknown>);
        const done = harm(before, await formOf(connection));
        if (done.length > 0 !== (requires !== undefined)) found.push(`${name}: ${done}`);
      }
      return found;
    });
    await database.close();
    assert.deepEqual(harmful, []);
  });
}
