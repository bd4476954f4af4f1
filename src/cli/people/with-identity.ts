import type { Identity } from '../../identity/identity.ts';
import { type StoreWish, withStore } from '../with-store.ts';

/** Runs a job on the teams and users of the configured database; see `withStore`. */
export function withIdentity<T>(job: (identity: Identity) => Promise<T>, wish?: StoreWish): Promise<T> {
  return withStore(async (store) => {
    const { createIdentity } = await import('../../identity/identity.ts');
    return job(createIdentity({ store, now: Date.now }));
  }, wish);
}
