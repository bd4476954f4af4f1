import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after } from 'node:test';
import { type SpawnedServer, spawnServer } from '../spawned-server.ts';

const root = join(import.meta.dirname, '..', '..');

/** How a command ended, and what it printed. */
export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The real program, as child processes on a database of its own. */
export interface BourseProcess {
  /** Runs a command to its end; `input` comes on its standard input. */
  run(args: readonly string[], more?: { input?: string; environment?: NodeJS.ProcessEnv }): Promise<Outcome>;
  /** Starts a command with other standard streams. The test waits for its end. */
  start(args: readonly string[], stdio: StdioOptions): ChildProcess;
  /** Path of the database's file. */
  readonly databasePath: string;
  /** Starts `bourse serve` at a free port, in one thread unless `args` say otherwise. The test ends it. */
  serve(environment?: NodeJS.ProcessEnv, args?: readonly string[]): Promise<SpawnedServer>;
}

/** This process's environment without what is ours or colours output. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(BOURSE_|NODE_TEST|FORCE_COLOR)/.test(name));
  return { ...Object.fromEntries(kept), NO_COLOR: '1' };
}

/** The program, or another in a folder like ours, on a new database, which goes when the test file ends. */
export function bourseProcess(programFolder = root): BourseProcess {
  const program = join(programFolder, 'bin', 'bourse.js');
  const folder = mkdtempSync(join(tmpdir(), 'bourse-cli-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const databasePath = join(folder, 'data', 'bourse.db');
  const env = {
    ...plainEnvironment(),
    BOURSE_PORT: '0',
    BOURSE_DATABASE_URL: `sqlite:${databasePath}`,
  };
  return {
    async run(args, { input = '', environment = {} } = {}) {
      const child = spawn(process.execPath, [program, ...args], {
        cwd: folder,
        env: { ...env, ...environment },
      });
      // A command that reads nothing may be gone before it is written to.
      child.stdin.on('error', () => undefined);
      child.stdin.end(input);
      const [stdout, stderr, [code]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'close'),
      ]);
      return { code, stdout, stderr };
    },
    start: (args, stdio) => spawn(process.execPath, [program, ...args], { cwd: folder, env, stdio }),
    databasePath,
    serve: (environment = {}, args = ['--threads', '1']) =>
      spawnServer(process.execPath, [program, 'serve', ...args], {
        cwd: folder,
        env: { ...env, ...environment },
      }),
  };
}

/** Ends a server by SIGTERM, and answers how it ended. */
export function stopped(server: SpawnedServer): SpawnedServer['ended'] {
  server.process.kill('SIGTERM');
  return server.ended;
}
