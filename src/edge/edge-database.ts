import { chmodSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ConfigurationError } from '../config.ts';
import { lockFolder } from '../outbox/slots.ts';

const fileName = 'configuration.db';
/** Raised when the tables change: a file of another form is received again. */
const form = 1;
const lockWaitMsMax = 1000;

/*
 * `object`: each object as it is, or was until deleted (`json` is null), with its last change's revision; `incoming`:
 * an incomplete answer; `text`: complete texts.
 */
const tables = `
  create table known (name text primary key, value text not null) without rowid;
  create table object (entity text not null, id integer not null, revision integer not null,
    text_revision integer not null, json text, primary key (entity, id)) without rowid;
  create index object_revision on object (revision);
  create table incoming (entity text not null, id integer not null, text_revision integer not null,
    json text not null, primary key (entity, id)) without rowid;
  create table text (entity text not null, id integer not null, revision integer not null, parts integer not null,
    primary key (entity, id, revision)) without rowid;
  create table text_part (entity text not null, id integer not null, revision integer not null,
    part integer not null, text text not null);
  create unique index text_part_key on text_part (entity, id, revision, part);
  pragma user_version = ${form};`;

/** Undefined if not SQLite's. */
function resultCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined;
}

const isDamage = (error: unknown) => [11, 26].includes(resultCode(error) ?? 0);

export function diskFaultOf(folder: string, error: unknown): string | undefined {
  const reasons: Readonly<Record<number, string>> = {
    8: 'its disk is read-only',
    10: 'its disk fails',
    13: 'its disk is full',
    14: 'it cannot be written to',
  };
  const reason = reasons[resultCode(error) ?? 0];
  return reason && `the folder ${folder} (BOURSE_EDGE_FOLDER) cannot be used: ${reason}`;
}

/** Single commits are not synced: after a power cut it may be older, and asks again. */
function open(folder: string): DatabaseSync {
  const database = new DatabaseSync(join(folder, fileName), { timeout: lockWaitMsMax });
  try {
    database.exec('pragma journal_mode = wal; pragma synchronous = normal');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

const files = [fileName, `${fileName}-wal`, `${fileName}-shm`];

/** Checks the file, or creates it. Throws if it is damaged. */
function prepare(folder: string): void {
  const database = open(folder);
  try {
    if (database.prepare('pragma user_version').get()?.user_version !== form) {
      database.close();
      for (const name of files) rmSync(join(folder, name), { force: true });
      const fresh = open(folder);
      fresh.exec(tables);
      fresh.close();
      // It has the secrets of all teams.
      chmodSync(join(folder, fileName), 0o600);
      return;
    }
    const [check] = database.prepare('pragma quick_check(1)').all();
    if (check?.quick_check !== 'ok') throw Object.assign(new Error('it is damaged'), { errcode: 11 });
  } finally {
    if (database.isOpen) database.close();
  }
}

/** Returns how to release it. Moves a damaged file away (`onDamage`). Throws a `ConfigurationError` if unusable. */
export function lockEdgeFolder(folder: string, onDamage: (aside: string) => void): () => void {
  const refuse = (reason: unknown): never => {
    throw new ConfigurationError(`BOURSE_EDGE_FOLDER: ${folder} cannot be used: ${reason}`);
  };
  let release: (() => void) | undefined;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    release = lockFolder(folder);
  } catch (error) {
    refuse(error instanceof Error ? error.message : error);
  }
  if (!release) return refuse('another process is using it; give each edge its own folder');
  try {
    try {
      prepare(folder);
    } catch (error) {
      if (!isDamage(error)) throw error;
      const aside = join(folder, `${fileName}.damaged`);
      renameSync(join(folder, fileName), aside);
      for (const name of files) rmSync(join(folder, name), { force: true });
      onDamage(aside);
      prepare(folder);
    }
    return release;
  } catch (error) {
    release();
    return refuse(diskFaultOf(folder, error) ?? (error instanceof Error ? error.message : error));
  }
}

/** For any thread, once the folder is locked. */
export const openEdgeDatabase = (folder: string): DatabaseSync => open(folder);
