/** What a partner may do, or be told of a viewer: bits of a mask. */
export const activities = { bid: 1, userIds: 2, userData: 4, address: 8, place: 16, sync: 32 } as const;

export type Activity = keyof typeof activities;

export const activityNames = Object.keys(activities) as Activity[];

/** As people see it; what is told instead, if anything. */
export const activityHelp: Readonly<Record<Activity, string>> = {
  bid: 'Asked for a bid',
  userIds: 'IDs of the user and the device',
  userData: 'Keywords, segments, year of birth and gender',
  address: 'The whole address; else its network',
  place: 'The exact place; else about a kilometre',
  sync: 'Cookies, and how often a user has seen an ad',
};
