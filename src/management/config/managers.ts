import type { IdentityStore } from '../../store/identity/interface.ts';

/** Users by mail address and the reverse, each looked up once. */
export interface Managers {
  /** `""` for 0, which is nobody. */
  mailOf(id: number): Promise<string>;
  /** 0 for `""`; undefined if the team has no such user. */
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
