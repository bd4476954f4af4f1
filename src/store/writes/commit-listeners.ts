import type { Database } from '../database/database.ts';
import type { SharedCommits } from '../interface.ts';

/**
 * Tells of commits: of the threads of this process at once, of other processes as soon as the database reports them.
 * A listener may also be called when nothing has changed.
 */
export function createCommitListeners(database: Pick<Database, 'onChange'>, shared?: SharedCommits) {
  const listeners = new Set<() => void>();
  let commits = 0;
  const call = () => {
    for (const listener of listeners) listener();
  };
  shared?.onAnnounced(call);
  return {
    /** To be called after each commit of this thread, before anyone is told that it is done. */
    committed(): void {
      commits += 1;
      call();
      shared?.announce();
    },
    /** Changes with each commit of this process, at once in all its threads. */
    count: (): number => shared?.count() ?? commits,
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
