type Role = { readonly Id: 0 | 1 | 2 | 3; readonly Name: string };

export const roles: readonly Role[] = [
  { Id: 0, Name: 'Administrator' },
  { Id: 1, Name: 'Manager' },
  { Id: 2, Name: 'Analyst' },
  { Id: 3, Name: 'Partner' },
];

/** By code (reference, A5). */
export const roleHelp: Readonly<Record<Role['Id'], string>> = {
  0: 'Everything in the team, including its users and their API keys',
  1: 'Everything except users and the keys of others',
  2: 'Sees everything, asks why no ad is shown, and changes nothing',
  3: 'A publisher or an advertiser: sees only what belongs to its account, in the portal',
};
