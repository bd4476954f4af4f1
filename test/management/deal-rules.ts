const days = ['2027-01-31', '2027-01-31T12:00', '2027-01-31T12:00:30', '2027-01-31T12:00:00+02:00', ''];
const noDays = ['2027-02-30', '2027-01-31 12:00', 'tomorrow', 1, null];

export const dealRules = [
  { name: 'Deal' as const, field: 'Code', good: ['news-q1', 'Ü 1', 'x'.repeat(64)], bad: ['', 'x'.repeat(65), 1, null] },
  { name: 'Deal' as const, field: 'Type', good: [1, 2, 3, 4], bad: [0, 5, '1', null] },
  { name: 'Deal' as const, field: 'PriceType', good: [1, 2, 3, 0], bad: [-1, 4, '1', null] },
  { name: 'Deal' as const, field: 'Priority', good: [1, 20], bad: [0, 21, 1.5, null] },
  { name: 'Deal' as const, field: 'Currency', good: ['EUR', 'USD', ''], bad: ['eur', 'EURO', 1, null] },
  { name: 'Deal' as const, field: 'StartTime', good: days, bad: noDays },
  { name: 'Deal' as const, field: 'EndTime', good: days, bad: noDays },
  { name: 'Deal' as const, field: 'TimeZone', good: ['Europe/Berlin', 'UTC', ''], bad: ['+02:00', 'Moon', 1, null] },
  { name: 'Deal' as const, field: 'AdTypes', good: [[1, 2, 3, 4], []], bad: [[0], [5], ['1'], 1, null] },
  { name: 'Deal' as const, field: 'Curator', good: ['curator.example', ''], bad: ['https://a.example', 1, null] },
  { name: 'Deal' as const, field: 'CurationFeeType', good: [1, 2, 3, 4, 0], bad: [-1, 5, '1', null] },
  { name: 'Deal' as const, field: 'CurationFee', good: [10.5, 0], bad: [-1, '1', null] },
]; // biome-ignore format: a table
