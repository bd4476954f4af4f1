import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Logger, pino } from 'pino';
import { type Config, readConfig } from '../../src/config.ts';
import { type Bourse, type StartOptions, startBourse } from '../../src/main.ts';
import { migratedPostgres, migratedSqlite } from './migrated-database.ts';
import { unhurried } from './unhurried.ts';

/** A server of the whole exchange on a database of its own. */
export interface TestServer {
  readonly url: string;
  /** Access token of the team's administrator. */
  readonly token: string;
  readonly mail: string;
  readonly password: string;
  readonly databaseUrl: string;
  /** Resolves once the statistics have what was counted until now. */
  flush(): Promise<void>;
  /** Stops the server and removes its database. */
  close(): Promise<void>;
}

/** An access token for a user; throws where the pair is wrong. */
export async function tokenOf(url: string, Username: string, Password: string): Promise<string> {
  const answer = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    body: JSON.stringify({ Username, Password }),
  });
  const body = (await answer.json()) as { AccessToken?: string };
  if (body.AccessToken === undefined) throw new Error(`no login: ${JSON.stringify(body)}`);
  return body.AccessToken;
}

/** Tests wait for what they have had counted. */
const flushMs = 20;

/** That of tests which set `Date`. */
const mockedClock = () => ('isMock' in Date ? Date.now : undefined);

/** A new database: on the PostgreSQL server that `run-tests.ts` names, else a SQLite file. */
function freshDatabase(folder: string): Promise<string> {
  const server = process.env.BOURSE_TEST_POSTGRES;
  return server === undefined ? migratedSqlite(folder) : migratedPostgres(server);
}

/** Starts an exchange at a free port, on a database of its own, with the default configuration but for `changes`. */
export async function startTestServer(
  changes: Partial<Config> = {},
  logger: Logger = pino({ level: 'silent' }),
  options: Partial<StartOptions> = {},
): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-test-'));
  const databaseUrl = await freshDatabase(folder);
  const mail = 'ada@example.com';
  const password = 'correct horse battery';
  const { config } = readConfig({});
  // Let go of once it is closed: the variables of a test file live as long as its process, which runs many files.
  let bourse: Bourse | undefined = await startBourse(
    {
      ...config,
      port: 0,
      databaseUrl,
      adminMail: mail,
      adminPassword: password,
      outboxFolder: join(folder, 'outbox'),
      // Private addresses are not called.
      ratesUrl: 'http://127.0.0.1:9/',
      ...changes,
    },
    { logger, overloadDetector: unhurried, flushMs, now: mockedClock(), ...options },
  );
  const { url } = bourse;
  const close = async () => {
    await bourse?.close();
    bourse = undefined;
    rmSync(folder, { recursive: true, force: true });
  };
  return {
    url,
    token: await tokenOf(url, mail, password),
    mail,
    password,
    databaseUrl,
    flush: async () => bourse?.flush(),
    close,
  };
}
