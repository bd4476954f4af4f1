/** Alerts that every exchange can begin with: each is added by one click in the console. */
export const alertPresets = [
  {
    text: 'A DSP cannot be called: more than 40 % of its calls fail',
    values: {
      Name: 'DSP unavailable',
      Severity: 3,
      Condition: 'Above',
      Measure: 'UnavailableRate',
      Threshold: 40,
      Window: 15,
      GroupBy: 'Demand',
      MinVolume: 100,
    },
  },
  {
    text: 'A tag or endpoint has requests, and no impression for 30 minutes',
    values: {
      Name: 'No fill',
      Condition: 'Nothing',
      Measure: 'Impressions',
      Window: 30,
      GroupBy: 'Supply',
      MinVolume: 100,
      MinVolumeOf: 'Requests',
    },
  },
  {
    text: 'Revenue of the last two hours is half of that a week before',
    values: {
      Name: 'Revenue collapses',
      Severity: 3,
      Condition: 'FallsBy',
      Measure: 'Revenue',
      Threshold: 50,
      Window: 120,
      CompareTo: 'Week',
      MinVolume: 1000,
      MinVolumeOf: 'Requests',
    },
  },
  { text: 'A limit or budget is reached', values: { Name: 'Limit reached', Condition: 'LimitReached' } },
] as const;
