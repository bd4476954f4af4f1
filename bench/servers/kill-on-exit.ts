import type { ChildProcess } from 'node:child_process';

/** Kills a child process when the bench ends, so that none is left behind. */
export function killOnExit(child: ChildProcess): void {
  const end = () => child.kill('SIGKILL');
  process.prependOnceListener('exit', end);
  child.once('exit', () => process.off('exit', end));
}
