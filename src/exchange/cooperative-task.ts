import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

export type CooperativeTask<Result> = Generator<undefined, Result, undefined>;

export function runAtOnce<Result>(task: CooperativeTask<Result>): Result {
  for (;;) {
    const { done, value } = task.next();
    if (done) return value;
  }
}

/** Works in slices of some milliseconds, with a tick of the event loop between. `now`: milliseconds. */
export async function runInSlices<Result>(
  task: CooperativeTask<Result>,
  sliceMs: number,
  now: () => number,
): Promise<Result> {
  for (let beganMs = now(); ; ) {
    const { done, value } = task.next();
    if (done) return value;
    if (now() - beganMs < sliceMs) continue;
    await yieldToEventLoop();
    beganMs = now();
  }
}
