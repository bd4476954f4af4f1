type Role = { readonly Id: 0 | 1 | 2; readonly Name: string };

/** What a user may do in the team (decisions A5): all; all but other users and their keys; only read. */
export const roles: readonly Role[] = [
  { Id: 0, Name: 'Administrator' },
  { Id: 1, Name: 'Manager' },
  { Id: 2, Name: 'Analyst' },
];
