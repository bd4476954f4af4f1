import type { AnswerTo } from '../../api/answers.ts';

/** What a day's auctions would have earned at other floors. */
export type Floors = AnswerTo<'api/figures/floors'>;

/** The same at each floor, by one way to make prices: 1 = First Price, 2 = Second Price Plus. */
export type Curve = Floors['Prices'][number];

/** What a day would have earned at a floor (USD CPM), in USD. */
export type Floor = Curve['Floors'][number];

/** Which of it is shown, as the address says it. */
export interface FloorsSearch {
  /** As `2027-01-31`; absent = yesterday. */
  readonly day?: string | undefined;
  readonly country?: string | undefined;
  readonly price?: number | undefined;
}

/** The address's search, of which anything may have been typed. */
export function floorsSearch(search: Readonly<Record<string, unknown>>): FloorsSearch {
  const { day, country, price } = search;
  return {
    day: /^\d{4}-\d{2}-\d{2}$/.test(String(day)) ? String(day) : undefined,
    country: /^[A-Z]{2}$/.test(String(country)) ? String(country) : undefined,
    price: price === 1 || price === 2 ? price : undefined,
  };
}
