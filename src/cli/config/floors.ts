import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';

async function run(file: string): Promise<void> {
  const [{ configText }, { readFloors }] = await Promise.all([
    import('../../management/config/config-text.ts'),
    import('./read-floors.ts'),
  ]);
  const { rules, faults } = readFloors(await readFile(file, 'utf8'));
  if (faults.length > 0)
    throw new Error(`nothing is written:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  process.stdout.write(configText({ Version: 1, FloorRule: rules }));
}

export function floors(program: Command): void {
  program
    .command('floors')
    .description(
      'write a table of floors (CSV), or a floors file of Prebid (JSON), as floor rules for `bourse plan`',
    )
    .argument('<file>', 'with the columns country, device and floor, or of the floors module of Prebid')
    .action(run);
}
