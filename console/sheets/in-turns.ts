const itemsPerTurn = 200;

/** Does something with each item, and lets the page answer in between. */
export async function inTurns<T>(items: Iterable<T>, run: (item: T) => unknown): Promise<void> {
  let count = 0;
  for (const item of items) {
    run(item);
    count += 1;
    if (count % itemsPerTurn === 0) await new Promise((resolve) => setTimeout(resolve));
  }
}
