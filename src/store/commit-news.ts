import type { Database } from './database.ts';

/** The threads of this process that share a file, and tell each other of their commits. */
export interface Neighbours {
  /** Counts a commit of this thread, and tells the other threads of it. */
  tell(): void;
  /** Number of commits that the threads, including this one, have reported. */
  commits(): number;
  /** Calls the listener when another thread has reported a commit. */
  onTold(listener: () => void): void;
}

/**
 * News of commits: of this thread and its neighbours at once, of other processes as soon as the database reports them.
 * A listener may also be called when nothing has changed.
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
