import type { Database } from './database.ts';

/** The other threads of this process on the same file, as far as they tell each other of their commits. */
export interface Neighbours {
  /** Tells them that this thread has committed. */
  tell(): void;
  /** Calls the listener when one of them has. */
  onTold(listener: () => void): void;
}

/**
 * News of commits: of this thread and its neighbours at once, of other processes as soon as the database tells of
 * them. A listener may be called more often than something has changed.
 */
export function createCommitNews(database: Pick<Database, 'onChange'>, neighbours?: Neighbours) {
  const listeners = new Set<() => void>();
  const call = () => {
    for (const listener of listeners) listener();
  };
  neighbours?.onTold(call);
  return {
    /** To be called after each commit of this thread. */
    committed(): void {
      call();
      neighbours?.tell();
    },
    onChange(listener: () => void): () => void {
      listeners.add(listener);
      const end = database.onChange(listener);
      return () => {
        listeners.delete(listener);
        end();
      };
    },
  };
}
