import { hash, randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { startPostgres } from '../../test/support/postgres.ts';
import { addDspVastTags, addRelatedObjects } from '../data/fill-exchange.ts';
import type { Exchange } from '../measure.ts';
import { startBourse } from './bourse.ts';
import type { Minimum } from './references.ts';
import { startServer } from './server-process.ts';

const minimumProgram = fileURLToPath(new URL('../references/minimum-postgres.ts', import.meta.url));

const tags = 1000;

const minimumTables = `
  create table token (hash text primary key, user_id integer not null);
  create table document (id integer generated always as identity primary key, doc text not null)`;

/** One PostgreSQL server, on whose databases the contestants run; it syncs every commit, as it does by default. */
export interface BenchPostgres extends AsyncDisposable {
  /** Starts Bourse on a new database, and fills it: with 1,000 DSP VAST Tags and what is around them. */
  bourse(): Promise<Exchange & AsyncDisposable>;
  /** Starts the hand-written minimum on a new database that holds `documents`, with IDs from 1. */
  minimum(documents: readonly string[]): Promise<Minimum>;
}

async function fill(url: string, token: string, documents: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(minimumTables);
    await client.query('insert into token values ($1, 1)', [hash('sha256', token)]);
    await client.query(
      'insert into document (doc) select doc from unnest($1::text[]) with ordinality as d (doc, place) order by place',
      [documents],
    );
  } finally {
    await client.end();
  }
}

/** Starts PostgreSQL; the servers that are started on it write their logs to files in `folder`. */
export async function startBenchPostgres(folder: string): Promise<BenchPostgres> {
  const postgres = await startPostgres();
  return {
    bourse: async () => {
      const databaseUrl = await postgres.freshDatabase();
      // One thread, as the minimum has; another measure shows what more threads do.
      const { server, api } = await startBourse(folder, { databaseUrl, threads: 1 });
      const related = await addRelatedObjects(api);
      const tagIds = await addDspVastTags(api, related, tags);
      return { server, api, related, tagIds, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
    },
    minimum: async (documents) => {
      const url = await postgres.freshDatabase();
      const token = randomBytes(32).toString('base64url');
      await fill(url, token, documents);
      const server = await startServer({ name: 'minimum-postgres', args: [minimumProgram, url] }, folder);
      return {
        server,
        headers: { authorization: `Bearer ${token}` },
        [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
      };
    },
    [Symbol.asyncDispose]: () => postgres.remove(),
  };
}
