import type { Command } from 'commander';
import { configuration } from '../configuration.ts';
import { assertDatabaseExists, databaseFile, inventoryText } from './database-file.ts';

async function run(file: string): Promise<void> {
  const { databaseUrl } = configuration();
  const source = databaseFile(databaseUrl, 'pg_dump');
  assertDatabaseExists(databaseUrl);
  const { backUpSqlite } = await import('../../store/sqlite-backup.ts');
  console.log(`Backed up to ${file}: ${inventoryText(await backUpSqlite(source, file))}`);
}

export function backup(program: Command): void {
  program
    .command('backup')
    .description('copy the database to a new file, also while it is in use, and check the copy')
    .argument('<file>', 'file to create')
    .action(run);
}
