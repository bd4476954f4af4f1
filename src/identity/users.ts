import type { Bearer, IdentityWrites, User, UserValues } from '../store/identity/interface.ts';
import type { IdentityContext } from './identity-context.ts';
import { passwordLinkLastsMs } from './links.ts';
import { managedUser, refuseField } from './managed-user.ts';
import { hasRight, requireRight } from './roles.ts';
import { newToken, tokenHash } from './tokens.ts';

export type Invitee = Pick<User, 'mail' | 'firstName' | 'lastName' | 'role' | 'partner'>;

/**
 * For administrators (reference, A5, A18). `writes`: of the transaction under way. Refuses others with `forbidden`;
 * with `invalid` users of other teams, forbidden self-changes, and leaving the team without an active administrator.
 */
export interface Users {
  /** All of the team for an administrator, else oneself; in order of ID. */
  users(bearer: Bearer): Promise<User[]>;
  /** Returns the secret of the link that sets the password. */
  invite(bearer: Bearer, user: Invitee, writes: IdentityWrites): Promise<{ user: User; link: string }>;
  updateUser(
    bearer: Bearer,
    id: number,
    values: Omit<UserValues, 'status'>,
    writes: IdentityWrites,
  ): Promise<User>;
  activateUser(bearer: Bearer, id: number, writes: IdentityWrites): Promise<User>;
  /** Ends sessions, links and access tokens, and revokes API keys. */
  deactivateUser(bearer: Bearer, id: number, writes: IdentityWrites): Promise<User>;
  /** Replaces earlier links. */
  addPasswordLink(bearer: Bearer, id: number, writes: IdentityWrites): Promise<string>;
  resetSecondFactor(bearer: Bearer, id: number, writes: IdentityWrites): Promise<User>;
}

const lastAdministrator = (id: number) =>
  refuseField('Id', 'last_administrator', `names user ${id}, the last active administrator of the team`);

export function createUsers({ store, now, random }: IdentityContext): Users {
  const update = async (id: number, values: UserValues, writes: IdentityWrites): Promise<User> => {
    const user = await writes.updateUser(id, values);
    if (!user) throw lastAdministrator(id);
    return user;
  };
  const addLink = async (userId: number, writes: IdentityWrites): Promise<string> => {
    const secret = newToken(random);
    const expiresAtMs = now() + passwordLinkLastsMs;
    await writes.addLink({ kind: 'password', hash: tokenHash(secret), userId, expiresAtMs });
    return secret;
  };
  return {
    async users({ role, teamId, userId }) {
      const users = await store.users(teamId);
      return hasRight(role, 'manage_users') ? users : users.filter(({ id }) => id === userId);
    },
    async invite(bearer, invited, writes) {
      requireRight(bearer, 'manage_users');
      const user = { ...invited, teamId: bearer.teamId, status: 0, passwordHash: '' };
      const id = await writes.addUser(user);
      if (id === undefined)
        throw refuseField('Mail', 'taken', `${invited.mail} is already used by another user`);
      return { user: { ...user, id }, link: await addLink(id, writes) };
    },
    async updateUser(bearer, id, values, writes) {
      await managedUser(store, bearer, id);
      return await update(id, values, writes);
    },
    async activateUser(bearer, id, writes) {
      await managedUser(store, bearer, id);
      return await update(id, { status: 0 }, writes);
    },
    async deactivateUser(bearer, id, writes) {
      await managedUser(store, bearer, id);
      if (id === bearer.userId)
        throw refuseField('Id', 'own_user', 'is your own user; ask another administrator');
      const user = await update(id, { status: 1 }, writes);
      await writes.endAccess(id, { revokesKeys: true });
      return user;
    },
    async addPasswordLink(bearer, id, writes) {
      const { status } = await managedUser(store, bearer, id);
      if (status !== 0)
        throw refuseField('Id', 'wrong_state', `names user ${id}, who is inactive; activate first`);
      return await addLink(id, writes);
    },
    async resetSecondFactor(bearer, id, writes) {
      const { secondFactor: _, ...user } = await managedUser(store, bearer, id);
      await writes.setSecondFactor(id, () => undefined);
      return user;
    },
  };
}
