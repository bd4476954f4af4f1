/** By their short forms. */
export const units = {
  '%': 'Percent',
  USD: 'US dollars',
  'local currency': 'In the `Currency` of the row',
  'USD/day': 'US dollars per day (UTC, or of its TimeZone)',
  CPM: 'Price of 1,000 impressions, in the `Currency` of the object, otherwise in US dollars',
  CPC: 'Price of a click, in the `Currency` of the object',
  ms: 'Milliseconds',
  s: 'Seconds',
  min: 'Minutes',
  h: 'Hours',
  impressions: 'Impressions',
  px: 'Pixels',
  rows: 'Rows',
  'requests/s': 'Requests per second',
  'requests/day': 'Requests per day (UTC, or of its TimeZone)',
  'bids/day': 'Bids per day (UTC, or of its TimeZone)',
  'impressions/day': 'Impressions per day (UTC, or of its TimeZone)',
} as const;

export type Unit = keyof typeof units;
