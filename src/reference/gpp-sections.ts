const states: readonly (readonly [id: number, state: string])[] = [
  [8, 'California'],
  [9, 'Virginia'],
  [10, 'Colorado'],
  [11, 'Utah'],
  [12, 'Connecticut'],
  [13, 'Florida'],
  [14, 'Montana'],
  [15, 'Oregon'],
  [16, 'Texas'],
  [17, 'Delaware'],
  [18, 'Iowa'],
  [19, 'Nebraska'],
  [20, 'New Hampshire'],
  [21, 'New Jersey'],
  [22, 'Tennessee'],
  [23, 'Minnesota'],
  [24, 'Maryland'],
  [25, 'Indiana'],
  [26, 'Kentucky'],
  [27, 'Rhode Island'],
];

/** Sections of the Global Privacy Platform that are read, by ID. */
export const gppSections: ReadonlyMap<number, string> = new Map([
  [2, 'TCF EU'],
  [5, 'TCF Canada'],
  [6, 'US Privacy'],
  [7, 'US National'],
  ...states,
]);
