import type { Store, StoreOptions } from './interface.ts';
import { openStore } from './open-store.ts';

/** In one line; for a database that is away, the reason why. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  return cause.message || ('code' in cause ? String(cause.code) : error.message);
}

/** By `BOURSE_DATABASE_URL`. Rejects with an error that names the variable and the reason. */
export async function openConfiguredStore(
  url: string,
  threads: Omit<StoreOptions, 'url' | 'now'> = {},
): Promise<Store> {
  try {
    return await openStore({ url, now: Date.now, ...threads });
  } catch (error) {
    throw new Error(`BOURSE_DATABASE_URL: the database cannot be opened: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}
