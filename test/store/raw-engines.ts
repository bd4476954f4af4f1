import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { after, before } from 'node:test';
import pg from 'pg';
import { type SharedPostgres, sharedPostgres } from '../support/postgres.ts';
import { temporaryPath } from './sqlite-engine.ts';

/** Rows as the database's driver gives them. */
type Rows = readonly Readonly<Record<string, unknown>>[];

/** A database engine as tests use it past the store. */
interface RawEngine {
  readonly name: string;
  /** URL of a new database, which is empty. */
  readonly fresh: () => Promise<string>;
  /** Runs statements one after another; answers the rows of the last one. */
  readonly run: (url: string, statements: readonly string[]) => Promise<Rows>;
}

/** Both engines, whose databases go with the tests of the file that calls this. */
export function rawEngines(): readonly [sqlite: RawEngine, postgres: RawEngine] {
  let server: SharedPostgres | undefined;
  before(async () => {
    server = await sharedPostgres();
  });
  after(() => server?.remove());
  const { path, remove } = temporaryPath();
  after(remove);
  return [
    {
      name: 'SQLite',
      fresh: async () => `sqlite:${path}-${randomUUID()}`,
      run: async (url, statements) => {
        const database = new DatabaseSync(url.slice('sqlite:'.length));
        const rows = statements.map((statement) => database.prepare(statement).all());
        database.close();
        return rows.at(-1) ?? [];
      },
    },
    {
      name: 'PostgreSQL',
      fresh: async () => (await server?.freshDatabase()) ?? '',
      run: async (url, statements) => {
        const client = new pg.Client({ connectionString: url });
        await client.connect();
        let rows: Rows = [];
        for (const statement of statements) rows = (await client.query(statement)).rows;
        await client.end();
        return rows;
      },
    },
  ];
}
