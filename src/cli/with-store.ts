import type { Store } from '../store/interface.ts';
import { configuration } from './configuration.ts';

/** Runs a job on the configured database, which a server may have open at the same time, and closes it. */
export async function withStore<T>(job: (store: Store) => Promise<T>): Promise<T> {
  const { databaseUrl } = configuration();
  const { openConfiguredStore } = await import('./configured-store.ts');
  const store = await openConfiguredStore(databaseUrl);
  try {
    return await job(store);
  } finally {
    await store.close();
  }
}
