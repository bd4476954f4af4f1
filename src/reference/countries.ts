import { isoCountries } from './iso-countries.ts';

type Country = { readonly CC: string; readonly Country: string };

/** Codes outside ISO 3166-1 that IP databases still give, under the names of MaxMind's legacy GeoIP list. */
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

/** What `/api/info/countries` lists: the 249 countries of ISO 3166-1, then 8 codes outside it. */
export const countries: readonly Country[] = [
  ...isoCountries.map(([CC, , Country]) => ({ CC, Country })),
  ...outsideIso,
];

/** Alpha-3 codes of ISO 3166-1 and of withdrawn entries (ISO 3166-3); XKX is the user-assigned code in common use. */
const alpha3 = new Map<string, string>([
  ...isoCountries.map(([alpha2, alpha3Code]) => [alpha2, alpha3Code] as const),
  ['AN', 'ANT'],
  ['FX', 'FXX'],
  ['XK', 'XKX'],
]);

const names = new Map(countries.map(({ CC, Country }) => [CC, Country]));

/** The display name of an upper case code of `countries`; `undefined` for any other text. */
export function countryName(cc: string): string | undefined {
  return names.get(cc);
}

/** Whether `value` is a code of `countries`: upper case, not current ones included. */
export function isCountryCode(value: string): boolean {
  return names.has(value);
}

/** The alpha-3 code of an upper case code of `countries`, as OpenRTB wants it; undefined where it is no country. */
export function countryAlpha3(cc: string): string | undefined {
  return alpha3.get(cc);
}
