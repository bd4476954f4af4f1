let tick: Promise<void> | undefined;

/**
 * Resolves when this tick's input has been read. A tick then goes in phases: all reads, each step for all auctions, all
 * writes (`endpoints/end-later.ts`). A step's code stays in the processor's cache, which halves its cost.
 */
export function untilTickRead(): Promise<void> {
  tick ??= new Promise((resolve) => {
    setImmediate(() => {
      tick = undefined;
      resolve();
    });
  });
  return tick;
}
