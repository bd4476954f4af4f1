import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';

const ticksPerSecond = 100;

/** Columns of `/proc/<pid>/stat` behind the name of the process. */
function statOf(pid: number | string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  } catch {
    return [];
  }
}

/** Processor seconds of a PostgreSQL server with all its processes, also those that have ended. */
export function cpuSeconds(postmaster: number): number {
  const own = readdirSync('/proc').filter((pid) => Number(statOf(pid)[1]) === postmaster);
  const ticks = [postmaster, ...own].map((pid) => {
    const [user, system, childUser, childSystem] = statOf(pid).slice(11, 15).map(Number);
    return [user, system, childUser, childSystem].reduce<number>((sum, part) => sum + (part ?? 0), 0);
  });
  return ticks.reduce((sum, part) => sum + part, 0) / ticksPerSecond;
}

/** The first process of the server that a client is connected to. */
export async function postmasterOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return Number(statOf(rows[0]?.pid ?? 0)[1]);
}
