import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { PostgresServer } from '../support/postgres.ts';

/** A way for a server to go: in order (what an operator does), at once, or without a word. */
export type Going = 'stop' | 'SIGQUIT' | 'SIGKILL';

const startWithinMs = 60_000;
const startAgainMs = 50;

/** One query on a connection of its own. */
export async function queryOnce<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

async function pidOf({ url }: PostgresServer): Promise<number> {
  const [row] = await queryOnce<{ data_directory: string }>(url, 'show data_directory');
  const [pid] = (await readFile(join(row?.data_directory ?? '', 'postmaster.pid'), 'utf8')).split('\n');
  return Number(pid);
}

/**
 * Stops the server's processes where they stand, so that connections stay and nothing is answered; answers what ends
 * that.
 */
export async function freeze(server: PostgresServer): Promise<() => void> {
  const backends = await queryOnce<{ pid: number }>(server.url, 'select pid from pg_stat_activity');
  // The first process comes first: it makes no further one then. The connection that asked has ended.
  const pids = [await pidOf(server), ...backends.map(({ pid }) => pid)];
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
    for (const pid of pids) {
      try {
        process.kill(pid, name);
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
      }
    }
  };
  signal('SIGSTOP');
  return () => signal('SIGCONT');
}

/** Makes the server go, and waits until its first process is gone. */
export async function goDown(server: PostgresServer, going: Going): Promise<void> {
  if (going !== 'stop') process.kill(await pidOf(server), going);
  // After a signal this only waits: the server is going already.
  await server.stop();
}

/** Starts the server again. After a SIGKILL its children may hold its memory for a moment, and it refuses to start. */
export async function comeUp(server: PostgresServer): Promise<void> {
  const endMs = performance.now() + startWithinMs;
  for (;;) {
    try {
      await server.start();
      return;
    } catch (error) {
      if (performance.now() > endMs) throw new Error('the server does not start again', { cause: error });
      await delay(startAgainMs);
    }
  }
}
