import type { Command } from 'commander';
import { withIdentity } from './with-identity.ts';

async function add({ name }: { name: string }): Promise<void> {
  const id = await withIdentity((identity) => identity.addTeam({ name }), { makesFile: true });
  console.log(`Added team ${id}: ${name}`);
}

export function team(program: Command): void {
  const command = program.command('team').description('teams of the installation');
  command
    .command('add')
    .description('add a team and print its ID')
    .requiredOption('--name <name>', 'name of the team')
    .action(add);
}
