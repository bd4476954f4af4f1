import { fork } from 'node:child_process';
import { once } from 'node:events';
import { killOnExit } from '../servers/kill-on-exit.ts';
import type { Job, Outcome, Reply } from './job.ts';

/** Flags for processes whose garbage collection would be taken for the server's: few collections, no helper threads. */
export const lowPauseFlags = ['--min-semi-space-size=64', '--max-semi-space-size=64', '--single-threaded-gc'];

/** A process that sends requests. */
export interface Generator extends Disposable {
  /** Does one job; rejects when a single request of it failed. One at a time. */
  run(job: Job): Promise<Outcome>;
}

/** Starts a load generator beside the bench, with a core of its own where the machine has one. */
export function startGenerator(): Generator {
  const child = fork(new URL('./generate.ts', import.meta.url), {
    serialization: 'advanced',
    execArgv: lowPauseFlags,
  });
  killOnExit(child);
  const ended = once(child, 'exit').then((): Reply[] => [{ fault: 'it ended' }]);
  return {
    run: async (job) => {
      child.send(job);
      const [reply]: Reply[] = await Promise.race([once(child, 'message'), ended]);
      if (reply === undefined || 'fault' in reply) throw new Error(`load generator: ${reply?.fault}`);
      const { outcome } = reply;
      if (outcome.failures === 0 && outcome.answers > 0) return outcome;
      throw new Error(
        `${outcome.failures} of ${outcome.answers} requests failed: ${job.method} ${job.paths[0]}`,
      );
    },
    [Symbol.dispose]: () => child.kill(),
  };
}
