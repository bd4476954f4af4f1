/** Waits for one of `placesMax` places, in order; returns how to leave it. */
export function createSemaphore(placesMax: number): () => Promise<() => void> {
  let free = placesMax;
  const waiting: (() => void)[] = [];
  const leave = () => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };
  return async () => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    return leave;
  };
}
