import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';

async function run(file: string): Promise<void> {
  const [{ configText }, { readFloors }] = await Promise.all([
    import('../../management/config/config-text.ts'),
    import('../../management/floor-files/read-floors.ts'),
  ]);
  const { rules, faults } = readFloors(await readFile(file, 'utf8'));
  if (faults.length > 0)
    throw new Error(
      `nothing is written:\n${faults.map(({ place, text }) => `  ${place ? `${place}: ` : ''}${text}`).join('\n')}`,
    );
  const FloorRule = rules.map(({ added, conditions, settings }) => ({
    ...added,
    ...conditions,
    ...settings,
  }));
  process.stdout.write(configText({ Version: 1, FloorRule }));
}

export function floors(program: Command): void {
  program
    .command('floors')
    .description(
      'write a table of floors (CSV), or a floors file of Prebid (JSON), as floor rules for `bourse plan`',
    )
    .argument(
      '<file>',
      'with the columns country, device and floor, or a row for each country and a column for each device; or of the floors module of Prebid',
    )
    .action(run);
}
