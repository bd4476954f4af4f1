/**
 * Statements of one transaction that need not wait for each other's answers. Rejects with the first failure once all
 * have ended, so that none follows a rollback.
 */
export async function runAtOnce<T>(items: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
  const ended = await Promise.allSettled(items.map(run));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
}
