import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A child process that is spoken with in lines. */
export interface Child {
  readonly process: ChildProcess;
  /** The next line it prints; rejects with what it said on stderr when it ends instead. */
  line(): Promise<string>;
  say(text: string): void;
  /** Its exit code, once it has ended. */
  readonly ended: Promise<number | null>;
}

const running = new Set<ChildProcess>();

/** Kills every child that still runs, so that a test that failed leaves none behind. */
export function killChildren(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** Runs a module of this project with the Node that runs the tests. */
export function startChild(module: URL, args: readonly string[]): Child {
  const child = spawn(process.execPath, [fileURLToPath(module), ...args], { stdio: 'pipe' });
  running.add(child);
  child.on('close', () => running.delete(child));
  let faults = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    faults += text;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    process: child,
    line: async () => {
      const { value, done } = await lines.next();
      if (done) throw new Error(`the process ended: ${faults}`);
      return String(value);
    },
    say: (text) => child.stdin.write(`${text}\n`),
    ended: once(child, 'close').then(([code]) => code as number | null),
  };
}
