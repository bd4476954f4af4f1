import type { Bearer, IdentityWrites, OpenSession } from '../store/identity/interface.ts';
import type { IdentityContext } from './identity-context.ts';
import { managedUser, refuseField } from './managed-user.ts';
import { hasRight } from './roles.ts';

export interface ShownSession extends OpenSession {
  readonly isCurrent: boolean;
}

/** One's own, or for an administrator anyone's of the team. */
export interface OpenSessions {
  /** Sessions and access tokens; by default the bearer's. */
  sessions(bearer: Bearer, userId?: number): Promise<ShownSession[]>;
  /** Refuses with `invalid` a session that is not shown to the bearer. */
  endSession(bearer: Bearer, id: number, writes: IdentityWrites): Promise<void>;
}

export function createOpenSessions({ store, now }: IdentityContext): OpenSessions {
  const seenBy = ({ teamId, userId, role }: Bearer) =>
    store.sessions(teamId, hasRight(role, 'manage_users') ? undefined : userId, now());
  return {
    async sessions(bearer, userId = bearer.userId) {
      if (userId !== bearer.userId) await managedUser(store, bearer, userId);
      const sessions = await store.sessions(bearer.teamId, userId, now());
      return sessions.map((session) => ({ ...session, isCurrent: session.id === bearer.tokenId }));
    },
    async endSession(bearer, id, writes) {
      const seen = (await seenBy(bearer)).some((session) => session.id === id);
      if (seen && (await writes.endSession(id))) return;
      throw refuseField('Id', 'not_found', `names session ${id}, which is not found`);
    },
  };
}
