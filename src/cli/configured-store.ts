import type { Store } from '../store/interface.ts';
import { openStore, type StoreOptions } from '../store/open-store.ts';

/** What is wrong in one line: of a database that is away, why. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  return cause.message || ('code' in cause ? String(cause.code) : error.message);
}

/** What threads on one file have in common. */
type Together = Pick<StoreOptions, 'writersTurn' | 'neighbours'>;

/** Opens the store that `BOURSE_DATABASE_URL` names. Rejects with an error that says so where it cannot be opened. */
export async function openConfiguredStore(url: string, together: Together = {}): Promise<Store> {
  try {
    return await openStore({ url, now: Date.now, ...together });
  } catch (error) {
    throw new Error(`BOURSE_DATABASE_URL: the database cannot be opened: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}
