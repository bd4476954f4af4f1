import type { Database } from '../database/database.ts';
import type { SharedCommits } from '../interface.ts';

/** This process's threads at once, other processes when the database reports them. May be called without a change. */
export function createCommitListeners(database: Pick<Database, 'onChange' | 'pool'>, shared?: SharedCommits) {
  const listeners = new Set<() => void>();
  let commits = 0;
  /** Each thread watches a file itself; one listens to a server for all. */
  const isTold = database.pool !== undefined && shared?.isFirst === false;
  const tells = database.pool !== undefined && shared?.isFirst === true;
  const call = () => {
    for (const listener of listeners) listener();
  };
  let endTelling: () => void = () => undefined;
  shared?.onAnnounced(call);
  return {
    /** After each commit of this thread, before anyone is told that it is done. */
    committed(): void {
      commits += 1;
      call();
      shared?.announce();
    },
    /** Changes with each commit of this process, at once in all its threads. */
    count: (): number => shared?.count() ?? commits,
    onChange(listener: () => void): () => void {
      listeners.add(listener);
      const end = isTold ? () => undefined : database.onChange(listener);
      if (tells && listeners.size === 1) endTelling = database.onChange(shared.announce);
      return () => {
        listeners.delete(listener);
        end();
        if (listeners.size === 0) endTelling();
      };
    },
  };
}
