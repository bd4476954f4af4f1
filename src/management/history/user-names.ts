import type { IdentityStore, User } from '../../store/identity/interface.ts';

/** As objects show their account manager's. */
export function fullName({ firstName, lastName }: Pick<User, 'firstName' | 'lastName'>): string {
  return `${firstName} ${lastName}`.trim();
}

async function nameOf(identity: Pick<IdentityStore, 'user'>, id: number): Promise<string> {
  // The program itself: the command line, or the first start.
  if (id === 0) return 'Bourse';
  const user = await identity.user(id);
  return user ? fullName(user) || user.mail : '';
}

/** By ID (the mail address if there is no name), asking once per user. */
export function createUserNames(identity: Pick<IdentityStore, 'user'>): (id: number) => Promise<string> {
  const known = new Map<number, Promise<string>>();
  return (id) => {
    const name = known.get(id) ?? nameOf(identity, id);
    known.set(id, name);
    return name;
  };
}
