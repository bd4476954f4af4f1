/** What a partner may do, or be told of a viewer: bits of a mask. */
export const activities = { bid: 1, userIds: 2, userData: 4, address: 8, place: 16, sync: 32 } as const;

export type Activity = keyof typeof activities;

export const activityNames = Object.keys(activities) as Activity[];

export const activityTitles: Readonly<Record<Activity, string>> = {
  bid: 'Bid',
  userIds: 'User IDs',
  userData: 'User data',
  address: 'IP address',
  place: 'Exact place',
  sync: 'Sync and frequency',
};

/** What it covers, and what is sent instead, if anything. */
export const activityHelp: Readonly<Record<Activity, string>> = {
  bid: 'Bid requests',
  userIds: 'IDs of the user and the device',
  userData: 'Keywords, segments, year of birth and gender',
  address: 'The whole IP address; without it, its network',
  place: 'The exact place; without it, about a kilometre',
  sync: 'User sync, cookies and frequency by user',
};
