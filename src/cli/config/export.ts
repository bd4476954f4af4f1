import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { withStore } from '../with-store.ts';
import { actorFor, type TeamOptions, withTeamOptions } from './config-team.ts';

async function run({ output, ...options }: TeamOptions & { readonly output?: string }): Promise<void> {
  const [{ configText }, { exportConfig }] = await Promise.all([
    import('../../management/config/config-text.ts'),
    import('../../management/config/export.ts'),
  ]);
  const text = await withStore(async (store) =>
    configText(await exportConfig(store, await actorFor(store, options))),
  );
  if (output === undefined) process.stdout.write(text);
  else await writeFile(output, text);
}

export function exportCommand(program: Command): void {
  withTeamOptions(
    program
      .command('export')
      .description('write the configuration of a team as YAML, without secrets')
      .option('--output <file>', 'file to write, instead of standard output'),
  ).action(run);
}
