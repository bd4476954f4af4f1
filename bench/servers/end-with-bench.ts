import type { ChildProcess } from 'node:child_process';

/** Leaves no child behind, however the bench ends. */
export function endWithBench(child: ChildProcess): void {
  const end = () => child.kill('SIGKILL');
  process.prependOnceListener('exit', end);
  child.once('exit', () => process.off('exit', end));
}
