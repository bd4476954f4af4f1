import type { Identity } from '../../identity/identity.ts';
import { type StoreOptions, withStore } from '../with-store.ts';

/** Runs a job on the teams and users of the configured database; see `withStore`. */
export function withIdentity<T>(job: (identity: Identity) => Promise<T>, options?: StoreOptions): Promise<T> {
  return withStore(async (store) => {
    const { createIdentity } = await import('../../identity/identity.ts');
    return job(createIdentity({ store, now: Date.now }));
  }, options);
}
