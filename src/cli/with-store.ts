import type { Store } from '../store/interface.ts';
import { configuration } from './configuration.ts';
import { assertDatabaseExists } from './database/database-file.ts';

/** How a command takes the configured database. */
export interface StoreOptions {
  /** Whether the command makes an SQLite file that is not there; else it is refused, and none is made. */
  readonly makesFile?: boolean;
}

/** Runs a job on the configured database. Rejects with a `ConfigurationError` if its file is not there. */
export async function withStore<T>(
  job: (store: Store) => Promise<T>,
  { makesFile = false }: StoreOptions = {},
): Promise<T> {
  const { databaseUrl } = configuration();
  if (!makesFile) assertDatabaseExists(databaseUrl);
  const { openConfiguredStore } = await import('../store/configured-store.ts');
  const store = await openConfiguredStore(databaseUrl);
  try {
    return await job(store);
  } finally {
    await store.close();
  }
}
