let tick: Promise<void> | undefined;

/**
 * Resolves when all that has come in this turn of the event loop has been read. Requests and answers of a turn are so
 * handled in phases: all reads, then step by step all auctions, and last all writes (`endpoints/end-later.ts`). The code of
 * a step is still in the processor's cache for the next auction, which is half of what it costs.
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
