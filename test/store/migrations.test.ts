import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openConfiguredStore } from '../../src/store/configured-store.ts';
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

/** What makes a database of another version, from an empty one or from one of this version. */
const others: readonly (readonly [
  what: string,
  isEmpty: boolean,
  statements: readonly string[],
  names: string,
])[] = [
  [
    'of a newer version',
    false,
    [
      "insert into kysely_migration (name, timestamp) values ('0002-auctions', '2027-01-01T00:00:00.000Z')",
      "insert into kysely_migration (name, timestamp) values ('0003-auctions', '2027-02-01T00:00:00.000Z')",
    ],
    '0002-auctions, 0003-auctions',
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
    for (const [what, isEmpty, statements, names] of others) {
      test(`${what} is refused by name, and left as it is`, async () => {
        const url = await fresh();
        if (!isEmpty) await opened(url);
        await run(url, statements);
        const before = await tables(url);
        const says = /BOURSE_DATABASE_URL: .* another version of Bourse.*\((.*)\)\. .*an empty database/;
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
