/** The rules of alerts. An alert of the tests is about a figure, which is no share of another. */
export const alertRules = [
  {
    name: 'Alert' as const,
    field: 'Condition',
    good: ['Below', 'Nothing', 'LimitReached', 'PartnerPaused', 'AdsTxtMissing', 'CurrencyRefused'],
    bad: ['', 'Moon', 1, null],
  },
  { name: 'Alert' as const, field: 'Measure', good: ['TimeoutRate', 'Profit'], bad: ['', 'Moon', 1, null] },
  { name: 'Alert' as const, field: 'Threshold', good: [0, -5, 40.25], bad: [1e13, -1e13, '1', null] },
  {
    name: 'Alert' as const,
    field: 'Window',
    good: [1, 15, 20, 120, 135, 1440, 44_640],
    bad: [0, 121, 44_655, 1.5, null],
  },
  { name: 'Alert' as const, field: 'CompareTo', good: ['Day', 'Week', ''], bad: ['Year', 1, null] },
  {
    name: 'Alert' as const,
    field: 'TimeZone',
    good: ['', 'Europe/Berlin'],
    bad: ['Mars', '+01:00', 1, null],
  },
  { name: 'Alert' as const, field: 'MinVolume', good: [0], bad: [-1, 100, 1.5, null] },
  { name: 'Alert' as const, field: 'MinVolumeOf', good: ['', 'Requests'], bad: ['Moon', 1, null] },
  {
    name: 'Alert' as const,
    field: 'GroupBy',
    good: ['', 'Publisher', 'Supply', 'Advertiser', 'Demand'],
    bad: ['Country', ['Demand'], 1, null],
  },
  {
    name: 'Alert' as const,
    field: 'Filters',
    good: [[], [{ Field: 'Country', Operator: 'In', Values: ['DE', ''] }]],
    bad: [
      [{ Field: 'Country', Operator: 'In', Values: [] }],
      [{ Field: 'Supply', Operator: 'In', Values: ['Campaign:3'] }],
      [{ Field: 'Hour', Operator: 'In', Values: ['A'] }],
      {},
      null,
    ],
  },
  { name: 'Alert' as const, field: 'HoldMinutes', good: [0, 1440], bad: [-1, 1441, 0.5, null] },
  { name: 'Alert' as const, field: 'EndMinutes', good: [0, 1440], bad: [-1, 1441, 0.5, null] },
  { name: 'Alert' as const, field: 'Hysteresis', good: [0, 2.5], bad: [-1, '1', null] },
  {
    name: 'Alert' as const,
    field: 'MutedUntil',
    good: ['', '2027-01-31', '2027-01-31T12:00:00Z', '2027-01-31T12:00:00+01:00'],
    bad: ['soon', '2027-02-30', '2027-01-31T12:00', 1, null],
  },
  { name: 'Alert' as const, field: 'Muted', good: [0, 1], bad: [2, -1, '1', null] },
];
