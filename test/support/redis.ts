import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readValkeyUrl, type ValkeyAddress } from '../../src/reference/valkey-address.ts';
import { createValkeyConnection, type ValkeyConnection } from '../../src/valkey/connection.ts';
import { UnusableValkey } from '../../src/valkey/valkey-error.ts';
import { librariesFolder, neededTool } from './debian-tools.ts';
import { freePort } from './free-port.ts';
import { pause } from './pause.ts';

/** How a server is started. */
export interface RedisOptions {
  /** What it keeps over its end: `nothing` by default, or `all` that it has answered. */
  readonly keeps?: 'nothing' | 'all';
  readonly password?: string;
  /** More of its settings, as `--maxmemory`. */
  readonly settings?: readonly string[];
}

/** A real Redis server on a port of its own, in a temporary folder. */
export interface TestRedis {
  /** As `BOURSE_VALKEY_URL` has it. */
  readonly url: string;
  readonly address: ValkeyAddress;
  /** Starts it again at the same port, with what it has kept. */
  start(): Promise<void>;
  /** Ends it in order. */
  stop(): Promise<void>;
  /** Ends it at once (kill -9). */
  kill(): Promise<void>;
  /** Stops it where it stands (SIGSTOP); answers what lets it go on. */
  freeze(): () => void;
  /** Sends a command on a connection of its own. */
  command(...words: string[]): Promise<unknown>;
  remove(): Promise<void>;
}

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Connects, and waits until the connection is there. */
export async function connectTo(address: ValkeyAddress): Promise<ValkeyConnection> {
  const connection = createValkeyConnection({ address });
  while (!connection.isUp()) await pause();
  return connection;
}

const keeping = {
  nothing: ['--save', '', '--appendonly', 'no'],
  all: ['--save', '', '--appendonly', 'yes', '--appendfsync', 'always'],
} as const;

/** Starts one. Throws where the program is missing; see `skipWithout`. */
export async function startRedis(options: RedisOptions = {}): Promise<TestRedis> {
  const { keeps = 'nothing', password, settings = [] } = options;
  const folder = mkdtempSync(join(tmpdir(), 'bourse-redis-'));
  const port = await freePort();
  const url = `redis://${password === undefined ? '' : `:${encodeURIComponent(password)}@`}127.0.0.1:${port}`;
  const address = readValkeyUrl(url) as ValkeyAddress;
  const words = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    folder,
    '--loglevel',
    'warning',
    ...keeping[keeps],
    ...(password === undefined ? [] : ['--requirepass', password]),
    ...settings,
  ];
  let child: ChildProcess | undefined;
  const end = async (signal: NodeJS.Signals) => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'close');
    child.kill(signal);
    await ended;
  };
  const start = async () => {
    const started = spawn(neededTool('redis-server'), words, {
      stdio: 'ignore',
      env: { ...process.env, LD_LIBRARY_PATH: librariesFolder },
    });
    child = started;
    running.add(started);
    let fault: unknown;
    started.on('error', (error) => {
      fault = error;
    });
    started.on('close', () => running.delete(started));
    const note = (reason: unknown) => {
      if (reason instanceof UnusableValkey) fault = reason;
    };
    // The first try may come before it listens.
    const connection = createValkeyConnection({ address, onAway: note });
    void connection.firstTry.then(note);
    while (!connection.isUp()) {
      if (fault !== undefined || started.exitCode !== null) {
        connection.close();
        started.kill('SIGKILL');
        throw fault ?? new Error(`redis-server ended with ${started.exitCode}`);
      }
      await pause();
    }
    connection.close();
  };
  await start();
  return {
    url,
    address,
    start,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    freeze() {
      const frozen = child;
      frozen?.kill('SIGSTOP');
      return () => void frozen?.kill('SIGCONT');
    },
    async command(...command) {
      const connection = await connectTo(address);
      try {
        return await connection.send(command);
      } finally {
        connection.close();
      }
    },
    async remove() {
      await end('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
