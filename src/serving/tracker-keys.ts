import type { Store } from '../store/interface.ts';

/** How soon this thread knows a key that was added: minutes before it is used (`bourse keys rotate`). */
const noticeMs = 10_000;

/** Watches the keys of trackers. Rejects if they cannot be read now; later failures change nothing. */
export async function watchTrackerKeys(store: Pick<Store, 'trackerKeys'>) {
  let keys = await store.trackerKeys();
  const look = async () => {
    keys = await store.trackerKeys();
  };
  const timer = setInterval(() => look().catch(() => undefined), noticeMs).unref();
  return {
    keyring: () => keys,
    close: () => clearInterval(timer),
  };
}
