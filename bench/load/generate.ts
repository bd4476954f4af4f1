import { closedLoop } from './closed-loop.ts';
import type { Job, Reply } from './job.ts';
import { openLoop } from './open-loop.ts';

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
