/** By their short forms. */
export const units = {
  '%': 'Percent',
  USD: 'US dollars',
  'USD/day': 'US dollars a day (UTC)',
  CPM: 'US dollars for 1,000 impressions',
  ms: 'Milliseconds',
  s: 'Seconds',
  min: 'Minutes',
  px: 'Pixels',
  rows: 'Rows',
  'requests/s': 'Requests in a second',
  'requests/day': 'Requests in a day (UTC)',
  'bids/day': 'Bids in a day (UTC)',
  'impressions/day': 'Impressions in a day (UTC)',
} as const;

export type Unit = keyof typeof units;
