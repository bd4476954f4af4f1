import { Refusal } from '../fields/fault.ts';

/** The role of administrators (decisions A5); the names of roles are in `reference/roles.ts`. */
export const administrator = 0;
const manager = 1;
/** The role of analysts. */
export const analyst = 2;

/** What someone may want to do: look, change the team's objects, or handle other users and their API keys. */
export type Right = 'read' | 'write' | 'manage_users';

const rolesWith: Readonly<Record<Right, readonly number[]>> = {
  read: [administrator, manager, analyst],
  write: [administrator, manager],
  manage_users: [administrator],
};

const lacking: Readonly<Record<Right, string>> = {
  read: 'Your role does not let you read',
  write: 'Your role lets you read only; ask an administrator of your team for the role of a manager',
  manage_users: 'Only administrators of the team may do this',
};

/** Whether a role carries a right. */
export function may(role: number, right: Right): boolean {
  return rolesWith[right].includes(role);
}

/** Refuses with `forbidden` where the role does not carry the right. */
export function demandRight({ role }: { readonly role: number }, right: Right): void {
  if (!may(role, right)) throw new Refusal('forbidden', lacking[right]);
}
