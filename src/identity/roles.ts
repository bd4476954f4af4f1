import { Refusal } from '../fields/fault.ts';
import { edgeRole } from '../store/identity/interface.ts';

/** Reference, A5; names are in `reference/roles.ts`. */
export const administrator = 0;
const manager = 1;
export const analyst = 2;
/** Users of a publisher or an advertiser (reference, A20). */
export const partner = 3;

/**
 * One's own affairs; looking; changing objects; users and their API keys; a partner's view; serving all teams'
 * configuration as an edge.
 */
export type Right = 'own' | 'read' | 'write' | 'manage_users' | 'portal' | 'serve';

const rolesWith: Readonly<Record<Right, readonly number[]>> = {
  own: [administrator, manager, analyst, partner],
  read: [administrator, manager, analyst],
  write: [administrator, manager],
  manage_users: [administrator],
  portal: [partner],
  serve: [edgeRole],
};

const lacking: Readonly<Record<Right, string>> = {
  own: 'Your role does not let you log in',
  read: 'Your role lets you see only your own account in the portal; ask the exchange for anything else',
  write: 'Your role is read-only; ask an administrator of your team for the role of a manager',
  manage_users: 'Only administrators of the team may do this',
  portal: 'The portal is for users of a publisher or an advertiser; use the other calls instead',
  serve: 'Only edges may do this, with a key from `bourse edge add`',
};

export function hasRight(role: number, right: Right): boolean {
  return rolesWith[right].includes(role);
}

/** Refuses with `forbidden`. */
export function requireRight({ role }: { readonly role: number }, right: Right): void {
  if (role === edgeRole && !hasRight(role, right))
    throw new Refusal('forbidden', 'The key of an edge cannot be used for this; make an API key instead');
  if (!hasRight(role, right)) throw new Refusal('forbidden', lacking[right]);
}
