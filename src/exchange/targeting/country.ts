import { keyOf, only } from './keys.ts';
import type { KeyRule } from './rule.ts';

/** Admits opportunities from the listed countries; the document holds bare codes. */
export const country: KeyRule = {
  form: 'keys',
  field: 'Countries',
  reason: 'country_not_targeted',
  keysOf: ({ country }) => keyOf(country),
  restriction: (object) => only(object.settings.Countries ?? []),
};
