import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { killOnExit } from './kill-on-exit.ts';

const ticksPerSecond = 100;

export interface ServerProcess extends AsyncDisposable {
  /** As `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Resident memory now, in bytes. */
  residentBytes(): number;
  /** The same, but pages that several processes map (mostly Node's own program) are counted in parts (PSS). */
  proportionalBytes(): number;
  /** Processor time used up to now by all its threads. Like the memory, it can be read on Linux only. */
  cpuSeconds(): number;
}

function residentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

function proportionalBytes(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s*(\d+) kB$/m.exec(rollup)?.[1]) * 1024;
}

function cpuSeconds(pid: number): number {
  const [, afterName = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const columns = afterName.split(' ');
  return (Number(columns[11]) + Number(columns[12])) / ticksPerSecond;
}

function openLog(folder: string, name: string) {
  const path = join(folder, `${name}.log`);
  return { descriptor: openSync(path, 'a'), text: () => readFileSync(path, 'utf8') };
}

/** What to start: arguments for the bench's own Node, and the environment. */
export interface Command {
  readonly name: string;
  readonly args: readonly string[];
  readonly environment?: NodeJS.ProcessEnv;
}

/** Starts a server and waits for the line with its URL; its stderr goes to a file in `folder`. Rejects if it ends. */
export async function startServer(
  { name, args, environment }: Command,
  folder: string,
): Promise<ServerProcess> {
  const log = openLog(folder, name);
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', log.descriptor],
    env: environment ?? process.env,
  });
  killOnExit(child);
  const { pid = 0 } = child;
  const ended = once(child, 'exit');
  const url = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const found = /serves at (http\S+)\n/.exec(output)?.[1];
      if (found) resolve(found);
    });
    ended.then(() => reject(new Error(`${name} ended before it served:\n${log.text()}`)), reject);
  });
  return {
    url,
    residentBytes: () => residentBytes(pid),
    proportionalBytes: () => proportionalBytes(pid),
    cpuSeconds: () => cpuSeconds(pid),
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await ended;
    },
  };
}
