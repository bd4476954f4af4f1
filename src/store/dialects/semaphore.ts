/** Places that at most `placesMax` hold at a time: the answer waits for one, in turn, and gives what leaves it. */
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
