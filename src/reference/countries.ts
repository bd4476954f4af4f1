import { isoCountries } from './iso-countries.ts';

type Country = { readonly CC: string; readonly Country: string };

/** Outside ISO 3166-1, but IP databases still give them; names of MaxMind's legacy GeoIP list. */
const outsideIso: readonly Country[] = [
  { CC: 'A1', Country: 'Anonymous Proxy' },
  { CC: 'A2', Country: 'Satellite Provider' },
  { CC: 'AN', Country: 'Netherlands Antilles' },
  { CC: 'AP', Country: 'Asia/Pacific Region' },
  { CC: 'EU', Country: 'Europe' },
  { CC: 'FX', Country: 'France, Metropolitan' },
  { CC: 'O1', Country: 'Other' },
  { CC: 'XK', Country: 'Kosovo' },
];

/** As in `/api/info/countries`: the 249 of ISO 3166-1, then 8 codes outside it. */
export const countries: readonly Country[] = [
  ...isoCountries.map(([CC, , Country]) => ({ CC, Country })),
  ...outsideIso,
];

/** ISO 3166-1 and withdrawn entries (ISO 3166-3); XKX is the user-assigned code in common use. */
const alpha3 = new Map<string, string>([
  ...isoCountries.map(([alpha2, alpha3Code]) => [alpha2, alpha3Code] as const),
  ['AN', 'ANT'],
  ['FX', 'FXX'],
  ['XK', 'XKX'],
]);

const names = new Map(countries.map(({ CC, Country }) => [CC, Country]));

/** `cc`: an upper-case code of `countries`. */
export function countryName(cc: string): string | undefined {
  return names.get(cc);
}

/** Upper case; includes withdrawn codes. */
export function isCountryCode(value: string): boolean {
  return names.has(value);
}

/** As OpenRTB wants it, from an upper-case code of `countries`. */
export function countryAlpha3(cc: string): string | undefined {
  return alpha3.get(cc);
}
