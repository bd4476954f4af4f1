/** They move with time, in days of the report's zone. */
export const periods = {
  Today: 'Today',
  Yesterday: 'Yesterday',
  Last24Hours: 'The last 24 whole hours',
  Last7Days: 'The 7 days that end with yesterday',
  Last30Days: 'The 30 days that end with yesterday',
  ThisWeek: 'From Monday to today',
  LastWeek: 'The whole week before, from Monday',
  ThisMonth: 'From the first of the month to today',
  LastMonth: 'The whole month before',
} as const;

export type PeriodName = keyof typeof periods;

export const comparisons = {
  Period: 'The period right before: the day, week or month before, or as many days',
  Week: 'The same days a week before',
  Month: 'The same days a month before, with nothing for those that it does not have',
  Year: 'The same days a year before',
} as const;

export type ComparisonName = keyof typeof comparisons;
