import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { configTable } from '../config.ts';
import type { StartOptions } from '../main.ts';
import { readUrl } from '../setting-readers.ts';
import { configuration } from './configuration.ts';
import { printAdministrator } from './people/with-identity.ts';
import { servingThread } from './serving-thread.ts';

/** One Ctrl-C may arrive twice, from the terminal and through npm: then it counts once. */
const repeatedSignalMs = 300;
const threadsMax = 64;

/** Aborted by the first SIGTERM or SIGINT, named in the reason; a second one ends the process at once with 1. */
function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  let firstAtMs = 0;
  const stop = (signal: NodeJS.Signals) => {
    if (!stopping.signal.aborted) {
      firstAtMs = performance.now();
      stopping.abort(signal);
      return;
    }
    const isEcho = signal === 'SIGINT' && performance.now() - firstAtMs < repeatedSignalMs;
    if (!isEcho || stopping.signal.reason !== 'SIGINT') process.exit(1);
  };
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, stop);
  return stopping.signal;
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** Until a signal, even during the start. Rejects if the exchange cannot start. @internal */
export async function serveUntilStopped(
  threads: number,
  watch: Pick<StartOptions, 'onStep' | 'home'> = {},
): Promise<void> {
  const signal = stopSignal();
  const config = configuration();
  const [{ startBourse }, { createLogger }] = await Promise.all([import('../main.ts'), import('./log.ts')]);
  const logger = createLogger(config.logLevel);
  const bourse = await startBourse(config, {
    logger,
    threads: { count: threads, entry: servingThread },
    hasConsole: true,
    onAdministrator: printAdministrator,
    signal,
    ...watch,
  }).catch((error) => {
    if (signal.aborted && error === signal.reason) return undefined;
    throw error;
  });
  if (bourse) {
    console.log(`Bourse serves at ${bourse.url}`);
    if (bourse.loginLink !== undefined)
      console.log(`Console, with login (this link works once, for 15 minutes): ${bourse.loginLink}`);
    await untilAborted(signal);
  }
  logger.info({ signal: signal.reason }, 'stopping');
  await bourse?.close();
  process.exit(0);
}

function readThreads(text: string): number {
  const count = /^\d+$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= threadsMax) return count;
  throw new InvalidArgumentError(`must be a number from 1 to ${threadsMax}`);
}

function readHome(text: string): string {
  const url = readUrl(text);
  if (url !== undefined) return url;
  throw new InvalidArgumentError('must be the URL of the home, like https://exchange.example.com');
}

export function serve(program: Command): void {
  program
    .command('serve')
    .description("serve the exchange; the first start prints the administrator's login")
    .addOption(
      new Option('--threads <number>', 'number of threads that serve')
        .argParser(readThreads)
        .default(Math.min(availableParallelism(), threadsMax), 'the number of available cores'),
    )
    .addOption(
      new Option(
        '--edge <url>',
        'serve auctions without a database, as an edge of the exchange at this URL; BOURSE_EDGE_KEY is its key',
      ).argParser(readHome),
    )
    .addHelpText('after', `\n${configTable()}`)
    .action(({ threads, edge: home }: { threads: number; edge?: string }) =>
      serveUntilStopped(threads, { home }),
    );
}
