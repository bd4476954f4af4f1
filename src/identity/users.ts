import { type Fault, invalid } from '../fields/fault.ts';
import type { Bearer, IdentityWrites, OpenSession, User, UserValues } from '../store/identity/interface.ts';
import type { IdentityContext } from './identity-context.ts';
import { demandRight, may } from './roles.ts';
import { newToken, tokenHash } from './tokens.ts';

/** A session, and whether the caller speaks by it. */
export interface ShownSession extends OpenSession {
  readonly isCurrent: boolean;
}

/** Who is to join a team. */
export type Invited = Pick<User, 'mail' | 'firstName' | 'lastName' | 'role'>;

/**
 * The users of a team, for its administrators (decisions A5, A16). `writes` are those of a transaction that is under
 * way. Refuses other roles with `forbidden`, and with `invalid` what cannot be: the ID of no user of the team, one's
 * own where that must not be, and whatever would leave the team without an active administrator.
 */
export interface Users {
  /** All users of the team for an administrator, for others themselves; in order of ID. */
  users(bearer: Bearer): Promise<User[]>;
  /** Adds a user without a password, and answers the secret of the link that sets one. */
  invite(bearer: Bearer, user: Invited, writes: IdentityWrites): Promise<{ user: User; link: string }>;
  /** Changes names and role. */
  updateUser(
    bearer: Bearer,
    id: number,
    values: Omit<UserValues, 'status'>,
    writes: IdentityWrites,
  ): Promise<User>;
  /** Lets a user in again. */
  activateUser(bearer: Bearer, id: number, writes: IdentityWrites): Promise<User>;
  /** Shuts a user out: ends sessions, links and access tokens, and revokes API keys. */
  deactivateUser(bearer: Bearer, id: number, writes: IdentityWrites): Promise<User>;
  /** The secret of a new link that sets the password, in place of earlier ones. */
  addPasswordLink(bearer: Bearer, id: number, writes: IdentityWrites): Promise<string>;
  /** Removes the second factor of a user who has lost it. */
  resetSecondFactor(bearer: Bearer, id: number, writes: IdentityWrites): Promise<User>;
  /** Open sessions of a user: one's own, or anyone's of the team for an administrator. */
  sessions(bearer: Bearer, userId?: number): Promise<ShownSession[]>;
  /** Ends one of these. Refuses with `invalid` one that is not shown to the bearer, as if there were none. */
  endSession(bearer: Bearer, id: number, writes: IdentityWrites): Promise<void>;
}

const passwordLinkLastsMs = 7 * 24 * 3_600_000;

function refuse(Path: string, Code: Fault['Code'], Message: string) {
  return invalid([{ Path, Code, Message }]);
}

const lastAdministrator = (id: number) =>
  refuse('Id', 'last_administrator', `names user ${id}, the last active administrator of the team`);

/** The users of teams on a store. */
export function createUsers({ store, now, random }: IdentityContext): Users {
  const memberOf = async ({ teamId }: Bearer, id: number): Promise<User> => {
    const user = await store.user(id);
    if (user?.teamId === teamId) return user;
    throw refuse('Id', 'not_found', `names user ${id}, who is not found`);
  };
  const managed = (bearer: Bearer, id: number): Promise<User> => {
    demandRight(bearer, 'manage_users');
    return memberOf(bearer, id);
  };
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
  const sessionsSeen = ({ teamId, userId, role }: Bearer) =>
    store.sessions(teamId, may(role, 'manage_users') ? undefined : userId, now());
  return {
    async users({ role, teamId, userId }) {
      const users = await store.users(teamId);
      return may(role, 'manage_users') ? users : users.filter(({ id }) => id === userId);
    },
    async invite(bearer, invited, writes) {
      demandRight(bearer, 'manage_users');
      const user = { ...invited, teamId: bearer.teamId, status: 0, passwordHash: '' };
      const id = await writes.addUser(user);
      if (id === undefined) throw refuse('Mail', 'taken', `${invited.mail} is taken by another user`);
      return { user: { ...user, id }, link: await addLink(id, writes) };
    },
    async updateUser(bearer, id, values, writes) {
      await managed(bearer, id);
      return await update(id, values, writes);
    },
    async activateUser(bearer, id, writes) {
      await managed(bearer, id);
      return await update(id, { status: 0 }, writes);
    },
    async deactivateUser(bearer, id, writes) {
      await managed(bearer, id);
      if (id === bearer.userId) throw refuse('Id', 'own_user', 'is your own user; ask another administrator');
      const user = await update(id, { status: 1 }, writes);
      await writes.endAccess(id, { revokesKeys: true });
      return user;
    },
    async addPasswordLink(bearer, id, writes) {
      const { status } = await managed(bearer, id);
      if (status !== 0)
        throw refuse('Id', 'contradiction', `names user ${id}, who is inactive; activate first`);
      return await addLink(id, writes);
    },
    async resetSecondFactor(bearer, id, writes) {
      const { secondFactor: _, ...user } = await managed(bearer, id);
      await writes.setSecondFactor(id, () => undefined);
      return user;
    },
    async sessions(bearer, userId = bearer.userId) {
      if (userId !== bearer.userId) await managed(bearer, userId);
      const sessions = await store.sessions(bearer.teamId, userId, now());
      return sessions.map((session) => ({ ...session, isCurrent: session.id === bearer.tokenId }));
    },
    async endSession(bearer, id, writes) {
      const seen = (await sessionsSeen(bearer)).some((session) => session.id === id);
      if (seen && (await writes.endSession(id))) return;
      throw refuse('Id', 'not_found', `names session ${id}, which is not found`);
    },
  };
}
