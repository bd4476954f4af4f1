import type { Store } from '../store/interface.ts';
import { configuration } from './configuration.ts';
import { assertDatabaseExists } from './database/database-file.ts';

export interface StoreOptions {
  /** Whether it may create a missing SQLite file; else that is refused. */
  readonly makesFile?: boolean;
}

/** Rejects with a `ConfigurationError` if the file is missing. */
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
