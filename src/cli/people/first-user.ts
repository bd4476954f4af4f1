import type { Store } from '../../store/interface.ts';

/** The mail address given, else that of the first user. Rejects where there is no user yet. */
export async function mailOrFirstUser({ identity }: Store, mail: string | undefined): Promise<string> {
  const found = mail ?? (await identity.user(1))?.mail;
  if (found !== undefined) return found;
  throw new Error('There is no user yet; the first `bourse serve` makes one, or `bourse user add`');
}
