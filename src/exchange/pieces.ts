import { setImmediate as turn } from 'node:timers/promises';

/** Work that pauses where other work may have its turn. */
export type Pieces<Result> = Generator<undefined, Result, undefined>;

/** Does all pieces one after the other. */
export function atOnce<Result>(pieces: Pieces<Result>): Result {
  for (;;) {
    const { done, value } = pieces.next();
    if (done) return value;
  }
}

/** Does pieces for so many milliseconds at a time, with a turn of the event loop between. `now`: milliseconds. */
export async function inSlices<Result>(
  pieces: Pieces<Result>,
  sliceMs: number,
  now: () => number,
): Promise<Result> {
  for (let beganMs = now(); ; ) {
    const { done, value } = pieces.next();
    if (done) return value;
    if (now() - beganMs < sliceMs) continue;
    await turn();
    beganMs = now();
  }
}
