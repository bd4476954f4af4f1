import type { Command } from 'commander';
import { withStore } from '../with-store.ts';
import { actorFor, type TeamOptions, withTeamOptions } from './config-team.ts';
import { planText, withFaultsOnLines } from './plan-text.ts';

interface Options extends TeamOptions {
  readonly deactivateMissing?: true;
}

async function run(step: 'plan' | 'apply', file: string, options: Options): Promise<void> {
  const [{ readConfigFile }, { prepareConfig }] = await Promise.all([
    import('./config-file.ts'),
    import('../../management/config/prepare.ts'),
  ]);
  const document = await readConfigFile(file);
  const deactivateMissing = options.deactivateMissing === true;
  const planned = await withStore(async (store) => {
    const actor = await actorFor(store, options);
    const prepared = await prepareConfig(store, actor, document, {
      deactivateMissing,
      facts: { nowMs: Date.now() },
    });
    return step === 'plan' ? prepared.plan() : store.write(actor, await prepared.beginApply());
  }).catch((error) => {
    throw withFaultsOnLines(error);
  });
  console.log(planText(planned, { isDone: step === 'apply' }));
}

function configCommand(program: Command, step: 'plan' | 'apply', description: string): void {
  withTeamOptions(
    program
      .command(step)
      .description(description)
      .argument('<file>', 'the configuration, as `bourse export` writes it'),
  )
    .option('--deactivate-missing', 'deactivate active objects of the team that are not in the file')
    .action((file: string, options: Options) => run(step, file, options));
}

export function plan(program: Command): void {
  configCommand(program, 'plan', 'show what a configuration file would change, without changing anything');
}

export function apply(program: Command): void {
  configCommand(program, 'apply', 'apply a configuration file to a team, all of it or nothing');
}
