import { onlyKeys, singleKey } from './keys.ts';
import type { KeyRule } from './rule.ts';

/** The document holds bare codes. */
export const country: KeyRule = {
  form: 'keys',
  field: 'Countries',
  reason: 'country_not_targeted',
  keysOf: ({ country }) => singleKey(country),
  restriction: (object) => onlyKeys(object.settings.Countries ?? []),
};
