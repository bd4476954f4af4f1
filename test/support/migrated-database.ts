import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../src/store/open-store.ts';
import { freshDatabaseAt } from './postgres.ts';

/** What the copies are made of: URLs of databases that have been brought to form once, by that of the server. */
const templates = new Map<string, Promise<string>>();

/** The template of a kind of database, made at the first use in this process. */
function templateOf(key: string, make: () => Promise<string>): Promise<string> {
  const made = templates.get(key) ?? make();
  templates.set(key, made);
  return made;
}

/** A SQLite file in the schema of this program; nobody has written to it. */
async function sqliteTemplate(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-template-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'bourse.db');
  await (await openStore({ url: `sqlite:${path}`, now: Date.now })).close();
  return path;
}

/** The name of a PostgreSQL database in the schema of this program; nobody has written to it. */
async function postgresTemplate(serverUrl: string): Promise<string> {
  const url = await freshDatabaseAt(serverUrl);
  await (await openStore({ url, now: Date.now })).close();
  return new URL(url).pathname.slice(1);
}

/** The URL of a new SQLite database in that folder, which needs no migration any more. */
export async function migratedSqlite(folder: string): Promise<string> {
  const path = join(folder, 'bourse.db');
  copyFileSync(await templateOf('sqlite', sqliteTemplate), path);
  return `sqlite:${path}`;
}

/** The URL of a new database on that PostgreSQL server, which needs no migration any more. */
export async function migratedPostgres(serverUrl: string): Promise<string> {
  const template = await templateOf(serverUrl, () => postgresTemplate(serverUrl));
  return freshDatabaseAt(serverUrl, template);
}
