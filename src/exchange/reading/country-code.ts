import { isCountryCode } from '../../reference/countries.ts';
import { isoCountries } from '../../reference/iso-countries.ts';

/** In targeting's list, but not in ISO: Kosovo and the Netherlands Antilles. */
const outsideIso: readonly (readonly [alpha3: string, alpha2: string])[] = [
  ['XKX', 'XK'],
  ['ANT', 'AN'],
];

const alpha2 = new Map([...isoCountries.map(([two, three]) => [three, two] as const), ...outsideIso]);

/** From alpha-2 or alpha-3, which OpenRTB 2.6 §3.2.19 sends; `""` for other text. */
export function countryCode(text: string): string {
  if (text.length > 3) return '';
  const code = text.toUpperCase();
  return alpha2.get(code) ?? (isCountryCode(code) ? code : '');
}
