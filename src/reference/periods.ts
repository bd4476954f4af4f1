/** They move with time, in days of the report's zone. */
export const periods = {
  Today: 'Today',
  Yesterday: 'Yesterday',
  Last24Hours: 'The last 24 whole hours',
  Last7Days: 'The 7 days up to and including today',
  Last30Days: 'The 30 days up to and including today',
  ThisWeek: 'From Monday to today',
  LastWeek: 'The whole previous week, from Monday',
  ThisMonth: 'From the first of the month to today',
  LastMonth: 'The whole previous month',
} as const;

export type PeriodName = keyof typeof periods;

export const comparisons = {
  Period: 'The preceding period: the previous day, week or month, or the same number of days',
  Week: 'The same days a week before',
  Month: 'The same days a month before, with nothing for days that month does not have',
  Year: 'The same days a year before',
} as const;

export type ComparisonName = keyof typeof comparisons;
