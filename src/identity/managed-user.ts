import { type Fault, invalid, type Refusal } from '../fields/fault.ts';
import type { Bearer, IdentityStore, User } from '../store/identity/interface.ts';
import { requireRight } from './roles.ts';

export function refuseField(Path: string, Code: Fault['Code'], Message: string): Refusal {
  return invalid([{ Path, Code, Message }]);
}

/** Refuses other roles with `forbidden`, IDs of other teams with `invalid`. */
export async function managedUser(
  store: Pick<IdentityStore, 'user'>,
  bearer: Bearer,
  id: number,
): Promise<User> {
  requireRight(bearer, 'manage_users');
  const user = await store.user(id);
  if (user?.teamId === bearer.teamId) return user;
  throw refuseField('Id', 'not_found', `names user ${id}, which is not found`);
}
