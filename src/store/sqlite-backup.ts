import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { backup, DatabaseSync, type DatabaseSyncOptions } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { makeFolder } from './dialects/make-folder.ts';

/** A backup must have the same counts. */
export interface Inventory {
  readonly rowsByTable: Readonly<Record<string, number>>;
  readonly revision: number;
}

const ownerOnly = 0o600;
const waitMsMax = 5000;
const filesBeside = ['-wal', '-shm'];

function readInventory(database: DatabaseSync): Inventory {
  const tables = database.prepare("select name from sqlite_schema where type = 'table' order by name").all();
  const count = (name: string) => Number(database.prepare(`select count(*) as n from "${name}"`).get()?.n);
  const rows = tables.map(({ name }) => [String(name), count(String(name))] as const);
  const revision = database.prepare('select coalesce(max(revision), 0) as n from change').get()?.n;
  return { rowsByTable: Object.fromEntries(rows), revision: Number(revision) };
}

/** Busy, locked or read-only: this says nothing of the contents. */
const outOfReach: ReadonlySet<number> = new Set([5, 6, 8]);

/** Its text names the file. */
function unsound(path: string, error: unknown): Error {
  const reason = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
  if (outOfReach.has(code)) return new Error(`${path} cannot be read: ${reason}`, { cause: error });
  return new Error(`${path} is not an intact Bourse database: ${reason}`, { cause: error });
}

/** Throws an error that names the file, for example if it is a folder. */
function opened(path: string, options: DatabaseSyncOptions, location: string | URL = path): DatabaseSync {
  try {
    return new DatabaseSync(location, options);
  } catch (error) {
    throw unsound(path, error);
  }
}

/** Of a file that nobody writes to. Throws if it is in use, damaged, or no database of Bourse. */
function verified(path: string): Inventory {
  const wal = statSync(`${path}-wal`, { throwIfNoEntry: false });
  if (wal && wal.size > 0)
    throw new Error(`${path} is a database in use, with a part of it in ${path}-wal; it is not a backup`);
  const url = pathToFileURL(path);
  url.search = 'immutable=1';
  const database = opened(path, { readOnly: true }, url);
  try {
    const faults = database.prepare('pragma integrity_check').all();
    const isWhole = faults.length === 1 && faults[0]?.integrity_check === 'ok';
    if (!isWhole) throw new Error('its integrity check fails');
    return readInventory(database);
  } catch (error) {
    throw unsound(path, error);
  } finally {
    database.close();
  }
}

function syncToDisk(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** For comparison with a copy made within the transaction. */
function beginReading(database: DatabaseSync, path: string): Inventory {
  try {
    database.exec('begin');
    return readInventory(database);
  } catch (error) {
    throw unsound(path, error);
  }
}

/** As of one moment, page by page, while others read and write. */
async function copyOnline(source: string, path: string): Promise<Inventory> {
  const database = opened(source, { timeout: waitMsMax });
  try {
    const inventory = beginReading(database, source);
    await backup(database, path);
    return inventory;
  } finally {
    database.close();
  }
}

function assertSame(expected: Inventory, found: Inventory, path: string): void {
  if (isDeepStrictEqual(expected, found)) return;
  throw new Error(`${path} does not have the same contents as the database; it was deleted`);
}

/**
 * Copies `source` while it is in use to a new file for its owner only, and checks integrity and counts. Rejects,
 * leaving no file, if the file exists or the copy differs.
 */
export async function backUpSqlite(source: string, file: string): Promise<Inventory> {
  if (existsSync(file)) throw new Error(`${file} already exists; choose a new file`);
  const partial = `${file}.partial-${process.pid}`;
  try {
    writeFileSync(partial, '', { flag: 'wx', mode: ownerOnly });
    const expected = await copyOnline(source, partial);
    assertSame(expected, verified(partial), file);
    syncToDisk(partial);
    linkSync(partial, file);
    syncToDisk(dirname(file));
    return expected;
  } finally {
    for (const end of ['', '-journal', ...filesBeside]) rmSync(partial + end, { force: true });
  }
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && /locked|busy/i.test(error.message);
}

/** SQLite leaves the write-ahead mode only for a connection that is alone. */
function assertUnused(path: string): void {
  const database = opened(path, { timeout: 0 });
  try {
    database.exec('pragma journal_mode = delete');
  } catch (error) {
    if (isLocked(error))
      throw new Error(`${path} is in use; stop every server on it first`, { cause: error });
    // Other errors mean a damaged file, and that is what backups are for.
  } finally {
    database.close();
  }
}

/** In one step. Throws if the backup is damaged, a database is in place without `replace`, or anyone has it open. */
export function restoreSqlite(file: string, target: string, { replace }: { replace: boolean }): Inventory {
  if (!existsSync(file)) throw new Error(`There is no file ${file}`);
  const expected = verified(file);
  if (existsSync(target)) {
    if (!replace)
      throw new Error(`There is already a database at ${target}; use --force to replace it with the backup`);
    assertUnused(target);
  }
  makeFolder(dirname(target));
  const partial = `${target}.partial-${process.pid}`;
  try {
    copyFileSync(file, partial);
    chmodSync(partial, ownerOnly);
    assertSame(expected, verified(partial), file);
    syncToDisk(partial);
    for (const end of filesBeside) rmSync(target + end, { force: true });
    renameSync(partial, target);
    syncToDisk(dirname(target));
    return expected;
  } finally {
    rmSync(partial, { force: true });
  }
}
