import type { ObjectRun } from './row-change.ts';

/** At most 32 bits from `place` on, in the bitmap at word `bitmap`. */
function bitsAt(bits: Int32Array, bitmap: number, place: number, count: number): number {
  const word = bitmap + (place >>> 5);
  const skipped = place & 31;
  let held = (bits[word] as number) >>> skipped;
  if (skipped + count > 32) held |= (bits[word + 1] as number) << (32 - skipped);
  return count === 32 ? held : held & ((1 << count) - 1);
}

/** The target's bits must still be 0. */
export function copyRuns(
  source: Int32Array,
  from: number,
  target: Int32Array,
  to: number,
  runs: readonly ObjectRun[],
): void {
  for (const run of runs) {
    for (let done = 0; done < run.length; ) {
      const place = run.to + done;
      const count = Math.min(32 - (place & 31), run.length - done);
      const word = to + (place >>> 5);
      const held = bitsAt(source, from, run.from + done, count) << (place & 31);
      target[word] = (target[word] as number) | held;
      done += count;
    }
  }
}
