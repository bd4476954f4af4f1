import type { Command } from 'commander';
import { configuration } from '../configuration.ts';
import { databaseFile, inventoryText } from './database-file.ts';

async function run(file: string, { force: replace = false }: { force?: boolean }): Promise<void> {
  const target = databaseFile(configuration().databaseUrl, 'pg_restore');
  const { restoreSqlite } = await import('../../store/sqlite-backup.ts');
  console.log(`Restored from ${file}: ${inventoryText(restoreSqlite(file, target, { replace }))}`);
}

/** `bourse restore FILE`: a backup becomes the database, while no server runs. */
export function restore(program: Command): void {
  program
    .command('restore')
    .description('check a backup and put it in place of the database; stop all servers first')
    .argument('<file>', 'backup to restore')
    .option('--force', 'replace the existing database')
    .action(run);
}
