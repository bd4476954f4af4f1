import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigurationError } from '../../config.ts';
import type { Inventory } from '../../store/sqlite-backup.ts';

/** Undefined if the database is on a server. */
function fileOf(url: string): string | undefined {
  return url.startsWith('sqlite:') ? resolve(url.slice('sqlite:'.length)) : undefined;
}

/** Throws if the database is on a server, whose own tools do it better. */
export function databaseFile(url: string, serverTool: string): string {
  const file = fileOf(url);
  if (file !== undefined) return file;
  throw new Error(`The database is on PostgreSQL: use ${serverTool} instead (see docs/operations.md)`);
}

/** Throws a `ConfigurationError`: opening a missing file would create an empty one. */
export function assertDatabaseExists(url: string): void {
  const file = fileOf(url);
  if (file === undefined || existsSync(file)) return;
  throw new ConfigurationError(
    `BOURSE_DATABASE_URL names no database: ${file} does not exist; correct the path, or create a database there with \`bourse migrate\``,
  );
}

/** `1204 rows in 25 tables, up to revision 310`. */
export function inventoryText({ rowsByTable, revision }: Inventory): string {
  const counts = Object.values(rowsByTable);
  const rows = counts.reduce((sum, count) => sum + count, 0);
  return `${rows} rows in ${counts.length} tables, up to revision ${revision}`;
}
