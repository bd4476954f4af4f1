import { asAnswered } from './as-answered.ts';
import { atRate } from './at-rate.ts';
import type { Job, Reply } from './job.ts';

/** The load generator's own process: takes jobs from the bench one at a time, and answers their outcomes. */
function answer(reply: Reply): void {
  process.send?.(reply);
}

process.on('message', (job: Job) => {
  const run = job.perSecond === undefined ? asAnswered(job) : atRate(job, job.perSecond);
  run.then(
    (outcome) => answer({ outcome }),
    (error) => answer({ fault: String(error) }),
  );
});
