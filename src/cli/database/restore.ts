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
    .description('check a backup and make it the database; servers must be stopped')
    .argument('<file>', 'backup to restore')
    .option('--force', 'replace the database that is in place')
    .action(run);
}
