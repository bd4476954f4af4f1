export type RunQueued = <T>(owner: string, work: () => Promise<T>) => Promise<T>;

/** Runs at most `atOnceMax` jobs at once, one per owner. */
export function createOwnerQueue(atOnceMax: number): RunQueued {
  const lastOf = new Map<string, Promise<void>>();
  const waiting: (() => void)[] = [];
  let free = atOnceMax;
  const enter = async () => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const leave = () => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };
  return async (owner, work) => {
    const { promise: done, resolve } = Promise.withResolvers<void>();
    const before = lastOf.get(owner);
    lastOf.set(owner, done);
    await before;
    await enter();
    try {
      return await work();
    } finally {
      leave();
      resolve();
      if (lastOf.get(owner) === done) lastOf.delete(owner);
    }
  };
}
