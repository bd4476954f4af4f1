import type { Command } from 'commander';
import { withStore } from '../with-store.ts';

async function run(): Promise<void> {
  const revision = await withStore((store) => store.revision(), { makesFile: true });
  console.log(`The database has the form of this program; it is at revision ${revision}`);
}

/** `bourse migrate`: what every start does first, without serving. */
export function migrate(program: Command): void {
  program
    .command('migrate')
    .description('bring the database to the form of this program, and make it where it is absent')
    .action(run);
}
