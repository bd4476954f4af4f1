interface Waiting {
  readonly revision: number;
  readonly settle: (isServed: boolean) => void;
}

export function createServedRevision(revision: () => number) {
  const waiting = new Set<Waiting>();
  return {
    until(wanted: number, waitMs: number): Promise<boolean> {
      if (revision() >= wanted) return Promise.resolve(true);
      return new Promise((resolve) => {
        const settle = (isServed: boolean) => {
          clearTimeout(timer);
          waiting.delete(one);
          resolve(isServed);
        };
        const one = { revision: wanted, settle };
        const timer = setTimeout(settle, waitMs, false);
        waiting.add(one);
      });
    },
    /** To be called when another revision is served. */
    tell(): void {
      for (const { revision: wanted, settle } of waiting) if (revision() >= wanted) settle(true);
    },
    close(): void {
      for (const { settle } of waiting) settle(false);
    },
  };
}
