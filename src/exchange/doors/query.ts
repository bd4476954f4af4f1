/** Query parameters of a zone or feed URL; a macro that was not filled (`{ip}`) counts as absent (delivery, "/vast"). */
export interface ZoneQuery {
  /** `""` where it is absent; cut at the most that a value may be long, 8,192 characters unless told. */
  text(name: string, charactersMax?: number): string;
  /** A whole number from `min` to `max`; undefined where it is absent or anything else. */
  integer(name: string, max: number, min?: number): number | undefined;
  /** A number from 0; undefined where it is absent or anything else. */
  amount(name: string): number | undefined;
}

const valueCharactersMax = 8192;
const queryCharactersMax = 65_536;
const unfilled = /^\{\w+\}$/;
const wholeNumber = /^-?\d{1,10}$/;
const decimalNumber = /^\d{1,9}(\.\d{1,9})?$/;

/** Reads the query of a request's URL. Never throws: what cannot be decoded stays as it is. */
export function zoneQuery(url: string): ZoneQuery {
  const start = url.indexOf('?');
  const values = new URLSearchParams(start === -1 ? '' : url.slice(start + 1, start + queryCharactersMax));
  const text = (name: string, charactersMax = valueCharactersMax) => {
    const value = values.get(name) ?? '';
    return unfilled.test(value) ? '' : value.slice(0, charactersMax);
  };
  return {
    text,
    integer(name, max, min = 0) {
      const value = text(name);
      const number = wholeNumber.test(value) ? Number(value) : Number.NaN;
      return number >= min && number <= max ? number : undefined;
    },
    amount(name) {
      const value = text(name);
      return decimalNumber.test(value) ? Number(value) : undefined;
    },
  };
}
