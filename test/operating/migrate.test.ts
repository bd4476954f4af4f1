import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { migrations } from '../../src/store/migrations/migrate.ts';
import { bourseProcess } from '../cli/bourse-process.ts';
import { type SharedPostgres, sharedPostgres } from '../support/postgres.ts';

const says = 'The database has the schema of this program; it is at revision 0\n';

let postgres: SharedPostgres | undefined;
before(async () => {
  postgres = await sharedPostgres();
});
after(() => postgres?.remove());

const query = 'select name from kysely_migration order by name';

/** Names of the migrations that a database has had. */
function migrationsIn(path: string): string[] {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database.prepare(query).all();
  database.close();
  return rows.map(({ name }) => String(name));
}

async function migrationsAt(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(query);
  await client.end();
  return rows.map(({ name }) => name);
}

describe('bourse migrate, three times at once', () => {
  const engines: readonly (readonly [name: string, url: () => Promise<string | undefined>])[] = [
    ['SQLite', async () => undefined],
    ['PostgreSQL', async () => postgres?.freshDatabase()],
  ];
  for (const [name, urlOf] of engines) {
    test(`on ${name} makes the database once, and again changes nothing`, async () => {
      const { run, databasePath } = bourseProcess();
      const url = await urlOf();
      const environment = url === undefined ? {} : { BOURSE_DATABASE_URL: url };
      const migrate = () => run(['migrate'], { environment });
      const outcomes = await Promise.all(Array.from({ length: 3 }, migrate));
      assert.deepEqual(outcomes, Array(3).fill({ code: 0, stdout: says, stderr: '' }));
      assert.deepEqual(await migrate(), { code: 0, stdout: says, stderr: '' });
      const done = url === undefined ? migrationsIn(databasePath) : await migrationsAt(url);
      assert.deepEqual(done, Object.keys(migrations));
    });
  }
});
