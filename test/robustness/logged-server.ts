import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { readConfig } from '../../src/config.ts';
import { assemble } from '../../src/main.ts';
import type { Store } from '../../src/store/interface.ts';
import { tokenOf } from '../support/server.ts';
import { unhurried } from '../support/unhurried.ts';
import { type Api, apiOf, patient } from './api.ts';

/** A server in this process whose log is kept, and whose parts can be made to fail. */
export interface LoggedServer {
  readonly api: Api;
  readonly host: string;
  readonly port: number;
  readonly token: string;
  readonly password: string;
  readonly databasePath: string;
  readonly store: Store;
  /** Everything logged so far, at every level and without the program's redaction. */
  readonly log: () => string;
  close(): Promise<void>;
}

function keptLog() {
  const pieces: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      pieces.push(String(chunk));
      done();
    },
  });
  return { logger: pino({ level: 'trace', base: null }, stream), log: () => pieces.join('') };
}

/** Starts an exchange on a new SQLite file and logs in as its administrator. */
export async function startLoggedServer(): Promise<LoggedServer> {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-robust-'));
  const databasePath = join(folder, 'bourse.db');
  const [mail, password] = ['ada@example.com', 'p4ssw0rd that nobody may see'];
  const { logger, log } = keptLog();
  const given = { databaseUrl: `sqlite:${databasePath}`, adminMail: mail, adminPassword: password };
  const exchange = await assemble(
    { ...readConfig({}).config, ...given },
    { logger, baseUrl: () => 'http://exchange.example', overloadDetector: unhurried },
  );
  const url = await exchange.app.listen({ host: '127.0.0.1', port: 0 });
  await exchange.ensureAdministrator();
  const token = await tokenOf(url, mail, password);
  return {
    api: patient(apiOf(url, token)),
    host: '127.0.0.1',
    port: Number(new URL(url).port),
    token,
    password,
    databasePath,
    store: exchange.store,
    log,
    close: async () => {
      exchange.app.server.closeAllConnections();
      await exchange.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
