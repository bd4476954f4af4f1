import type { Database } from './database.ts';

/** The other threads of this process on the same file, as far as they tell each other of their commits. */
export interface Neighbours {
  /** Counts a commit of this thread, and tells them of it. */
  tell(): void;
  /** How many commits all threads, this one included, have told of. */
  commits(): number;
  /** Calls the listener when one of them has. */
  onTold(listener: () => void): void;
}

/**
 * News of commits: of this thread and its neighbours at once, of other processes as soon as the database tells of
 * them. A listener may be called more often than something has changed.
 */
export function createCommitNews(database: Pick<Database, 'onChange'>, neighbours?: Neighbours) {
  const listeners = new Set<() => void>();
  let commits = 0;
  const call = () => {
    for (const listener of listeners) listener();
  };
  neighbours?.onTold(call);
  return {
    /** To be called after each commit of this thread, before anyone is told that it is done. */
    committed(): void {
      commits += 1;
      call();
      neighbours?.tell();
    },
    /** Changes with each commit of this process, at once in all its threads. */
    commits: (): number => neighbours?.commits() ?? commits,
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
