import { type Activity, activities, activityNames } from '../../reference/activities.ts';

export const allActivities = Object.values(activities).reduce((mask, bit) => mask | bit, 0);
/** All by which a viewer may be recognized. */
export const recognition = allActivities & ~activities.bid;

export const activitiesIn = (mask: number): Activity[] =>
  activityNames.filter((name) => (mask & activities[name]) !== 0);
