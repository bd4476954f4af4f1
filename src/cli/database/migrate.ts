import type { Command } from 'commander';
import { withStore } from '../with-store.ts';

async function run(): Promise<void> {
  const [revision, newer] = await withStore(
    async (store) => [await store.revision(), store.newerMigrations] as const,
    { makesFile: true },
  );
  const form =
    newer.length === 0
      ? 'the schema of this program'
      : `the schema of a newer program, which this one can use (${newer.join(', ')})`;
  console.log(`The database has ${form}; it is at revision ${revision}`);
}

/** Does what every start does first, without serving. */
export function migrate(program: Command): void {
  program
    .command('migrate')
    .description('bring the database to the schema of this program, or create it if it does not exist')
    .action(run);
}
