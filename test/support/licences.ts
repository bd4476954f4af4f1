/** The licences that dependencies may have; of a choice (`A OR B`) one is enough. */
export const licences: readonly string[] = [
  'MIT',
  'MIT-0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'Unlicense',
  '0BSD',
  'CC0-1.0',
];
