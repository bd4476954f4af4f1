import { availableParallelism } from 'node:os';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { configTable } from '../config.ts';
import type { Bourse } from '../main.ts';
import { configuration } from './configuration.ts';
import { tellAdministrator } from './people/tell-administrator.ts';
import { servingThread } from './serving-thread.ts';

/** One Ctrl-C may arrive twice, from the terminal and through npm: signals within this time count as one. */
const sameWishMs = 300;
const threadsMax = 64;

/** The first signal closes the exchange, and the process ends with 0; a second one ends it at once with 1. */
function stopOnSignals(bourse: Bourse): void {
  let first: { signal: NodeJS.Signals; atMs: number } | undefined;
  const stop = (signal: NodeJS.Signals) => {
    if (first) {
      const isEcho =
        signal === 'SIGINT' && first.signal === signal && performance.now() - first.atMs < sameWishMs;
      if (!isEcho) process.exit(1);
      return;
    }
    first = { signal, atMs: performance.now() };
    bourse.close().then(
      () => process.exit(0),
      (error) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

function readThreads(text: string): number {
  const count = /^\d+$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= threadsMax) return count;
  throw new InvalidArgumentError(`must be a number from 1 to ${threadsMax}`);
}

async function run({ threads: count }: { threads: number }): Promise<void> {
  const config = configuration();
  const [{ startBourse }, { createLogger }] = await Promise.all([import('../main.ts'), import('./log.ts')]);
  const logger = createLogger(config.logLevel);
  const bourse = await startBourse(config, { logger, threads: { count, entry: servingThread } });
  stopOnSignals(bourse);
  if (bourse.administrator) tellAdministrator(bourse.administrator);
  console.log(`Bourse serves at ${bourse.url}`);
}

/** `bourse serve`: the exchange, until SIGTERM or SIGINT. */
export function serve(program: Command): void {
  program
    .command('serve')
    .description('serve the exchange; the first start prints its administrator')
    .addOption(
      new Option('--threads <number>', 'threads that serve')
        .argParser(readThreads)
        .default(Math.min(availableParallelism(), threadsMax), 'the cores available'),
    )
    .addHelpText('after', `\n${configTable()}`)
    .action(run);
}
