import { onlyKeys, singleKey } from './keys.ts';
import type { KeyRule } from './rule.ts';

const notInDatabase = 'unknown country: the IP address is not in the country database';
const noAddress = 'unknown country: the request has neither a country nor an IP address';

/** The document holds bare codes. */
export const country: KeyRule = {
  form: 'keys',
  field: 'Countries',
  reason: 'country_not_targeted',
  keysOf: ({ country }) => singleKey(country),
  restriction: (object) => onlyKeys(object.settings.Countries ?? []),
  metOf: ({ country, ip }) => country || (ip ? notInDatabase : noAddress),
};
