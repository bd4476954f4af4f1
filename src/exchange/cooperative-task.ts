import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** Work that pauses where other work may have its turn. */
export type CooperativeTask<Result> = Generator<undefined, Result, undefined>;

/** Does all pieces one after the other. */
export function runAtOnce<Result>(task: CooperativeTask<Result>): Result {
  for (;;) {
    const { done, value } = task.next();
    if (done) return value;
  }
}

/** Does pieces for so many milliseconds at a time, with a turn of the event loop between. `now`: milliseconds. */
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
