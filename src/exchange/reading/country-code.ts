import { isCountryCode } from '../../reference/countries.ts';
import { isoCountries } from '../../reference/iso-countries.ts';

/**
 * Alpha-3 codes of the entries that targeting's list has beside ISO: Kosovo's user-assigned one, and the Netherlands
 * Antilles.
 */
const outsideIso: readonly (readonly [alpha3: string, alpha2: string])[] = [
  ['XKX', 'XK'],
  ['ANT', 'AN'],
];

const alpha2 = new Map([...isoCountries.map(([two, three]) => [three, two] as const), ...outsideIso]);

/** The alpha-2 code of a country in either form (OpenRTB 2.6 §3.2.19 sends alpha-3); `""` for any other text. */
export function countryCode(text: string): string {
  if (text.length > 3) return '';
  const code = text.toUpperCase();
  return alpha2.get(code) ?? (isCountryCode(code) ? code : '');
}
