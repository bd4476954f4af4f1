import { resolve } from 'node:path';
import type { Inventory } from '../store/dialects/sqlite-backup.ts';

/** Path of the database's file. Throws where the database is on a server, whose own tools do it better. */
export function databaseFile(url: string, serverTool: string): string {
  if (url.startsWith('sqlite:')) return resolve(url.slice('sqlite:'.length));
  throw new Error(`The database is on PostgreSQL: use ${serverTool} (docs/operations.md tells how)`);
}

/** `1204 rows in 25 tables, up to revision 310`. */
export function inventoryText({ rowsByTable, revision }: Inventory): string {
  const counts = Object.values(rowsByTable);
  const rows = counts.reduce((sum, count) => sum + count, 0);
  return `${rows} rows in ${counts.length} tables, up to revision ${revision}`;
}
