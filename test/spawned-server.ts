import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { pause } from './support/pause.ts';

/** How a process ended: by its code, or by a signal that it did not handle. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
}

export interface SpawnedServer {
  readonly url: string;
  readonly process: ChildProcess;
  readonly ended: Promise<Ending>;
  /** What it has printed so far. */
  readonly output: () => string;
}

/** Runs a command to its end; stdout and stderr together in `output`. */
export const runToEnd = (command: string, args: readonly string[], options: SpawnOptions = {}) =>
  collected(spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] }), () => undefined);

/** Starts a server, and waits for the line with its URL. Rejects with the output where it ends before. */
export function spawnServer(
  command: string,
  args: readonly string[],
  options: SpawnOptions,
): Promise<SpawnedServer> {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  return new Promise((resolve, reject) => {
    let printed = '';
    const ended = collected(child, (output) => {
      printed = output;
      const url = /^Bourse serves at (http\S+)/m.exec(output)?.[1];
      if (url !== undefined) resolve({ url, process: child, ended, output: () => printed });
    });
    ended.then(({ output }) => reject(new Error(`ended before it served:\n${output}`)), reject);
  });
}

async function collected(child: ChildProcess, onOutput: (output: string) => void): Promise<Ending> {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      onOutput(output);
    });
  }
  const [code, signal] = await once(child, 'close');
  return { code, signal, output };
}

/** Waits until nothing answers at a URL any more. */
export async function untilSilent(url: string): Promise<void> {
  while (await answers(url)) await pause();
}

const answers = (url: string) =>
  fetch(url, { headers: { connection: 'close' } }).then(
    () => true,
    () => false,
  );
