import type { Command } from 'commander';
import { withStore } from '../with-store.ts';

async function run(): Promise<void> {
  const [revision, newer] = await withStore(
    async (store) => [await store.revision(), store.newerMigrations] as const,
    { makesFile: true },
  );
  const form =
    newer.length === 0
      ? 'the form of this program'
      : `that of a newer one, which this one can work on (${newer.join(', ')})`;
  console.log(`The database has ${form}; it is at revision ${revision}`);
}

/** Does what every start does first, without serving. */
export function migrate(program: Command): void {
  program
    .command('migrate')
    .description('bring the database to the form of this program, and make it where it is absent')
    .action(run);
}
