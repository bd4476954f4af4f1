import type { IdentityStore } from '../../store/identity/interface.ts';

/** The team's users by mail address and the other way round, each looked up once. */
export interface Managers {
  /** Mail address of a user; `""` for 0, which is nobody. */
  mailOf(id: number): Promise<string>;
  /** ID of the team's user with that address, 0 for `""`; undefined where the team has none. */
  idOf(mail: string): Promise<number | undefined>;
}

function remembered<K, V>(look: (key: K) => Promise<V>): (key: K) => Promise<V> {
  const known = new Map<K, V>();
  return async (key) => {
    const value = known.has(key) ? (known.get(key) as V) : await look(key);
    known.set(key, value);
    return value;
  };
}

export function managersOf(identity: IdentityStore, teamId: number): Managers {
  return {
    mailOf: remembered(async (id) => (id === 0 ? '' : ((await identity.user(id))?.mail ?? ''))),
    idOf: remembered(async (mail) => {
      if (mail === '') return 0;
      const user = await identity.userByMail(mail);
      return user?.teamId === teamId ? user.id : undefined;
    }),
  };
}
