import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openStore } from '../../src/store/open-store.ts';
import { migratedSqlite } from '../support/migrated-database.ts';
import type { ChangeRow, Engine } from './engine.ts';

const changeColumns = `revision, time as timeMs, user_id as userId, team_id as teamId, entity,
  entity_id as entityId, operation, before, after`;

/** The change log of a SQLite file, in order of revision. */
export function changesIn(path: string): ChangeRow[] {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  try {
    const rows = database.prepare(`select ${changeColumns} from change order by revision`).all();
    return rows.map(
      (row) =>
        ({
          ...row,
          before: row.before === null ? null : JSON.parse(String(row.before)),
          after: JSON.parse(String(row.after)),
        }) as unknown as ChangeRow,
    );
  } finally {
    database.close();
  }
}

function answersIn(path: string): number {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  try {
    return Number(database.prepare('select count(*) as n from answer').get()?.n);
  } finally {
    database.close();
  }
}

/** What SQLite's own check of a file says: `ok` where nothing is damaged. */
export function integrityOf(path: string): unknown {
  const database = new DatabaseSync(path, { timeout: 5000 });
  try {
    return database.prepare('PRAGMA integrity_check').get()?.integrity_check;
  } finally {
    database.close();
  }
}

/** A path for a database in a new folder, and what removes the folder. */
export function temporaryPath(): { path: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-store-'));
  return { path: join(folder, 'bourse.db'), remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** The embedded database. */
export const sqlite: Engine = {
  name: 'SQLite',
  fresh: async () => {
    const { path, remove } = temporaryPath();
    await migratedSqlite(dirname(path));
    return {
      open: (now = Date.now) => openStore({ url: `sqlite:${path}`, now }),
      changes: async () => changesIn(path),
      answers: async () => answersIn(path),
      remove: async () => remove(),
    };
  },
};
