import { createTimedWork } from '../shared/timed-work.ts';
import type { Store } from '../store/interface.ts';

/** Well within the minutes before a new key is used (`bourse keys rotate`). */
const noticeMs = 10_000;

/** Rejects if they cannot be read now; later failures change nothing. */
export async function watchTrackerKeys(store: Pick<Store, 'trackerKeys'>) {
  let keys = await store.trackerKeys();
  const look = async () => {
    keys = await store.trackerKeys();
  };
  const work = createTimedWork(noticeMs, look);
  work.start();
  return { keyring: () => keys, close: work.close };
}
