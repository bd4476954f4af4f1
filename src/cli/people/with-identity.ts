import type { Identity } from '../../identity/identity.ts';
import type { FirstAdministrator } from '../../identity/people.ts';
import type { Store } from '../../store/interface.ts';
import { type StoreOptions, withStore } from '../with-store.ts';

/** See `withStore`. */
export function withIdentity<T>(job: (identity: Identity) => Promise<T>, options?: StoreOptions): Promise<T> {
  return withStore(async (store) => {
    const { createIdentity } = await import('../../identity/identity.ts');
    return job(createIdentity({ store, now: Date.now }));
  }, options);
}

/** By default the first user's. Rejects if there is no user yet. */
export async function mailOrFirstUser({ identity }: Store, mail: string | undefined): Promise<string> {
  const found = mail ?? (await identity.user(1))?.mail;
  if (found !== undefined) return found;
  throw new Error('There is no user yet; run `bourse serve` or `bourse user add` to create one');
}

/** With a generated password, never shown again. */
export function printAdministrator({ mail, generatedPassword }: FirstAdministrator): void {
  console.log(`Administrator: ${mail}`);
  if (generatedPassword === undefined) console.log('Password: as set in BOURSE_ADMIN_PASSWORD');
  else console.log(`Password (shown only this once): ${generatedPassword}`);
}
