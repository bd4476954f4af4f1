import { closedLoop } from './closed-loop.ts';
import type { Job, Reply } from './job.ts';
import { openLoop } from './open-loop.ts';

/** The load generator's own process: takes jobs from the bench one at a time, and answers their outcomes. */
function answer(reply: Reply): void {
  process.send?.(reply);
}

process.on('message', (job: Job) => {
  const run = job.perSecond === undefined ? closedLoop(job) : openLoop(job, job.perSecond);
  run.then(
    (outcome) => answer({ outcome }),
    (error) => answer({ fault: String(error) }),
  );
});
